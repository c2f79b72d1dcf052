// A matrix product whose inner loop meets in register banks, and the same without (arXiv 1804.06826).
#include <fmt/format.h>

#include "sim/config/load.h"
#include "tests/sim/validation/published.h"
#include "tests/support/catch.h"

namespace heddle::test {
namespace {

constexpr unsigned kTile = 8;   // of a thread, in both directions
constexpr unsigned kDepth = 8;  // steps of the inner product between two barriers
constexpr unsigned kWarps = 4;
constexpr double kClockGhz = 1.38;  // of the measurement

/// Where a thread has its numbers. A column of A and a row of B are there twice: for this step, and for the
/// next.
constexpr unsigned kSums = 16;
constexpr unsigned kSlices = kSums + kTile * kTile;
constexpr unsigned column_of_a(unsigned step) { return kSlices + step % 2 * 2 * kTile; }
constexpr unsigned row_of_b(unsigned step) { return column_of_a(step) + kTile; }

enum class Numbering {
  Straight,  ///< Sums, A and B in the order of their indices.
  ByBanks,   ///< Neighbouring sums change places, so that no sum lies in the bank of its element of B; A is
             ///< kept.
};

std::string load_slices(unsigned step) {
  std::string text;
  for (unsigned half = 0; half < 2; ++half) {
    text += fmt::format("LDS.128 R{}, [R0+{:#x}]\n", column_of_a(step) + 4 * half,
                        512 * (step % kDepth) + 16 * half);
    text += fmt::format("LDS.128 R{}, [R1+{:#x}]\n", row_of_b(step) + 4 * half,
                        256 * (step % kDepth) + 16 * half);
  }
  return text;
}

/// sum[i][j] += a[i] * b[j]
std::string multiply_slices(unsigned step, Numbering numbering) {
  const bool by_banks = numbering == Numbering::ByBanks;
  std::string text;
  for (unsigned i = 0; i < kTile; ++i) {
    for (unsigned j = 0; j < kTile; ++j) {
      const unsigned sum = kSums + kTile * i + (by_banks ? j ^ 1U : j);
      const bool is_kept = by_banks && j + 1 < kTile;
      text += fmt::format("FFMA R{0}, R{1}{2}, R{3}, R{0}\n", sum, column_of_a(step) + i,
                          is_kept ? ".reuse" : "", row_of_b(step) + j);
    }
  }
  return text;
}

/// 128 threads multiply tiles that lie in shared memory, the next step's slices being loaded during each.
TextKernel product(Numbering numbering) {
  std::string text =
      "MOV R2, c[iterations]\nS2R R3, SR_TID.X\nLOP3.LUT R1, R3, 0x7, RZ, 0xc0, !PT\n"
      "SHF.R.U32.HI R0, RZ, 0x3, R3\nSHF.L.U32 R0, R0, 0x5, RZ\nSHF.L.U32 R1, R1, 0x5, RZ\n";
  for (unsigned i = 0; i < kTile * kTile; ++i) text += fmt::format("MOV R{}, RZ\n", kSums + i);
  text += load_slices(0) + "loop:\nIADD3 R2, R2, -0x1, RZ\nISETP.NE.AND P0, PT, R2, RZ, PT\n";
  for (unsigned step = 0; step < kDepth; ++step)
    text += load_slices(step + 1) + multiply_slices(step, numbering);
  text += "BAR.SYNC 0x0\n@P0 BRA loop\n";
  return {text, {.x = 32 * kWarps}, {}, ".banked\n.param iterations u32\n.shared tiles 8192\n"};
}

/// Of an SM, by what more iterations of the loop take longer.
double gflops(const sim::GpuSpec& spec, Numbering numbering) {
  constexpr unsigned kFew = 4;
  constexpr unsigned kMany = 20;
  TextKernel kernel = product(numbering);
  kernel.set("iterations", kFew);
  const Cycle few = cycles_of(kernel, spec);
  kernel.set("iterations", kMany);
  const Cycle many = cycles_of(kernel, spec);
  const double operations = 2.0 * 32 * kWarps * kTile * kTile * kDepth * (kMany - kFew);
  return operations / static_cast<double>(many - few) * kClockGhz;
}

TEST_CASE("V16: a matrix product with conflicts of register banks, and without") {
  const sim::GpuSpec spec = sim::load_gpu("v100");
  const double straight = gflops(spec, Numbering::Straight);
  const double by_banks = gflops(spec, Numbering::ByBanks);
  check_published("V16", {{"v100", "GFLOP/s of an SM, conflicts", 132.05, straight},
                          {"v100", "GFLOP/s of an SM, no conflicts", 152.43, by_banks},
                          {"v100", "gain", 1.154, by_banks / straight}});
}

}  // namespace
}  // namespace heddle::test
