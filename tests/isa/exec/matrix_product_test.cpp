// HMMA: where elements lie, how they are added, and what becomes of the awkward ones.
#include <fmt/format.h>

#include <vector>

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_reference.h"
#include "tests/support/lane_values.h"
#include "tests/support/tensor_reference.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;
using U32 = std::uint32_t;

constexpr unsigned kThreads = 1280;
constexpr unsigned kLanes = 32;

/// One of the matrix instructions. A is in R0, B in R4, C in R8; D goes to R16.
struct Form {
  const char* mnemonic;
  unsigned depth;
  bool is_bfloat;
  bool has_wide_sums;

  [[nodiscard]] std::string line() const { return fmt::format("{} R16, R0, R4, R8", mnemonic); }
  [[nodiscard]] unsigned results() const { return has_wide_sums ? 4 : 2; }
};

constexpr Form kForms[] = {
    {"HMMA.16816.F32", 16, false, true},  {"HMMA.16816.F32.BF16", 16, true, true},
    {"HMMA.1688.F32", 8, false, true},    {"HMMA.1688.F32.BF16", 8, true, true},
    {"HMMA.16816.F16", 16, false, false}, {"HMMA.1688.F16", 8, false, false},
};

/// V100, T4 and A100 to L4, H100 on.
constexpr TensorArithmetic kArithmetics[] = {{4, 23}, {8, 24}, {16, 25}};

// -- where elements lie: PTX ISA, matrix fragments of mma.m16n8k16 and mma.m16n8k8 -------------------------

struct Place {
  unsigned row;
  unsigned column;
};

/// Element i of A that a lane holds, two in a register.
Place place_in_a(unsigned lane, unsigned i, unsigned depth) {
  const unsigned group = lane >> 2;
  const unsigned in_group = lane % 4;
  if (depth == 8) return {i < 2 ? group : group + 8, in_group * 2 + (i & 1)};
  const bool is_upper = i < 2 || (4 <= i && i < 6);
  return {is_upper ? group : group + 8, in_group * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
}

Place place_in_b(unsigned lane, unsigned i) {
  return {(lane % 4) * 2 + (i & 1) + (i >= 2 ? 8 : 0), lane >> 2};
}

Place place_in_c(unsigned lane, unsigned i) {
  return {(lane >> 2) + (i < 2 ? 0 : 8), (lane % 4) * 2 + (i & 1)};
}

struct Matrices {
  U32 a[16][16] = {};
  U32 b[16][8] = {};
  U32 c[16][8] = {};
};

U32 half_of(const Row& row, std::size_t thread, unsigned i) { return row[thread] >> (16 * (i & 1)) & 0xffff; }

Matrices matrices_of(const Form& form, const LaneInputs& inputs, std::size_t first) {
  Matrices matrices;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::size_t t = first + lane;
    for (unsigned i = 0; i < form.depth / 2; ++i) {
      const Place at = place_in_a(lane, i, form.depth);
      matrices.a[at.row][at.column] = half_of(inputs.registers[i / 2], t, i);
    }
    for (unsigned i = 0; i < form.depth / 4; ++i) {
      const Place at = place_in_b(lane, i);
      matrices.b[at.row][at.column] = half_of(inputs.registers[4 + i / 2], t, i);
    }
    for (unsigned i = 0; i < 4; ++i) {
      const Place at = place_in_c(lane, i);
      matrices.c[at.row][at.column] =
          form.has_wide_sums ? inputs.registers[8 + i][t] : half_of(inputs.registers[8 + i / 2], t, i);
    }
  }
  return matrices;
}

U32 element(const Form& form, const TensorArithmetic& arithmetic, const Matrices& m, Place at) {
  std::vector<U32> row;
  std::vector<U32> column;
  for (unsigned k = 0; k < form.depth; ++k) {
    row.push_back(m.a[at.row][k]);
    column.push_back(m.b[k][at.column]);
  }
  return tensor_element({form.is_bfloat, form.has_wide_sums}, arithmetic, row, column,
                        m.c[at.row][at.column]);
}

std::vector<Row> expected_of(const Form& form, const TensorArithmetic& arithmetic, const LaneInputs& inputs) {
  std::vector<Row> expected(form.results(), Row(inputs.threads()));
  for (std::size_t first = 0; first < inputs.threads(); first += kLanes) {
    const Matrices matrices = matrices_of(form, inputs, first);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      for (unsigned i = 0; i < 4; ++i) {
        const U32 bits = element(form, arithmetic, matrices, place_in_c(lane, i));
        if (form.has_wide_sums) expected[i][first + lane] = bits;
        if (!form.has_wide_sums) expected[i / 2][first + lane] |= bits << (16 * (i & 1));
      }
    }
  }
  return expected;
}

// -- operands -----------------------------------------------------------------------------------------------

