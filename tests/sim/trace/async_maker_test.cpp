// Which opcodes are Hopper's barriers and bulk copies, and what lines of them say.
#include "sim/trace/replay/async_maker.h"

#include "sim/trace/replay/opcode_class.h"
#include "tests/sim/trace/small_traces.h"
#include "tests/support/catch.h"

namespace heddle::trace {
namespace {

using stream::AsyncStep;

struct Known {
  const char* text;
  ir::Opcode opcode;
  ir::Modifier modifier = ir::Modifier::ArrivalAnnounce;
};

TEST_CASE("opcodes of barriers in shared memory and of bulk copies are rows of the instruction table") {
  using ir::Modifier;
  using ir::Opcode;
  const Known cases[] = {
      {"SYNCS.EXCH.64", Opcode::SyncsExch},
      {"SYNCS.ARRIVE.TRANS64", Opcode::SyncsArrive, Modifier::ArrivalAnnounce},
      {"SYNCS.ARRIVE.TRANS64.RED", Opcode::SyncsArrive, Modifier::ArrivalAnnounce},
      {"SYNCS.ARRIVE.TRANS64.ART0", Opcode::SyncsArrive, Modifier::ArrivalCount},
      {"SYNCS.ARRIVE.TRANS64.A1T0", Opcode::SyncsArrive, Modifier::ArrivalOne},
      {"SYNCS.ARRIVE.TRANS64.RED.A1T0", Opcode::SyncsArrive, Modifier::ArrivalOne},
      {"SYNCS.ARRIVE.TRANS64.A0TR", Opcode::SyncsArrive, Modifier::ArrivalExpect},
      {"SYNCS.ARRIVE.TRANS64.RED.A0TX", Opcode::SyncsArrive, Modifier::ArrivalComplete},
      {"SYNCS.ARRIVE.TRANS64.A0T1", Opcode::SyncsArrive, Modifier::ArrivalExpectOne},
      {"SYNCS.PHASECHK.TRANS64", Opcode::SyncsPhasechk, Modifier::PhaseWaitTest},
      {"SYNCS.PHASECHK.TRANS64.TRYWAIT", Opcode::SyncsPhasechk, Modifier::PhaseWaitWait},
      {"ARRIVES.LDGSTSBAR.64", Opcode::ArrivesLdgsts, Modifier::CopyArrivalNone},
      {"ARRIVES.LDGSTSBAR.64.ARVCNT", Opcode::ArrivesLdgsts, Modifier::CopyArrivalCount},
      {"ARRIVES.LDGSTSBAR.64.TRANSCNT", Opcode::ArrivesLdgsts, Modifier::CopyArrivalBytes},
      {"UTMALDG.3D.MULTICAST", Opcode::Utmaldg},
      {"UTMASTG.2D", Opcode::Utmastg},
      {"UTMAREDG.1D.ADD", Opcode::Utmaredg},
      {"UBLKCP.S.G", Opcode::UblkcpLoad},
      {"UBLKCP.T.S.G", Opcode::UblkcpLoadAll},
      {"UBLKCP.G.S", Opcode::UblkcpStore},
      {"UBLKRED.G.S.ADD", Opcode::Ublkred},
      {"UTMACMDFLUSH", Opcode::Utmacmdflush},
      {"UTMAPF.L2.2D", Opcode::Utmapf},
      {"UTMACCTL.PF", Opcode::UtmacctlPf},
      {"FENCE.VIEW.ASYNC.S", Opcode::FenceViewAsync},
      {"UCGABAR_ARV", Opcode::UcgabarArv},
      {"UCGABAR_WAIT", Opcode::UcgabarWait},
  };
  for (const Known& each : cases) {
    INFO(each.text);
    const OpcodeClass found = classify(each.text);
    const ir::Instruction instruction = instruction_of(found);
    CHECK_FALSE(found.is_near);
    CHECK(instruction.opcode == each.opcode);
    CHECK(instruction.modifiers.has(each.modifier));
  }
}

TEST_CASE("of the same instructions, what is not known takes the place of a NOP and does nothing") {
  for (const char* text :
       {"SYNCS.CCTL.WB", "SYNCS.ARRIVE.TRANS64.A2T7", "UTMAPF.L1.2D", "UBLKCP.X", "FENCE.VIEW.SYS"}) {
    INFO(text);
    const OpcodeClass found = classify(text);
    CHECK(found.is_near);
    CHECK(found.row == ir::Opcode::Nop);
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
  REQUIRE(maker.make(copy, instruction_of(classify(copy.instruction->opcode)), is_in_region, step));
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
