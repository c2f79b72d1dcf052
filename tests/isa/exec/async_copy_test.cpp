// Asynchronous copies as far as they execute: what lies in shared memory afterwards, and what is no program.
#include <fmt/format.h>

#include <numeric>

#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

/// Threads copy `bytes` each from in + 16 to the tile, back to front, and write their piece of the tile to
/// out.
std::string copy_text(unsigned bytes, const std::string& modifiers, const std::string& guard) {
  const std::string width = bytes == 4 ? "" : fmt::format(".{}", 8 * bytes);
  return fmt::format(R"(
.kernel copy
.param in ptr
.param out ptr
.shared pad 64
.shared tile 2048
    S2R R0, SR_TID.X
    LOP3.LUT R1, R0, 0x7f, RZ, 0x3c, !PT
    IMAD.WIDE.U32 R2, R1, {0:#x}, c[in]
    IMAD R4, R0, {0:#x}, RZ
    ISETP.LT.U32.AND P0, PT, R0, 0x43, PT
    UMOV UR4, 0x8
{3}    LDGSTS.E{2}{1} [R0.X{0}+UR4+tile-0x8], [R2.64+0x10]
    LDGDEPBAR
    DEPBAR.LE SB0, 0x0
    IMAD.WIDE.U32 R6, R0, {0:#x}, c[out]
    LDS{1} R8, [R4+tile]
    STG.E{1} [R6.64], R8
    EXIT)",
                     bytes, width, modifiers, guard);
}

TEST_CASE("a copy puts each lane's bytes where it says, of lanes whose guard holds") {
  for (const unsigned bytes : {4U, 8U, 16U}) {
    for (const bool guarded : {false, true}) {
      INFO(bytes << " bytes" << (guarded ? ", guarded" : ""));
      GlobalMemory memory;
      const Buffer& in = memory.allocate("in", 16 + 128 * bytes);
      const Buffer& out = memory.allocate("out", 128 * bytes);
      const auto words = in.as<std::uint32_t>();
      std::iota(words.begin(), words.end(), 1000U);
      KernelRun launch;
      launch.text = copy_text(bytes, bytes == 16 ? ".BYPASS" : "", guarded ? "@P0" : "");
      launch.block = {128};
      launch.params = {in.address(), out.address()};
      CHECK(fault_of(launch, memory) == "");
      const auto found = out.as<std::uint32_t>();
      const unsigned per_thread = bytes / 4;
      for (unsigned t = 0; t < 128; ++t) {
        for (unsigned w = 0; w < per_thread; ++w) {
          const std::uint32_t copied = 1000 + 4 + (127 - t) * per_thread + w;
          CHECK(found[t * per_thread + w] == (guarded && t >= 0x43 ? 0 : copied));
        }
      }
    }
  }
}

void check_fault(const std::string& copy, std::initializer_list<const char*> parts) {
  GlobalMemory memory;
  const Buffer& in = memory.allocate("in", 256);
  KernelRun launch;
  launch.text =
      ".kernel copy\n.param in ptr\n.shared tile 256\nS2R R0, SR_TID.X\nIMAD.WIDE.U32 R2, R0, 0x4, c[in]\n"
      "SHF.L.U32 R4, R0, 0x2, RZ\n" +
      copy + "\nEXIT\n";
  launch.params = {in.address()};
  const std::string fault = fault_of(launch, memory);
  INFO(copy << "\n" << fault);
  for (const char* part : parts) {
    INFO(part);
    CHECK(fault.find(part) != std::string::npos);
  }
}

TEST_CASE("a copy from or to where nothing is, or misaligned, is a fault of the side that is wrong") {
  check_fault("LDGSTS.E [R4+0x84], [R2.64]",
              {"out-of-bounds store of 4 bytes at 0x100 in lane 31", "256 bytes of shared"});
  check_fault("LDGSTS.E [R4+0x2], [R2.64]", {"misaligned store of 4 bytes at 0x2 in lane 0"});
  check_fault("LDGSTS.E [R4], [R2.64+0x84]", {"out-of-bounds load of 4 bytes", "lane 31", "buffer 'in'"});
  check_fault("LDGSTS.E.64 [RZ], [R2.64]", {"misaligned load of 8 bytes", "lane 1"});
}

}  // namespace
}  // namespace heddle::exec
