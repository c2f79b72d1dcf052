// Which opcodes are Hopper's barriers and bulk copies, and what lines of them say.
#include "sim/trace/replay/async_opcode.h"

#include "sim/trace/replay/async_maker.h"
#include "tests/sim/trace/small_traces.h"
#include "tests/support/catch.h"

namespace heddle::trace {
namespace {

using stream::AsyncStep;

TEST_CASE("opcodes of barriers in shared memory and of bulk copies") {
  const std::pair<const char*, AsyncOpcode> cases[] = {
      {"SYNCS.EXCH.64", AsyncOpcode::Init},
      {"SYNCS.ARRIVE.TRANS64", AsyncOpcode::ArriveExpect},
      {"SYNCS.ARRIVE.TRANS64.RED", AsyncOpcode::ArriveExpect},
      {"SYNCS.ARRIVE.TRANS64.ART0", AsyncOpcode::ArriveCount},
      {"SYNCS.ARRIVE.TRANS64.A1T0", AsyncOpcode::ArriveOne},
      {"SYNCS.ARRIVE.TRANS64.RED.A1T0", AsyncOpcode::ArriveOne},
      {"SYNCS.ARRIVE.TRANS64.A0TR", AsyncOpcode::Expect},
      {"SYNCS.ARRIVE.TRANS64.RED.A0TX", AsyncOpcode::Complete},
      {"SYNCS.ARRIVE.TRANS64.A0T1", AsyncOpcode::ExpectOne},
      {"SYNCS.PHASECHK.TRANS64", AsyncOpcode::Test},
      {"SYNCS.PHASECHK.TRANS64.TRYWAIT", AsyncOpcode::Wait},
      {"SYNCS.CCTL.IV", AsyncOpcode::None},
      {"ARRIVES.LDGSTSBAR.64", AsyncOpcode::ArriveAfterCopies},
      {"ARRIVES.LDGSTSBAR.64.TRANSCNT", AsyncOpcode::ExpectCopies},
      {"UTMALDG.3D.MULTICAST", AsyncOpcode::BulkLoad},
      {"UTMASTG.2D", AsyncOpcode::BulkStore},
      {"UTMAREDG.1D.ADD", AsyncOpcode::BulkStore},
      {"UTMAPF.L2.2D", AsyncOpcode::None},
      {"UBLKCP.S.G", AsyncOpcode::BulkLoad},
      {"UBLKCP.T.S.G", AsyncOpcode::BulkLoad},
      {"UBLKCP.G.S", AsyncOpcode::BulkStore},
      {"UBLKRED.G.S.ADD", AsyncOpcode::BulkStore},
      {"UTMACMDFLUSH", AsyncOpcode::CloseGroup},
      {"FENCE.VIEW.ASYNC.S", AsyncOpcode::ProxyFence},
      {"UCGABAR_ARV", AsyncOpcode::ClusterArrive},
      {"UCGABAR_WAIT", AsyncOpcode::ClusterWait},
      {"BAR.SYNC", AsyncOpcode::None},
      {"HGMMA.64x64x16.F32", AsyncOpcode::None},
  };
  for (const auto& [opcode, expected] : cases) {
    INFO(opcode);
    CHECK((async_opcode(opcode) == expected));
  }
}

/// What one line of version 6 says.
AsyncStep step_of(const std::string& line, bool is_in_region = false) {
  const SeenTrace seen = read_text(one_warp({.version = "6", .format = kNewFormat}, {"0000 " + line},
                                            "ff00 ffffffff 0 EXIT 0 0 0 0 NoVal"));
  TraceLine copy = seen.lines.front().line;
  copy.instruction = &seen.lines.front().instruction;
  AsyncMaker maker;
  AsyncStep step;
  REQUIRE(maker.make(copy, is_in_region, step));
  return step;
}

TEST_CASE("an mbarrier's count stands in its register as PTX's mbarrier.init writes it") {
  const std::pair<const char*, std::uint32_t> cases[] = {
      {"00000000001ffffe", 1},  // 2^20 - count, from bit 1 on
      {"7ffff800001ffffe", 1},       {"00000000001fff00", 128},
      {"fffff80000000002", 0xfffff}, {"001ffffe", 1},  // older files have 32 bits
  };
  for (const auto& [word, count] : cases) {
    INFO(word);
    const AsyncStep step = step_of(
        std::string("00000001 1 UR255 SYNCS.EXCH.64 2 R4 UR6 8 0 0x3000420 0 0 Val 1 0 1 400 1 ") + word);
    CHECK((step.action == AsyncStep::Action::Init));
    REQUIRE(step.uses.size() == 1);
    CHECK(step.uses[0].barrier == 0x420);
    CHECK(step.uses[0].count == count);
  }
}

TEST_CASE("lanes arrive one by one, each at its address, with its value") {
  const std::string at = " 2 R4 R5 8 1 0x400 8 0 0 Val 1 0 1 0 1 64";
  const AsyncStep step = step_of("00000003 1 R255 SYNCS.ARRIVE.TRANS64" + at);
  const std::vector<stream::PhaseUse> both = {{0x400, 1, 0x64}, {0x408, 1, 0x64}};
  CHECK((step.uses == both));
  const std::string one = " 2 R4 R5 8 1 0x400 0 0 0 Val 1 0 1 0 1 5";
  const std::pair<const char*, stream::PhaseUse> cases[] = {
      {"SYNCS.ARRIVE.TRANS64.ART0", {0x400, 10, 0}}, {"SYNCS.ARRIVE.TRANS64.A1T0", {0x400, 2, 0}},
      {"SYNCS.ARRIVE.TRANS64.A0TR", {0x400, 0, 10}}, {"SYNCS.ARRIVE.TRANS64.A0TX", {0x400, 0, -10}},
      {"SYNCS.ARRIVE.TRANS64.A0T1", {0x400, 0, 2}},  {"SYNCS.ARRIVE.TRANS64.RED", {0x400, 2, 10}},
  };
  for (const auto& [opcode, expected] : cases) {
    INFO(opcode);
    const AsyncStep each = step_of(std::string("00000003 1 R255 ") + opcode + one);
    REQUIRE(each.uses.size() == 1);
    CHECK((each.uses[0] == expected));
  }
}

TEST_CASE("a test is a wait in a loop that is marked, and nothing elsewhere") {
  const std::string line = "ffffffff 0 SYNCS.PHASECHK.TRANS64 2 R4 R5 8 1 0x400 0 0 0 Val 1 0 1 80000000";
  const AsyncStep step = step_of(line, true);
  CHECK((step.action == AsyncStep::Action::Wait));
  CHECK(step.knows_parity);
  CHECK(step.parity);
  CHECK(step.round == 1);
}

TEST_CASE("a copy to several blocks counts for each, and no copy for more than there is room") {
  const AsyncStep step = step_of(
      "00000001 0 UTMALDG.2D.MULTICAST 0 64 0x00000408 1 0x0003 4096 0 4 0x7f0000000000 2 64 0 0 NoVal");
  CHECK(step.bytes == 8192);
  CHECK(step.piece_bytes == 64);
  CHECK((step.addresses == std::vector<Addr>{0x7f0000000000, 0x7f0000000040}));
  REQUIRE(step.uses.size() == 1);
  CHECK(step.uses[0].barrier == 0x408);
  const AsyncStep huge = step_of(
      "00000001 0 UBLKCP.S.G 0 4294967295 0x00000408 0 18446744073709551615 0 4 0x7f0000000000 1 0 0 NoVal");
  CHECK(huge.piece_bytes <= 1U << 20);
  CHECK(huge.bytes <= 1U << 20);
}

TEST_CASE("copies are dealt out evenly to the phases that are announced") {
  CopyPlan plan;
  AsyncStep copy;
  copy.action = AsyncStep::Action::Copy;
  copy.uses = {{0x400, 0, 0}};
  AsyncStep announcement;
  announcement.action = AsyncStep::Action::Arrive;
  announcement.uses = {{0x400, 1, 1}};
  for (unsigned i = 0; i < 3; ++i) plan.note(announcement);
  CHECK(plan.share(0x400).phases == 0);
  for (unsigned i = 0; i < 6; ++i) plan.note(copy);
  CHECK(plan.share(0x400).copies_per_phase == 2);
  CHECK(plan.share(0x400).phases == 3);
  CHECK(plan.share(0x408).phases == 0);
}

}  // namespace
}  // namespace heddle::trace
