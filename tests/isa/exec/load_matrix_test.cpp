// LDSM: which lane gets which elements of which matrix.
#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;
using U32 = std::uint32_t;

constexpr unsigned kThreads = 128;

/// Shared memory as halves: half i of every block is i. Lane l of each 32 names row rows[l] of 64 rows of 16
/// bytes.
std::string body(const std::string& load) {
  std::string text;
  // Word w holds the halves 2 w and 2 w + 1; with at least 64 threads, 256 words take 4 rounds of 64.
  text += "S2R R5, SR_TID.X\n";
  for (unsigned round = 0; round < 4; ++round) {
    text += fmt::format("IADD3 R6, R5, {:#x}, RZ\nSHF.L.U32 R7, R6, 0x1, RZ\nIADD3 R8, R7, 0x1, RZ\n",
                        64 * round);
    text += "IMAD R7, R8, 0x10000, R7\nSHF.L.U32 R6, R6, 0x2, RZ\nISETP.LT.U32.AND P6, PT, R5, 0x40, PT\n";
    text += "@P6 STS [R6], R7\n";
  }
  text += "BAR.SYNC 0x0\n";
  return ".shared tile 1024\n" + text + load;
}

struct Form {
  const char* mnemonic;
  unsigned matrices;
  bool is_transposed;
};

constexpr Form kForms[] = {{"LDSM.16.M88", 1, false},   {"LDSM.16.M88.2", 2, false},
                           {"LDSM.16.M88.4", 4, false}, {"LDSM.16.MT88", 1, true},
                           {"LDSM.16.MT88.2", 2, true}, {"LDSM.16.MT88.4", 4, true}};

TEST_CASE("LDSM deals out the rows, or the columns, that the lanes name") {
  const unsigned warp_size = GENERATE(32U, 64U);
  LaneValues values(0x1d53);
  LaneInputs inputs;
  inputs.registers.assign(1, Row(kThreads));
  inputs.predicates.assign(kThreads, 0);
  for (U32& address : inputs.registers[0]) address = 16 * values.below(62);
  for (const Form& form : kForms) {
    CAPTURE(warp_size, form.mnemonic);
    // Two matrices are named by numbers of rows and a uniform register, which comes to the same.
    const std::string load =
        form.matrices == 2
            ? fmt::format("SHF.R.U32.HI R9, RZ, 0x4, R0\nUMOV UR4, 0x18\n{} R16, [R9.X16+UR4+0x8]",
                          form.mnemonic)
            : fmt::format("{} R16, [R0+0x20]", form.mnemonic);
    const LaneOutputs outputs = run_lanes(body(load), inputs, form.matrices, warp_size);
    for (unsigned matrix = 0; matrix < form.matrices; ++matrix) {
      Row expected(kThreads);
      for (unsigned t = 0; t < kThreads; ++t) {
        // PTX ISA, ldmatrix: thread 4 r + p gets elements 2 p and 2 p + 1 of row r; of .trans, of column r.
        const unsigned lane = t % 32;
        const auto element = [&](unsigned row, unsigned column) {
          return (inputs.registers[0][t - lane + 8 * matrix + row] + 0x20) / 2 + column;
        };
        const unsigned line = lane / 4;
        const unsigned at = lane % 4 * 2;
        const U32 low = form.is_transposed ? element(at, line) : element(line, at);
        const U32 high = form.is_transposed ? element(at + 1, line) : element(line, at + 1);
        expected[t] = high << 16 | low;
      }
      CHECK(first_difference(outputs.registers[matrix], expected, inputs) == "");
    }
  }
}

std::string fault_of_lines(const std::string& lines, unsigned threads = 32) {
  GlobalMemory memory;
  const std::string head = ".kernel k\n.shared tile 512\nS2R R0, SR_LANEID\n";
  KernelRun run;
  run.text = head + lines + "EXIT\n";
  run.block = {threads, 1, 1};
  return fault_of(run, memory);
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST_CASE("only the lanes that name rows must name good ones") {
  const std::string rows = "SHF.L.U32 R1, R0, 0x4, RZ\n";  // lane l: byte 16 l, of 512
  CHECK(fault_of_lines(rows + "LDSM.16.M88.4 R4, [R1]\n") == "");
  CHECK(has(fault_of_lines(rows + "LDSM.16.M88.4 R4, [R1+0x10]\n"),
            "out-of-bounds load of 16 bytes at 0x200 in lane 31: the block has 512 bytes of shared memory"));
  CHECK(fault_of_lines(rows + "LDSM.16.M88.2 R4, [R1+0x10]\n") == "");
  CHECK(fault_of_lines(rows + "LDSM.16.M88.2 R4, [R1+0x100]\n") == "");
  CHECK(has(fault_of_lines(rows + "LDSM.16.M88.2 R4, [R1+0x110]\n"), "at 0x200 in lane 15"));
  CHECK(has(fault_of_lines("SHF.L.U32 R1, R0, 0x3, RZ\nLDSM.16.MT88 R4, [R1]\n"),
            "misaligned load of 16 bytes at 0x8 in lane 1"));
}

TEST_CASE("LDSM needs all lanes of its warp") {
  CHECK(has(fault_of_lines("LDSM.16.M88 R4, [RZ]\n", 24),
            "needs all 32 lanes of the warp; lanes 0xff000000 do not"));
  CHECK(fault_of_lines("LDSM.16.M88 R4, [RZ]\n") == "");
}

}  // namespace
}  // namespace heddle::exec
