// Halves that stand for both, comparisons of halves, wide comparisons, predicates as bits.
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "tests/support/catch.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_reference.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;
using U32 = std::uint32_t;

constexpr std::size_t kThreads = 10'240;

U32 low_twice(U32 word) { return (word & 0xffff) << 16 | (word & 0xffff); }
U32 high_twice(U32 word) { return (word >> 16) << 16 | word >> 16; }
U32 minus(U32 word) { return word ^ 0x80008000; }

TEST_CASE("a half stands for both where .H0_H0 or .H1_H1 says so, its sign handled") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  LaneValues values(0x4a1f + warp_size);
  LaneInputs inputs = values.inputs(3, kThreads);
  inputs.constants = {0x3c004000};
  const auto format = reference::kHalfFormat;
  const std::string constant = constant_at(0);
  const std::string body =
      "HADD2 R16, R0.H0_H0, R1\nHMUL2 R17, -R0.H1_H1, R1.H0_H0\nHFMA2 R18, R0, -|R1|.H1_H1, R2.H0_H0\n"
      "HADD2 R19, R0, -" +
      constant + ".H0_H0\nHADD2.F32 R20, -RZ, R0.H1_H1\nHMUL2.BF16_V2 R21, R0.H1_H1, R1\n";
  const LaneOutputs outputs = run_lanes(body, inputs, 6, warp_size);
  std::vector<Row> expected(6, Row(kThreads));
  for (std::size_t t = 0; t < kThreads; ++t) {
    const U32 a = inputs.registers[0][t];
    const U32 b = inputs.registers[1][t];
    const U32 c = inputs.registers[2][t];
    expected[0][t] = reference::hadd2(low_twice(a), b, format);
    expected[1][t] = reference::hmul2(minus(high_twice(a)), low_twice(b), format);
    expected[2][t] = reference::hfma2(a, high_twice(b | 0x80008000), low_twice(c), format);
    expected[3][t] = reference::hadd2(a, 0xc000c000, format);
    expected[4][t] = reference::fadd(0x80000000, reference::float_from_half(a >> 16));
    expected[5][t] = reference::hmul2(high_twice(a), b, reference::kBfloatFormat);
  }
  for (unsigned i = 0; i < expected.size(); ++i) {
    CAPTURE(warp_size, i);
    CHECK(first_difference(outputs.registers[i], expected[i], inputs) == "");
  }
}

enum class Halves { Half, Flushed, Bfloat };

/// How HSETP2 is written for them.
struct HalvesRow {
  Halves halves;
  const char* format;
  const char* flush;
};
constexpr HalvesRow kHalves[] = {
    {Halves::Half, "", ""}, {Halves::Flushed, "", ".FTZ"}, {Halves::Bfloat, ".BF16_V2", ""}};

double half_value(U32 half, Halves halves) {
  if (halves == Halves::Flushed && (half & 0x7c00) == 0) half &= 0x8000;
  const U32 bits = halves == Halves::Bfloat ? half << 16 : reference::float_from_half(half);
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return static_cast<double>(value);
}

struct Comparison {
  const char* token;
  bool (*holds)(double, double);
};

constexpr Comparison kOrdered[] = {
    {"LT", [](double a, double b) { return a < b; }},
    {"EQ", [](double a, double b) { return a == b; }},
    {"LE", [](double a, double b) { return a <= b; }},
    {"GT", [](double a, double b) { return a > b; }},
    {"NE", [](double a, double b) { return a < b || a > b; }},
    {"GE", [](double a, double b) { return a >= b; }},
};

