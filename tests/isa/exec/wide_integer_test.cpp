// Integers of 64 bits in one instruction, as compilers have them from compute capability 12.0 on.
#include <fmt/format.h>

#include <functional>

#include "tests/support/catch.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;
using U32 = std::uint32_t;
using U64 = std::uint64_t;
using S64 = std::int64_t;

constexpr std::size_t kThreads = 10'240;
constexpr unsigned kWarp = 32;

U64 join(U32 low, U32 high) { return U64{high} << 32 | low; }

/// Two pairs, R0 and R2: often equal, or alike in one word.
LaneInputs pairs(std::uint64_t seed) {
  LaneValues values(seed);
  LaneInputs inputs = values.inputs(4, kThreads);
  auto& r = inputs.registers;
  for (std::size_t t = 0; t < kThreads; ++t) {
    if (values.one_in(3)) r[2][t] = r[0][t];
    if (values.one_in(3)) r[3][t] = r[1][t];
    if (values.one_in(8)) r[2][t] += values.below(3) - 1;
  }
  return inputs;
}

/// The pair that begins at R16 + first.
void check_pair(const LaneOutputs& outputs, unsigned first, const LaneInputs& inputs,
                const std::function<U64(std::size_t)>& expected) {
  Row low(inputs.threads());
  Row high(inputs.threads());
  for (std::size_t t = 0; t < inputs.threads(); ++t) {
    low[t] = static_cast<U32>(expected(t));
    high[t] = static_cast<U32>(expected(t) >> 32);
  }
  CAPTURE(first);
  CHECK(first_difference(outputs.registers[first], low, inputs) == "");
  CHECK(first_difference(outputs.registers[first + 1], high, inputs) == "");
}

TEST_CASE(
    "IADD.64, MOV.64, SEL.64 and IMNMX.S64 take pairs, constants, uniform pairs and numbers of 64 bits") {
  const LaneInputs inputs = pairs(0x1add64);
  const auto& r = inputs.registers;
  const U64 constant = join(inputs.constants[2], inputs.constants[3]);
  const LaneOutputs outputs = run_lanes(
      "R2UR UR4, R0\nR2UR UR5, R1\n"
      "IADD.64 R16, R0, R2\nIADD.64 R18, R0, -R2\nIADD.64 R20, -R0, R2\nIADD.64 R22, R0, -0x80000000\n"
      "IADD.64 R24, R0, " +
          constant_at(2) +
          "\nIADD.64 R26, RZ, UR4\n"
          "MOV.64 R28, R2\nMOV.64 R30, 0xfedcba9876543210\nMOV.64 R32, RZ\nMOV.64 R34, UR4\n"
          "SEL.64 R36, R0, R2, P1\nSEL.64 R38, R0, -0x1, !P1\n"
          "IMNMX.S64 PT, PT, R40, R0, R2, PT, !PT\nIMNMX.S64 PT, PT, R42, R0, R2, !PT, !PT\n"
          "IMNMX.U64 PT, PT, R44, R0, R2, PT, !PT\nIMNMX.U64 PT, PT, R46, R0, R2, !PT, !PT\n"
          "IMNMX.S64 PT, PT, R48, R0, 0x7fffffff, P2, !PT\n@P3 IADD.64 R0, R0, R2\nMOV.64 R50, R0\n",
      inputs, 36, kWarp);
  const auto a = [&](std::size_t t) { return join(r[0][t], r[1][t]); };
  const auto b = [&](std::size_t t) { return join(r[2][t], r[3][t]); };
  const auto sa = [&](std::size_t t) { return static_cast<S64>(a(t)); };
  const auto sb = [&](std::size_t t) { return static_cast<S64>(b(t)); };
  const auto first = [&](std::size_t t) { return a(t / kWarp * kWarp); };
  check_pair(outputs, 0, inputs, [&](std::size_t t) { return a(t) + b(t); });
  check_pair(outputs, 2, inputs, [&](std::size_t t) { return a(t) - b(t); });
  check_pair(outputs, 4, inputs, [&](std::size_t t) { return b(t) - a(t); });
  check_pair(outputs, 6, inputs, [&](std::size_t t) { return a(t) - 0x80000000; });
  check_pair(outputs, 8, inputs, [&](std::size_t t) { return a(t) + constant; });
  check_pair(outputs, 10, inputs, first);
  check_pair(outputs, 12, inputs, b);
  check_pair(outputs, 14, inputs, [](std::size_t) { return 0xfedcba9876543210; });
  check_pair(outputs, 16, inputs, [](std::size_t) { return 0; });
  check_pair(outputs, 18, inputs, first);
  check_pair(outputs, 20, inputs, [&](std::size_t t) { return inputs.predicate(1, t) ? a(t) : b(t); });
  check_pair(outputs, 22, inputs, [&](std::size_t t) { return inputs.predicate(1, t) ? ~U64{0} : a(t); });
  check_pair(outputs, 24, inputs, [&](std::size_t t) { return sa(t) < sb(t) ? a(t) : b(t); });
  check_pair(outputs, 26, inputs, [&](std::size_t t) { return sa(t) > sb(t) ? a(t) : b(t); });
  check_pair(outputs, 28, inputs, [&](std::size_t t) { return a(t) < b(t) ? a(t) : b(t); });
  check_pair(outputs, 30, inputs, [&](std::size_t t) { return a(t) > b(t) ? a(t) : b(t); });
  check_pair(outputs, 32, inputs, [&](std::size_t t) {
    const bool is_first = (sa(t) < 0x7fffffff) == inputs.predicate(2, t);
    return is_first ? a(t) : 0x7fffffff;
  });
  check_pair(outputs, 34, inputs, [&](std::size_t t) { return inputs.predicate(3, t) ? a(t) + b(t) : a(t); });
}

