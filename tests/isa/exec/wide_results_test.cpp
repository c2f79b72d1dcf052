// Instructions whose results or operands take more than one register: IMAD.WIDE and LDC.
#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_reference.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

constexpr std::size_t kThreads = 10'240;

std::uint64_t join(std::uint32_t low, std::uint32_t high) { return std::uint64_t{high} << 32 | low; }

/// Checks a result pair, R16 and R17 or a later one, against what a function of the thread says.
template <typename Expected>
void check_pair(const LaneOutputs& outputs, unsigned first, const LaneInputs& inputs, Expected expected) {
  Row low(inputs.threads());
  Row high(inputs.threads());
  for (std::size_t t = 0; t < inputs.threads(); ++t) {
    const std::uint64_t value = expected(t);
    low[t] = static_cast<std::uint32_t>(value);
    high[t] = static_cast<std::uint32_t>(value >> 32);
  }
  CAPTURE(first);
  CHECK(first_difference(outputs.registers[first], low, inputs) == "");
  CHECK(first_difference(outputs.registers[first + 1], high, inputs) == "");
}

TEST_CASE("IMAD.WIDE adds a 64-bit operand to the whole product") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const std::uint64_t seed = 0x31de + warp_size;
  CAPTURE(warp_size, seed);
  LaneValues values(seed);
  const LaneInputs inputs = values.inputs(4, kThreads);
  const std::string body =
      "IMAD.WIDE R16, R0, R1, R2\nIMAD.WIDE.U32 R18, R0, R1, R2\nIMAD.WIDE.S32 R20, R0, R1, RZ\n"
      "IMAD.WIDE.U32 R22, R0, 0x87654321, R2\nIMAD.WIDE R24, R0, " +
      constant_at(1) + ", " + constant_at(2) + "\nIMAD.WIDE R26, RZ, R1, R2\n";
  const LaneOutputs outputs = run_lanes(body, inputs, 12, warp_size);
  const auto& r = inputs.registers;
  const auto pair = [&](std::size_t t) { return join(r[2][t], r[3][t]); };
  using reference::imad_wide;
  check_pair(outputs, 0, inputs, [&](std::size_t t) { return imad_wide(r[0][t], r[1][t], pair(t), true); });
  check_pair(outputs, 2, inputs, [&](std::size_t t) { return imad_wide(r[0][t], r[1][t], pair(t), false); });
  check_pair(outputs, 4, inputs, [&](std::size_t t) { return imad_wide(r[0][t], r[1][t], 0, true); });
  check_pair(outputs, 6, inputs,
             [&](std::size_t t) { return imad_wide(r[0][t], 0x87654321, pair(t), false); });
  const auto& c = inputs.constants;
  check_pair(outputs, 8, inputs,
             [&](std::size_t t) { return imad_wide(r[0][t], c[1], join(c[2], c[3]), true); });
  check_pair(outputs, 10, inputs, pair);
}

/// "MOV R16, R0; MOV R17, R1; IMAD.WIDE R16, ..." for the pair that begins at `first`.
std::string over_itself(unsigned first, const std::string& guard, const char* operands) {
  const std::string low = result_register(first);
  const std::string high = result_register(first + 1);
  return fmt::format("MOV {0}, R0\nMOV {1}, R1\n{2} IMAD.WIDE {0}, ", low, high, guard) +
         fmt::format(fmt::runtime(operands), fmt::arg("low", low), fmt::arg("high", high)) + "\n";
}

