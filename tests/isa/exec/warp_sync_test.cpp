// WARPSYNC.EXCLUSIVE: lanes that name different masks go on apart.
#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

/// Each thread writes the lanes that it votes with, then those behind the BSYNC. R1: its mask.
std::string kernel(const std::string& mask) {
  return ".kernel k\n.param out ptr\nS2R R0, SR_LANEID\n" + mask + R"(
    BSSY B0, behind
    WARPSYNC.EXCLUSIVE R1
    VOTE.ANY R2, PT, PT
    BSYNC B0
behind:
    VOTE.ANY R3, PT, PT
    IMAD.WIDE.U32 R4, R0, 0x8, c[out]
    STG.E [R4.64], R2
    STG.E [R4.64+0x4], R3
    EXIT
)";
}

constexpr const char* kOfParity = R"(
    LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT
    MOV R2, 0xaaaaaaaa
    SEL R1, R2, 0x55555555, P0)";

std::vector<std::uint32_t> votes(const std::string& mask) {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 32 * 8);
  KernelRun run;
  run.text = kernel(mask);
  run.params = {out.address()};
  run.divergence = Divergence::Barriers;
  REQUIRE(fault_of(run, memory) == "");
  return {out.as<std::uint32_t>().begin(), out.as<std::uint32_t>().end()};
}

TEST_CASE("lanes of one mask vote together, and all meet again") {
  const std::vector<std::uint32_t> all = votes("MOV R1, 0xffffffff");
  const std::vector<std::uint32_t> odd = votes(kOfParity);
  const std::vector<std::uint32_t> quarters = votes(R"(
    LOP3.LUT R2, R0, 0x18, RZ, 0xc0, !PT
    MOV R1, 0xff
    SHF.L.U32 R1, R1, R2, RZ)");
  for (unsigned lane = 0; lane < 32; ++lane) {
    CAPTURE(lane);
    CHECK(all[2 * lane] == 0xffffffff);
    CHECK(odd[2 * lane] == (lane % 2 == 0 ? 0x55555555 : 0xaaaaaaaa));
    CHECK(quarters[2 * lane] == 0xffU << lane / 8 * 8);
    CHECK(all[2 * lane + 1] == 0xffffffff);
    CHECK(odd[2 * lane + 1] == 0xffffffff);
    CHECK(quarters[2 * lane + 1] == 0xffffffff);
  }
}

TEST_CASE("a SIMT stack cannot part the lanes, and says so") {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 32 * 8);
  KernelRun run;
  run.params = {out.address()};
  run.text = kernel("MOV R1, 0xffffffff");
  CHECK(fault_of(run, memory) == "");
  run.text = kernel(kOfParity);
  CHECK_THAT(fault_of(run, memory), Catch::Contains("lanes name different masks"));
}

}  // namespace
}  // namespace heddle::exec