/// Each warp has numbers of one kind.
LaneInputs operands(LaneValues& values, const Form& form) {
  LaneInputs inputs;
  inputs.registers.assign(12, Row(kThreads));
  inputs.predicates.assign(kThreads, 0);
  for (std::size_t t = 0; t < kThreads; ++t) {
    const auto kind = static_cast<unsigned>(t / kLanes % 4);
    const auto two = [&](bool is_bfloat) {
      const U32 low = narrow_operand(values, is_bfloat, kind);
      return narrow_operand(values, is_bfloat, kind) << 16 | low;
    };
    for (unsigned i = 0; i < 8; ++i) inputs.registers[i][t] = two(form.is_bfloat);
    for (unsigned i = 8; i < 12; ++i) {
      inputs.registers[i][t] = form.has_wide_sums ? single_operand(values, kind) : two(false);
    }
  }
  return inputs;
}

TEST_CASE("HMMA adds as the tensor cores of each generation, to the bit") {
  for (const Form& form : kForms) {
    for (const TensorArithmetic& arithmetic : kArithmetics) {
      for (const unsigned warp_size : {32U, 64U}) {
        const std::uint64_t seed = 0x4a + 10 * arithmetic.terms + warp_size;
        CAPTURE(form.mnemonic, arithmetic.terms, arithmetic.fraction_bits, warp_size, seed);
        LaneValues values(seed);
        const LaneInputs inputs = operands(values, form);
        const LaneOutputs outputs = run_lanes(form.line(), inputs, form.results(), warp_size, arithmetic);
        const std::vector<Row> expected = expected_of(form, arithmetic, inputs);
        for (unsigned i = 0; i < form.results(); ++i) {
          CAPTURE(i);
          CHECK(first_difference(outputs.registers[i], expected[i], inputs) == "");
        }
      }
    }
  }
}

TEST_CASE("HMMA of small whole numbers is the product of matrices") {
  // Exact on every tensor core: sums stay below 2^11. Row r of A and column c of B hold (r + k) % 5 and (c *
  // k) % 3.
  constexpr U32 kDigits[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400};  // 0 to 4 as halves
  LaneInputs inputs;
  inputs.registers.assign(12, Row(64, 0));
  inputs.predicates.assign(64, 0);
  for (unsigned t = 0; t < 64; ++t) {
    for (unsigned i = 0; i < 8; ++i) {
      const Place at = place_in_a(t % 32, i, 16);
      inputs.registers[i / 2][t] |= kDigits[(at.row + at.column) % 5] << (16 * (i & 1));
    }
    for (unsigned i = 0; i < 4; ++i) {
      const Place at = place_in_b(t % 32, i);
      inputs.registers[4 + i / 2][t] |= kDigits[at.row * at.column % 3] << (16 * (i & 1));
      inputs.registers[8 + i][t] = reference::integer_to_float(t, false);
    }
  }
  const LaneOutputs outputs = run_lanes(kForms[0].line(), inputs, 4, 32);
  for (unsigned t = 0; t < 64; ++t) {
    for (unsigned i = 0; i < 4; ++i) {
      const Place at = place_in_c(t % 32, i);
      unsigned sum = t;
      for (unsigned k = 0; k < 16; ++k) sum += (at.row + k) % 5 * (k * at.column % 3);
      CAPTURE(t, i);
      CHECK(outputs.registers[i][t] == reference::integer_to_float(sum, false));
    }
  }
}

/// D of one element: A's first row times B's first column, as many products as given, and C.
U32 sum_of(const std::vector<std::pair<U32, U32>>& products, U32 c, const TensorArithmetic& arithmetic) {
  U32 a[4 * kLanes] = {};
  U32 b[2 * kLanes] = {};
  U32 sums[4 * kLanes] = {};
  sums[0] = c;
  for (unsigned k = 0; k < products.size(); ++k) {
    const unsigned lane = k % 8 / 2;
    a[(k / 8 * 2) * kLanes + lane] |= products[k].first << (16 * (k & 1));
    b[(k / 8) * kLanes + lane] |= products[k].second << (16 * (k & 1));
  }
  multiply({a, b, sums, sums, kLanes, 16, {}}, arithmetic);
  return sums[0];
}