TEST_CASE("the pair that IMAD.WIDE writes may overlap its sources in any way") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const std::string guard = GENERATE("", "@P3", "@!P6");
  const std::uint64_t seed = 0x0e41 + warp_size;
  CAPTURE(warp_size, seed, guard);
  LaneValues values(seed);
  const LaneInputs inputs = values.inputs(4, kThreads);
  const std::string body =
      over_itself(0, guard, "{low}, {high}, {low}") + over_itself(2, guard, "{high}, {low}, {low}") +
      over_itself(4, guard, "{high}, {high}, R2") + over_itself(6, guard, "{low}, R3, R2") +
      over_itself(8, guard, "R2, R3, {low}") + over_itself(10, guard, "R2, {high}, RZ");
  const LaneOutputs outputs = run_lanes(body, inputs, 12, warp_size);
  const auto check = [&](unsigned first, auto value) {
    check_pair(outputs, first, inputs, [&](std::size_t t) {
      const std::uint32_t a = inputs.registers[0][t];
      const std::uint32_t b = inputs.registers[1][t];
      const bool off =
          (guard == "@P3" && !inputs.predicate(3, t)) || (guard == "@!P6" && inputs.predicate(6, t));
      return off ? join(a, b) : value(a, b, inputs.registers[2][t], inputs.registers[3][t]);
    });
  };
  using U32 = std::uint32_t;
  using reference::imad_wide;
  check(0, [](U32 a, U32 b, U32, U32) { return imad_wide(a, b, join(a, b), true); });
  check(2, [](U32 a, U32 b, U32, U32) { return imad_wide(b, a, join(a, b), true); });
  check(4, [](U32, U32 b, U32 c, U32 d) { return imad_wide(b, b, join(c, d), true); });
  check(6, [](U32 a, U32, U32 c, U32 d) { return imad_wide(a, d, join(c, d), true); });
  check(8, [](U32 a, U32 b, U32 c, U32 d) { return imad_wide(c, d, join(a, b), true); });
  check(10, [](U32, U32 b, U32 c, U32) { return imad_wide(c, b, 0, true); });
}

TEST_CASE("LDC loads one, two or four words, and only where its guard holds") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const std::uint64_t seed = 0x1dc + warp_size;
  CAPTURE(warp_size, seed);
  LaneValues values(seed);
  const LaneInputs inputs = values.inputs(1, kThreads);
  std::string body;
  for (unsigned i = 0; i < 24; ++i) body += fmt::format("MOV {}, R0\n", result_register(i));
  body += fmt::format("LDC R16, {}\nLDC.64 R18, {}\nLDC.128 R20, {}\n", constant_at(3), constant_at(6),
                      constant_at(8));
  body += fmt::format("@P0 LDC R28, {}\n@!P0 LDC.64 R30, {}\n@P1 LDC.128 R32, {}\n", constant_at(1),
                      constant_at(2), constant_at(4));
  const LaneOutputs outputs = run_lanes(body, inputs, 24, warp_size);
  // Which constant stands in each result, and under which predicate; the others keep R0.
  const int constants[24] = {3, -1, 6, 7, 8, 9, 10, 11, -1, -1, -1, -1,
                             1, -1, 2, 3, 4, 5, 6,  7,  -1, -1, -1, -1};
  for (unsigned i = 0; i < 24; ++i) {
    Row expected = inputs.registers[0];
    for (std::size_t t = 0; t < kThreads; ++t) {
      const bool on = i < 12 || (i < 14   ? inputs.predicate(0, t)
                                 : i < 16 ? !inputs.predicate(0, t)
                                          : inputs.predicate(1, t));
      if (constants[i] >= 0 && on) expected[t] = inputs.constants[static_cast<unsigned>(constants[i])];
    }
    CAPTURE(i);
    CHECK(first_difference(outputs.registers[i], expected, inputs) == "");
  }
}

TEST_CASE(
    "the launch's sizes lie in the constant bank, and what lies between them and the parameters reads as "
    "zero") {
  LaneValues values(3);
  LaneInputs inputs = values.inputs(1, 256);
  const LaneOutputs outputs = run_lanes(
      "MOV R16, c[blockDim.x]\nMOV R17, c[blockDim.y]\nMOV R18, c[blockDim.z]\nMOV R19, c[gridDim.x]\n"
      "MOV R20, c[gridDim.y]\nLDC R21, c[gridDim.z]\nMOV R22, c[0x0][0x100]\nMOV R23, c[0x0][0x15c]\n",
      inputs, 8, 32);
  const std::uint32_t expected[8] = {64, 1, 1, 4, 1, 1, 0, 0};
  for (unsigned i = 0; i < 8; ++i) CHECK(outputs.registers[i] == Row(256, expected[i]));
}

}  // namespace
}  // namespace heddle::exec