TEST_CASE("HSETP2 compares low halves into one predicate and high ones into the other") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  LaneValues values(0x45e7 + warp_size);
  LaneInputs inputs = values.inputs(2, kThreads);
  for (std::size_t t = 0; t < kThreads; ++t) {
    const U32 other = inputs.registers[0][t];
    if (values.one_in(3))
      inputs.registers[1][t] =
          values.one_in(2) ? other : (other & 0xffff0000) | (inputs.registers[1][t] & 0xffff);
    if (values.one_in(4)) inputs.registers[1][t] ^= values.below(3) << (16 * values.below(2));
  }
  for (const Comparison& comparison : kOrdered) {
    for (const bool unordered : {false, true}) {
      for (const HalvesRow& row : kHalves) {
        const std::string text = fmt::format("HSETP2{}.{}{}{}.XOR P1, P2, R0, R1, P3", row.format,
                                             comparison.token, unordered ? "U" : "", row.flush);
        Row expected(kThreads);
        for (std::size_t t = 0; t < kThreads; ++t) {
          expected[t] = inputs.predicates[t] & ~6U;
          for (unsigned half = 0; half < 2; ++half) {
            const double a = half_value(inputs.registers[0][t] >> (16 * half) & 0xffff, row.halves);
            const double b = half_value(inputs.registers[1][t] >> (16 * half) & 0xffff, row.halves);
            const bool has_nan = std::isnan(a) || std::isnan(b);
            const bool holds = has_nan ? unordered : comparison.holds(a, b);
            expected[t] |= (holds != inputs.predicate(3, t) ? 2U : 0) << half;
          }
        }
        CAPTURE(text, warp_size);
        CHECK(first_difference(run_lanes(text, inputs, 0, warp_size).predicates, expected, inputs) == "");
      }
    }
  }
}

/// HSET2: what it writes where a comparison holds, and 1 as its numbers are.
struct SetRow {
  Halves halves;
  const char* mnemonic;
  const char* flush;
  U32 holds;
  U32 one;
};
constexpr SetRow kSets[] = {
    {Halves::Half, "HSET2.BF", "", 0x3c00, 0x3c00},           {Halves::Flushed, "HSET2.BF", ".FTZ", 0x3c00, 0x3c00},
    {Halves::Half, "HSET2", "", 0xffff, 0x3c00},              {Halves::Flushed, "HSET2", ".FTZ", 0xffff, 0x3c00},
    {Halves::Bfloat, "HSET2.BF16_V2.BF", "", 0x3f80, 0x3f80}, {Halves::Bfloat, "HSET2.BF16_V2", "", 0xffff, 0x3f80},
};

TEST_CASE("HSET2 makes all bits, and HSET2.BF 1, of what HSETP2 says, in both halves") {
  LaneValues values(0x45e2);
  LaneInputs inputs = values.inputs(2, kThreads);
  for (std::size_t t = 0; t < kThreads; ++t) {
    if (values.one_in(3)) inputs.registers[1][t] = inputs.registers[0][t] ^ (values.below(2) << (16 * values.below(2)));
  }
  for (const Comparison& comparison : kOrdered) {
    for (const bool unordered : {false, true}) {
      for (const SetRow& set : kSets) {
        const std::string row =
            fmt::format("{}.{}{}{}", set.mnemonic, comparison.token, unordered ? "U" : "", set.flush);
        const auto holds = [&](U32 one, U32 other) {
          const double a = half_value(one & 0xffff, set.halves);
          const double b = half_value(other & 0xffff, set.halves);
          return std::isnan(a) || std::isnan(b) ? unordered : comparison.holds(a, b);
        };
        Row both(kThreads);
        Row low(kThreads);
        for (std::size_t t = 0; t < kThreads; ++t) {
          const U32 a = inputs.registers[0][t];
          const U32 b = inputs.registers[1][t];
          for (const unsigned half : {0U, 16U}) {
            both[t] |= (holds(a >> half, b >> half) || inputs.predicate(3, t) ? set.holds : 0U) << half;
            low[t] |= (holds(a & 0x7fff, half == 0 ? set.one : 0x4000) ? set.holds : 0U) << half;
          }
        }
        CAPTURE(row);
        const LaneOutputs outputs = run_lanes(
            fmt::format("{0}.OR R16, R0, R1, P3\n{0}.AND R17, |R0|.reuse.H0_H0, 2, 1, PT\n", row), inputs, 2, 32);
        CHECK(first_difference(outputs.registers[0], both, inputs) == "");
        CHECK(first_difference(outputs.registers[1], low, inputs) == "");
      }
    }
  }
}

