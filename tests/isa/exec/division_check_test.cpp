// FCHK, which says where the short way of dividing floats is not safe.
#include <bit>
#include <cmath>

#include "tests/support/catch.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_reference.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;
using U32 = std::uint32_t;

constexpr std::size_t kThreads = 10'240;

struct Checked {
  float a;
  float b;
  bool is_unsafe;
};

// What an RTX of compute capability 12.0 says (GitHub, cicuvc/nvidia-sass-document, test_fchk.py).
const Checked kMeasured[] = {
    {1, 2, false},
    {2, 1, false},
    {-1, -2, false},
    {1, 0x1p100F, false},
    {0x1p100F, 1, false},
    {NAN, 1, true},
    {1, NAN, true},
    {INFINITY, 1, true},
    {1, INFINITY, true},
    {0, 1, true},
    {-0.0F, 1, true},
    {1, 0, true},
    {0, 0, true},
    {0x1p-149F, 1, true},
    {1, 0x1p-149F, true},
    {0x1p-103F, 1, true},
    {0x1.fffffep-103F, 1, true},
    {0x1p-102F, 1, false},
    {1, 0x1p-126F, true},
    {1, 0x1.fffffep-126F, true},
    {1, 0x1p-125F, false},
    {1, 0x1p125F, true},
    {1, 0x1.8p125F, true},
    {1, 0x1.fffffep124F, false},
    {0x1p127F, 1, true},
    {0x1p126F, 0.5F, true},
    {0x1p126F, 1, false},
    {0x1p126F, 2, false},
    {0x1p-60F, 0x1p65F, true},
    {0x1p-100F, 0x1p25F, true},
    {0x1p-60F, 0x1p64F, false},
    {-0x1p127F, 1, true},
};

TEST_CASE("FCHK says what was measured, whatever the signs") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  for (const char* text : {"FCHK P1, R0, R1", "FCHK P1, -R0, R1", "FCHK P1, |R0|, -|R1|"}) {
    LaneInputs inputs;
    inputs.registers.assign(2, Row(2 * warp_size * 2));
    inputs.predicates.assign(2 * warp_size * 2, 0);
    Row expected(inputs.threads());
    for (std::size_t t = 0; t < inputs.threads(); ++t) {
      const Checked& checked = kMeasured[t % std::size(kMeasured)];
      inputs.registers[0][t] = std::bit_cast<U32>(checked.a);
      inputs.registers[1][t] = std::bit_cast<U32>(checked.b);
      expected[t] = checked.is_unsafe ? 2 : 0;
    }
    CAPTURE(text, warp_size);
    CHECK(first_difference(run_lanes(text, inputs, 0, warp_size).predicates, expected, inputs) == "");
  }
}

/// By powers of two, not by bits.
bool is_unsafe(float a, float b) {
  if (!std::isnormal(a) || !std::isnormal(b)) return true;
  const int of_a = std::ilogb(a);
  const int of_b = std::ilogb(b);
  const float quotient_scale = std::ldexp(1.0F, of_a - of_b < -150 ? -150 : of_a - of_b);
  const bool is_far = quotient_scale <= 0x1p-125F || quotient_scale >= 0x1p127F;
  return std::fabs(a) < 0x1p-102F || std::fabs(b) < 0x1p-125F || std::fabs(b) >= 0x1p125F || is_far;
}

LaneInputs dividends(std::uint64_t seed) {
  LaneValues values(seed);
  LaneInputs inputs = values.inputs(2, kThreads);
  for (std::size_t t = 0; t < kThreads; ++t) {
    for (Row& row : inputs.registers) {
      if (values.one_in(2)) row[t] = values.any_bits();
    }
  }
  return inputs;
}

TEST_CASE("FCHK goes by exponents: of the dividend, the divisor and the quotient") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const std::uint64_t seed = 0xfc4c + warp_size;
  CAPTURE(warp_size, seed);
  const LaneInputs inputs = dividends(seed);
  Row expected(kThreads);
  for (std::size_t t = 0; t < kThreads; ++t) {
    const bool unsafe =
        is_unsafe(std::bit_cast<float>(inputs.registers[0][t]), std::bit_cast<float>(inputs.registers[1][t]));
    expected[t] = (inputs.predicates[t] & ~2U) | (unsafe ? 2U : 0);
  }
  CHECK(first_difference(run_lanes("FCHK P1, R0, R1", inputs, 0, warp_size).predicates, expected, inputs) ==
        "");
}

// As the compiler divides.
constexpr const char* kDivision =
    "MUFU.RCP R2, R1\nFFMA R3, R2, -R1, 1\nFFMA R3, R2, R3, R2\nFCHK P0, R0, R1\nFFMA R2, R0, R3, RZ\n"
    "FFMA R4, R2, -R1, R0\nFFMA R16, R3, R4, R2\nSEL R17, RZ, 0x1, P0\n";

TEST_CASE("where FCHK finds no fault, the short way of dividing gives the rounded quotient") {
  const std::uint64_t seed = 0xd171de;
  CAPTURE(seed);
  LaneInputs inputs = dividends(seed);
  inputs.registers.resize(5, Row(kThreads));
  const LaneOutputs found = run_lanes(kDivision, inputs, 2, 32);
  Row expected = found.registers[0];
  std::size_t short_ways = 0;
  for (std::size_t t = 0; t < kThreads; ++t) {
    if (found.registers[1][t] == 0) continue;
    const float quotient =
        std::bit_cast<float>(inputs.registers[0][t]) / std::bit_cast<float>(inputs.registers[1][t]);
    expected[t] = std::bit_cast<U32>(quotient);
    ++short_ways;
  }
  CHECK(first_difference(found.registers[0], expected, inputs) == "");
  CHECK(short_ways > kThreads / 4);
}

}  // namespace
}  // namespace heddle::exec