TEST_CASE("IADD.64 has a carry, and IADD.64.X takes it in") {
  LaneValues values(0xca2264);
  LaneInputs inputs = values.inputs(4, kThreads);
  auto& r = inputs.registers;
  for (std::size_t t = 0; t < kThreads; ++t) {
    if (values.one_in(3)) r[0][t] = r[1][t] = values.one_in(2) ? 0 : ~U32{0};
    if (values.one_in(3)) r[2][t] = r[3][t] = values.one_in(2) ? 0 : ~U32{0};
  }
  const LaneOutputs outputs = run_lanes(
      "IADD.64 RZ, P1, R0, R2\nIADD.64 RZ, P2, R0, -R2\nIADD.64 RZ, P3, -R0, R2\nIADD.64 R16, P4, R0, 0x1\n"
      "IADD.64.X R18, P5, R0, R2, P0\nIADD.64.X R20, P6, R0, ~R2, !P0\n",
      inputs, 6, kWarp);
  __extension__ using Wide = unsigned __int128;
  const auto a = [&](std::size_t t) { return join(r[0][t], r[1][t]); };
  const auto b = [&](std::size_t t) { return join(r[2][t], r[3][t]); };
  const auto plus = [&](std::size_t t) { return Wide{a(t)} + b(t) + (inputs.predicate(0, t) ? 1 : 0); };
  const auto minus = [&](std::size_t t) { return Wide{a(t)} + ~b(t) + (inputs.predicate(0, t) ? 0 : 1); };
  Row expected(kThreads);
  for (std::size_t t = 0; t < kThreads; ++t) {
    expected[t] = inputs.predicates[t] & 1;
    if ((Wide{a(t)} + b(t)) >> 64 != 0) expected[t] |= 2;
    if (a(t) >= b(t)) expected[t] |= 4;
    if (b(t) >= a(t)) expected[t] |= 8;
    if (a(t) == ~U64{0}) expected[t] |= 16;
    if (plus(t) >> 64 != 0) expected[t] |= 32;
    if (minus(t) >> 64 != 0) expected[t] |= 64;
    expected[t] |= inputs.predicates[t] & ~0x7fU;
  }
  CHECK(first_difference(outputs.predicates, expected, inputs) == "");
  check_pair(outputs, 0, inputs, [&](std::size_t t) { return a(t) + 1; });
  check_pair(outputs, 2, inputs, [&](std::size_t t) { return static_cast<U64>(plus(t)); });
  check_pair(outputs, 4, inputs, [&](std::size_t t) { return static_cast<U64>(minus(t)); });
}

struct Comparison {
  const char* token;
  bool (*of_unsigned)(U64, U64);
  bool (*of_signed)(S64, S64);
};

