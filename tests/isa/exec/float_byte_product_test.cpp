// QMMA: products of 8-bit floats, to the bit.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_values.h"
#include "tests/support/tensor_reference.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;
using U32 = std::uint32_t;

constexpr unsigned kThreads = 640;
constexpr unsigned kLanes = 32;

/// One of the instructions. A is in R0, B in R4, C in R8; D goes to R16.
struct Form {
  unsigned depth;
  bool has_wide_sums;
  bool a_is_e4m3;
  bool b_is_e4m3;

  [[nodiscard]] std::string line() const {
    return fmt::format("QMMA.168{}.{}.{}.{} R16, R0.ROW, R4.COL, R8", depth, has_wide_sums ? "F32" : "F16",
                       a_is_e4m3 ? "E4M3" : "E5M2", b_is_e4m3 ? "E4M3" : "E5M2");
  }
};

U32 byte_of(const LaneInputs& inputs, unsigned first, std::size_t thread, unsigned i) {
  return inputs.registers[first + i / 4][thread] >> (8 * (i % 4)) & 0xff;
}

/// PTX ISA, fragments of mma.m16n8k16 and k32 of 8-bit types: lane 4 g + t has of A four neighbours from column 4 t on, of
/// row g, then of row g + 8, then both 16 columns on; of B four of column g from row 4 t on, then 16 rows on.
std::vector<U32> row_of_a(const LaneInputs& inputs, std::size_t first, unsigned row, unsigned depth) {
  std::vector<U32> elements;
  for (unsigned k = 0; k < depth; ++k) {
    const unsigned word = row / 8 + k / 16 * 2;
    elements.push_back(byte_of(inputs, 0, first + row % 8 * 4 + k % 16 / 4, word * 4 + k % 4));
  }
  return elements;
}

std::vector<U32> column_of_b(const LaneInputs& inputs, std::size_t first, unsigned column, unsigned depth) {
  std::vector<U32> elements;
  for (unsigned k = 0; k < depth; ++k)
    elements.push_back(byte_of(inputs, 4, first + column * 4 + k % 16 / 4, k / 16 * 4 + k % 4));
  return elements;
}

std::vector<Row> expected_of(const Form& form, const TensorArithmetic& arithmetic, const LaneInputs& inputs) {
  const TensorNumbers numbers = {.has_wide_sums = form.has_wide_sums,
                                 .has_bytes = true,
                                 .a_is_e4m3 = form.a_is_e4m3,
                                 .b_is_e4m3 = form.b_is_e4m3};
  const TensorArithmetic used = {2 * arithmetic.terms, arithmetic.fp8_fraction_bits};
  std::vector<Row> expected(form.has_wide_sums ? 4 : 2, Row(inputs.threads()));
  for (std::size_t t = 0; t < inputs.threads(); ++t) {
    const std::size_t lane = t % kLanes;
    for (unsigned i = 0; i < 4; ++i) {
      const auto row = static_cast<unsigned>(lane / 4 + 8 * (i / 2));
      const auto column = static_cast<unsigned>(lane % 4 * 2 + i % 2);
      const U32 c = form.has_wide_sums ? inputs.registers[8 + i][t]
                                       : inputs.registers[8 + i / 2][t] >> (16 * (i % 2)) & 0xffff;
      const U32 sum = tensor_element(numbers, used, row_of_a(inputs, t - lane, row, form.depth),
                                     column_of_b(inputs, t - lane, column, form.depth), c);
      if (form.has_wide_sums) expected[i][t] = sum;
      if (!form.has_wide_sums) expected[i / 2][t] |= sum << (16 * (i % 2));
    }
  }
  return expected;
}

/// Warps whose bytes are finite, near one, or anything.
LaneInputs operands(LaneValues& values, const Form& form) {
  LaneInputs inputs;
  inputs.registers.assign(12, Row(kThreads));
  inputs.predicates.assign(kThreads, 0);
  for (std::size_t t = 0; t < kThreads; ++t) {
    const auto kind = static_cast<unsigned>(t / kLanes % 3);
    for (unsigned i = 0; i < 8; ++i) {
      U32 word = values.any_bits();
      if (kind == 0) word &= 0xbbbbbbbbU;                 // a bit of each exponent is missing: finite
      if (kind == 1) word = (word & 0x87878787U) | 0x38383838U;  // one, or so, as E4M3
      inputs.registers[i][t] = word;
    }
    for (unsigned i = 8; i < 12; ++i) {
      const auto half = [&] { return narrow_operand(values, false, kind); };
      inputs.registers[i][t] = form.has_wide_sums ? single_operand(values, kind) : half() << 16 | half();
    }
  }
  return inputs;
}

TEST_CASE("QMMA adds as the tensor cores of Ada and Blackwell, to the bit") {
  for (const TensorArithmetic& arithmetic : {TensorArithmetic{8, 24, 13}, TensorArithmetic{16, 25, 25}, TensorArithmetic{8, 24, 20}}) {
    for (unsigned i = 0; i < 16; ++i) {
      const Form form = {i % 2 == 0 ? 16U : 32U, (i & 2) != 0, (i & 4) != 0, (i & 8) != 0};
      const std::uint64_t seed = 0x80 + i + arithmetic.terms + arithmetic.fp8_fraction_bits;
      CAPTURE(form.line(), arithmetic.terms, seed);
      LaneValues values(seed);
      const LaneInputs inputs = operands(values, form);
      const std::vector<Row> expected = expected_of(form, arithmetic, inputs);
      const LaneOutputs outputs =
          run_lanes(form.line(), inputs, static_cast<unsigned>(expected.size()), kLanes, arithmetic);
      for (std::size_t at = 0; at < expected.size(); ++at) {
        CAPTURE(at);
        CHECK(first_difference(outputs.registers[at], expected[at], inputs) == "");
      }
    }
  }
}

TEST_CASE("sums of 8-bit floats keep 13 bits of their fractions") {
  // 1 + 2^-13 is there, 1 + 2^-14 is not: C has 1, A and B one number each, E5M2.
  const Form form = {16, true, false, false};
  LaneInputs inputs;
  inputs.registers.assign(12, Row(64, 0));
  inputs.predicates.assign(64, 0);
  const auto set = [&](U32 a, U32 b) {
    inputs.registers[0][0] = a;
    inputs.registers[4][0] = b;
    inputs.registers[8][0] = 0x3f800000;
    return run_lanes(form.line(), inputs, 4, kLanes, {8, 24, 13}).registers[0][0];
  };
  CHECK(set(0x24, 0x20) == 0x3f800000 + (1U << 10));  // 2^-6 times 2^-7
  CHECK(set(0x20, 0x20) == 0x3f800000);               // 2^-7 times 2^-7
}

TEST_CASE("a GPU without products of 8-bit floats refuses them") {
  const LaneInputs inputs = {std::vector<Row>(12, Row(64, 0)), Row(64, 0), {}};
  std::string refused;
  try {
    run_lanes(Form{32, true, true, true}.line(), inputs, 4, kLanes, {8, 24, 0});
  } catch (const std::exception& error) {
    refused = error.what();
  }
  CHECK(refused.find("the GPU has no products of 8-bit floats") != std::string::npos);
}

}  // namespace
}  // namespace heddle::exec