TEST_CASE("tensor cores cut what lies too far below the greatest term") {
  constexpr U32 kOne = 0x3c00;
  constexpr U32 kTiny = 0x0c00;      // 2^-12
  constexpr U32 kHalfTiny = 0x0800;  // 2^-13
  constexpr TensorArithmetic volta = {4, 23};
  constexpr TensorArithmetic ampere = {8, 24};
  constexpr TensorArithmetic hopper = {16, 25};
  // 1 + 2^-24 + 2^-24: nothing, unless a bit behind the 23 is kept.
  const std::vector<std::pair<U32, U32>> two = {{kOne, kOne}, {kTiny, kTiny}, {kTiny, kTiny}};
  CHECK(sum_of(two, 0, volta) == 0x3f800000);
  CHECK(sum_of(two, 0, ampere) == 0x3f800001);
  CHECK(sum_of(two, 0, hopper) == 0x3f800001);
  // 1 + 4 x 2^-25 takes two of them.
  const std::vector<std::pair<U32, U32>> four = {
      {kOne, kOne}, {kTiny, kHalfTiny}, {kTiny, kHalfTiny}, {kTiny, kHalfTiny}, {kTiny, kHalfTiny}};
  CHECK(sum_of(four, 0, volta) == 0x3f800000);
  CHECK(sum_of(four, 0, ampere) == 0x3f800000);
  CHECK(sum_of(four, 0, hopper) == 0x3f800001);
  // Nothing is rounded up: 1 + 3 x 2^-25 is 1.
  CHECK(sum_of({{kOne, kOne}, {kTiny, kHalfTiny}, {kTiny, kHalfTiny}, {kTiny, kHalfTiny}}, 0, hopper) ==
        0x3f800000);
  // The ninth product is another step of Ampere's: 1 is gone by then, and 2^-25 of C is kept.
  std::vector<std::pair<U32, U32>> nine(9, {0, 0});
  nine[0] = {kOne, kOne};
  nine[8] = {kOne | 0x8000, kOne};
  constexpr U32 kSmall = 0x33000000;  // 2^-25
  CHECK(sum_of(nine, kSmall, ampere) == 0);
  CHECK(sum_of(nine, kSmall, hopper) == kSmall);
}

TEST_CASE("HMMA overflows to infinity and makes one NaN") {
  constexpr TensorArithmetic hopper = {16, 25};
  constexpr U32 kMost = 0x7bff;  // 65504
  constexpr U32 kInfinity = 0x7c00;
  constexpr U32 kMinusOne = 0xbc00;
  CHECK(sum_of({{kMost, kMost}}, 0x7f7fffff, hopper) == 0x7f7fffff);  // 65504^2 is far below the last place
  CHECK(sum_of({}, 0x7f800000, hopper) == 0x7f800000);
  CHECK(sum_of({{kInfinity, kMinusOne}}, 0x7f7fffff, hopper) == 0xff800000);
  CHECK(sum_of({{kInfinity, kMinusOne}}, 0x7f800000, hopper) == 0x7fffffff);
  CHECK(sum_of({{kInfinity, 0}}, 0, hopper) == 0x7fffffff);
  CHECK(sum_of({{0xfe01, kMinusOne}}, 0, hopper) == 0x7fffffff);
  CHECK(sum_of({}, 0x80000000, hopper) == 0);  // no negative zero
}

/// A kernel with the given lines, and one warp, or less, of it.
std::string fault_of_lines(const std::string& lines, unsigned threads) {
  GlobalMemory memory;
  KernelRun run;
  run.text = ".kernel k\n.shared tile 512\n" + lines + "EXIT\n";
  run.block = {threads, 1, 1};
  return fault_of(run, memory);
}

TEST_CASE("HMMA needs all lanes of its warp, or none") {
  const std::string zero = "MOV R0, RZ\nMOV R1, RZ\nMOV R4, RZ\n";
  CHECK(fault_of_lines("HMMA.1688.F32 R8, RZ, RZ, RZ\n", 32) == "");
  CHECK(fault_of_lines("HMMA.1688.F32 R8, RZ, RZ, RZ\n", 20)
            .find("needs all 32 lanes of the warp; lanes 0xfff00000 do not take part") != std::string::npos);
  const std::string guard =
      "S2R R0, SR_LANEID\nISETP.LT.AND P0, PT, R0, {}, PT\n@P0 HMMA.1688.F16 R8, RZ, RZ, RZ\n";
  CHECK(fault_of_lines(fmt::format(fmt::runtime(guard), 31), 32).find("lanes 0x80000000 do not") !=
        std::string::npos);
  CHECK(fault_of_lines(fmt::format(fmt::runtime(guard), 0), 32) == "");
}

TEST_CASE("matrix instructions are refused for warps of less than 32 lanes, each in its line") {
  GlobalMemory memory;
  KernelRun run;
  run.warp_size = 16;
  run.text = ".kernel k\n.shared tile 512\nHMMA.1688.F32 R8, RZ, RZ, RZ\nLDSM.16.M88 R0, [RZ]\nEXIT\n";
  try {
    make_kernel(run, memory);
    FAIL("taken");
  } catch (const InputError& error) {
    REQUIRE(error.list().size() == 2);
    CHECK(to_text(error.list()[0]) ==
          "test.sass:3: error: HMMA.1688.F32 needs warps of 32 threads, not of 16\n");
    CHECK(to_text(error.list()[1]) ==
          "test.sass:4: error: LDSM.16.M88 needs warps of 32 threads, not of 16\n");
  }
}

}  // namespace
}  // namespace heddle::exec