#define COMPARISON(token, sign)                                                         \
  {                                                                                     \
    token, [](U64 a, U64 b) { return a sign b; }, [](S64 a, S64 b) { return a sign b; } \
  }
constexpr Comparison kComparisons[] = {COMPARISON("LT", <), COMPARISON("EQ", ==), COMPARISON("LE", <=),
                                       COMPARISON("GT", >), COMPARISON("NE", !=), COMPARISON("GE", >=)};
#undef COMPARISON

TEST_CASE("ISETP.S64 and .U64 compare pairs") {
  const LaneInputs inputs = pairs(0x15e64);
  const auto& r = inputs.registers;
  for (const Comparison& comparison : kComparisons) {
    for (const bool is_signed : {true, false}) {
      const std::string row = fmt::format("ISETP.{}.{}64", comparison.token, is_signed ? 'S' : 'U');
      const LaneOutputs outputs = run_lanes(
          fmt::format("R2UR UR4, R2\nR2UR UR5, R3\n{0}.AND P1, P2, R0, R2, PT\n{0}.XOR P3, PT, R0, UR4, P3\n"
                      "{0}.AND P4, PT, R0, -0x1, PT\n",
                      row),
          inputs, 0, kWarp);
      const auto holds = [&](U64 a, U64 b) {
        return is_signed ? comparison.of_signed(static_cast<S64>(a), static_cast<S64>(b))
                         : comparison.of_unsigned(a, b);
      };
      Row expected(kThreads);
      for (std::size_t t = 0; t < kThreads; ++t) {
        const U64 a = join(r[0][t], r[1][t]);
        const std::size_t first = t / kWarp * kWarp;
        const bool one = holds(a, join(r[2][t], r[3][t]));
        const bool other = holds(a, join(r[2][first], r[3][first])) != inputs.predicate(3, t);
        expected[t] = (inputs.predicates[t] & ~0x1eU) | (one ? 2U : 4U) | (other ? 8U : 0U);
        if (holds(a, ~U64{0})) expected[t] |= 16U;
      }
      CAPTURE(row);
      CHECK(first_difference(outputs.predicates, expected, inputs) == "");
    }
  }
}

TEST_CASE("the uniform datapath has 64-bit moves, sums, choices and comparisons, too") {
  const LaneInputs inputs = pairs(0x0064);
  const auto& r = inputs.registers;
  const LaneOutputs outputs = run_lanes(
      "R2UR UR4, R0\nR2UR UR5, R1\nR2UR UR6, R2\nR2UR UR7, R3\n"
      "UMOV.64 UR8, 0x3fe62e42fefa39ef\nMOV R16, UR8\nMOV R17, UR9\nUMOV.64 UR8, UR6\nMOV R18, UR8\nMOV R19, UR9\n"
      "UIADD3.64 UR8, UPT, UPT, UR4, -UR6, 0x5\nMOV R20, UR8\nMOV R21, UR9\n"
      "UISETP.LT.S64.AND UP0, UP1, UR4, UR6, UPT\n"
      "USEL.64 UR8, UR4, UR6, UP0\nMOV R22, UR8\nMOV R23, UR9\nUSEL.64 UR8, UR4, -0x2, UP1\nMOV R24, UR8\nMOV R25, UR9\n",
      inputs, 10, kWarp);
  const auto a = [&](std::size_t t) { return join(r[0][t / kWarp * kWarp], r[1][t / kWarp * kWarp]); };
  const auto b = [&](std::size_t t) { return join(r[2][t / kWarp * kWarp], r[3][t / kWarp * kWarp]); };
  const auto is_less = [&](std::size_t t) { return static_cast<S64>(a(t)) < static_cast<S64>(b(t)); };
  check_pair(outputs, 0, inputs, [](std::size_t) { return 0x3fe62e42fefa39ef; });
  check_pair(outputs, 2, inputs, b);
  check_pair(outputs, 4, inputs, [&](std::size_t t) { return a(t) - b(t) + 5; });
  check_pair(outputs, 6, inputs, [&](std::size_t t) { return is_less(t) ? a(t) : b(t); });
  check_pair(outputs, 8, inputs, [&](std::size_t t) { return is_less(t) ? ~U64{1} : a(t); });
}

}  // namespace
}  // namespace heddle::exec