TEST_CASE("ISETP.EX goes on from the low words to a comparison of 64 bits") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  LaneValues values(0x1e7 + warp_size);
  LaneInputs inputs = values.inputs(4, kThreads);
  for (std::size_t t = 0; t < kThreads; ++t) {
    if (values.one_in(2)) inputs.registers[3][t] = inputs.registers[1][t];
    if (values.one_in(3)) inputs.registers[2][t] = inputs.registers[0][t] + values.below(3) - 1;
  }
  for (const char* compare : {"LT", "EQ", "LE", "GT", "NE", "GE"}) {
    for (const bool is_signed : {true, false}) {
      const std::string text =
          fmt::format("ISETP.{0}.U32.AND P4, PT, R0, R2, PT\nISETP.{0}{1}.AND.EX P1, P2, R1, R3, P3, P4\n",
                      compare, is_signed ? "" : ".U32");
      Row expected(kThreads);
      for (std::size_t t = 0; t < kThreads; ++t) {
        const auto wide = [&](unsigned r) {
          return std::uint64_t{inputs.registers[r + 1][t]} << 32 | inputs.registers[r][t];
        };
        const std::uint64_t a = wide(0);
        const std::uint64_t b = wide(2);
        const bool less = is_signed ? static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) : a < b;
        const std::string_view name = compare;
        const bool holds = name == "LT"   ? less
                           : name == "EQ" ? a == b
                           : name == "LE" ? less || a == b
                           : name == "GT" ? !less && a != b
                           : name == "NE" ? a != b
                                          : !less;
        const bool with = inputs.predicate(3, t);
        expected[t] = (inputs.predicates[t] & ~0x16U) | (holds && with ? 2U : 0) | (!holds && with ? 4U : 0);
      }
      Row found = run_lanes(text, inputs, 0, warp_size).predicates;
      for (U32& predicates : found) predicates &= ~0x10U;
      CAPTURE(text, warp_size);
      CHECK(first_difference(found, expected, inputs) == "");
    }
  }
}

TEST_CASE("P2R and R2P move the predicates of a mask, of the lanes that execute them") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  LaneValues values(0x929 + warp_size);
  const LaneInputs inputs = values.inputs(3, kThreads);
  const LaneOutputs packed =
      run_lanes("P2R R16, PR, RZ, 0x7f\nP2R R17, PR, R0, 0x2a\nMOV R18, R1\n@P3 P2R R18, PR, R0, 0x41\n",
                inputs, 3, warp_size);
  const LaneOutputs unpacked = run_lanes("@P3 R2P PR, R0, 0x5b\n", inputs, 0, warp_size);
  std::vector<Row> expected(4, Row(kThreads));
  for (std::size_t t = 0; t < kThreads; ++t) {
    const U32 a = inputs.registers[0][t];
    const U32 predicates = inputs.predicates[t];
    expected[0][t] = predicates & 0x7f;
    expected[1][t] = (a & ~0x2aU) | (predicates & 0x2a);
    expected[2][t] = inputs.predicate(3, t) ? (a & ~0x41U) | (predicates & 0x41) : inputs.registers[1][t];
    expected[3][t] = inputs.predicate(3, t) ? (predicates & ~0x5bU) | (a & 0x5b) : predicates;
  }
  for (unsigned i = 0; i < 3; ++i) CHECK(first_difference(packed.registers[i], expected[i], inputs) == "");
  CHECK(first_difference(unpacked.predicates, expected[3], inputs) == "");
}

}  // namespace
}  // namespace heddle::exec
