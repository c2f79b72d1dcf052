// Double precision, and conversions from and to values of 64 bits.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <functional>
#include <initializer_list>

#include "tests/support/catch.h"
#include "tests/support/lane_harness.h"
#include "tests/support/lane_reference.h"
#include "tests/support/lane_values.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;
using reference::Direction;
using reference::Rounding;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

constexpr std::size_t kThreads = 10'240;
constexpr U64 kNan = 0xfff8000000000000;
constexpr U64 kSign = 0x8000000000000000;

constexpr U64 kSpecial[] = {
    0x0000000000000000, 0x0000000000000001, 0x000fffffffffffff,  // zero, denormals
    0x0010000000000000, 0x7fefffffffffffff, 0x7ff0000000000000,  // the least and greatest normal, infinity
    0x7ff8000000000000, 0x7ff0000000000001, 0x7fffffffffffffff,  // NaNs
    0x3ff0000000000000, 0x3ff0000000000001, 0x3fefffffffffffff,  // 1 and its neighbours
    0x3fe0000000000000, 0x3fdfffffffffffff, 0x4330000000000001,  // about 0.5, 2^52
    0x41dfffffffc00000, 0x41e0000000000000, 0x41efffffffe00000,  // about 2^31, 2^32
    0x43dfffffffffffff, 0x43e0000000000000, 0x43f0000000000000,  // about 2^63, 2^64
    0x47efffffe0000000, 0x47effffff0000000, 0x47f0000000000000,  // the greatest float, and where it ends
    0x3810000000000000, 0x380fffffffffffff, 0x36a0000000000000,  // the least floats
    0x3690000000000000, 0x3690000000000001, 0x3680000000000000,
};

U64 any_double(LaneValues& values) {
  const U64 bits = U64{values.any_bits()} << 32 | values.any_bits();
  switch (values.below(6)) {
    case 0:
      return kSpecial[values.below(std::size(kSpecial))] ^ (bits & kSign);
    case 1:  // integers and halves
      return std::bit_cast<U64>(static_cast<double>(values.below(4096)) / 2 - 1024);
    case 2:  // any integer of up to 64 bits, and a little beside it
      return std::bit_cast<U64>(std::ldexp(static_cast<double>(bits), -static_cast<int>(values.below(66)))) ^
             (bits << 13 & kSign);
    case 3:  // near floats
      return std::bit_cast<U64>(static_cast<double>(std::bit_cast<float>(values.any_bits()))) + values.below(3) - 1;
    case 4:
      return (0x3ff0000000000000 + ((U64{values.below(64)} - 32) << 52)) ^ (bits & 0x800fffffffffffff);
    default:
      return bits;
  }
}

/// R0:R1, R2:R3 and R4:R5 hold doubles, sometimes near one another.
LaneInputs double_inputs(LaneValues& values) {
  LaneInputs inputs = values.inputs(7, kThreads);
  for (std::size_t t = 0; t < kThreads; ++t) {
    U64 value = 0;
    for (unsigned pair = 0; pair < 3; ++pair) {
      const bool follows = pair > 0 && values.one_in(4);
      value = follows ? (value + values.below(3) - 1) ^ (values.one_in(2) ? kSign : 0) : any_double(values);
      inputs.registers[2 * pair][t] = static_cast<U32>(value);
      inputs.registers[2 * pair + 1][t] = static_cast<U32>(value >> 32);
    }
  }
  return inputs;
}

U64 pair_of(const LaneInputs& inputs, unsigned first, std::size_t t) {
  return U64{inputs.registers[first + 1][t]} << 32 | inputs.registers[first][t];
}

double number(U64 bits) { return std::bit_cast<double>(bits); }

/// The bits of a result. If operands are NaN, the last of them comes out, made quiet; an invalid operation gives kNan.
U64 result(double value, std::initializer_list<U64> operands = {}) {
  if (!std::isnan(value)) return std::bit_cast<U64>(value);
  U64 nan = kNan;
  for (const U64 operand : operands) {
    if (std::isnan(number(operand))) nan = operand | 0x0008000000000000;
  }
  return nan;
}

// NaN keeps its sign.
U64 negated(U64 a) { return std::isnan(number(a)) ? a : a ^ kSign; }
U64 positive(U64 a) { return std::isnan(number(a)) ? a : a & ~kSign; }

// Sums and products as fused ones, which the instructions themselves are not computed by.
U64 dadd(U64 a, U64 b) { return result(std::fma(number(a), 1.0, number(b)), {a, b}); }
U64 dmul(U64 a, U64 b) {
  const double zero = std::signbit(number(a)) == std::signbit(number(b)) ? 0.0 : -0.0;
  return result(std::fma(number(a), number(b), zero), {a, b});
}
U64 dfma(U64 a, U64 b, U64 c) { return result(std::fma(number(a), number(b), number(c)), {a, b, c}); }

/// An instruction with a result of 32 or 64 bits of R0:R1, R2:R3 and R4:R5.
struct Operation {
  std::string text;  ///< The instruction; "{}" is the result.
  bool is_wide;
  std::function<U64(U64, U64, U64)> reference;
};

void check_operations(const std::vector<Operation>& operations, unsigned warp_size, std::uint64_t seed) {
  CAPTURE(warp_size, seed);
  LaneValues values(seed);
  const LaneInputs inputs = double_inputs(values);
  const std::string guard = GENERATE("", "@P2 ");
  std::string body;
  unsigned next = 0;
  for (const Operation& operation : operations) {
    for (unsigned i = 0; i < 2; ++i) body += fmt::format("MOV {}, R6\n", result_register(next + i));
    body += guard + fmt::format(fmt::runtime(operation.text), result_register(next)) + "\n";
    next += 2;
  }
  const LaneOutputs outputs = run_lanes(body, inputs, next, warp_size);
  for (unsigned i = 0; i < operations.size(); ++i) {
    Row low = inputs.registers[6];
    Row high = inputs.registers[6];
    for (std::size_t t = 0; t < kThreads; ++t) {
      if (!guard.empty() && !inputs.predicate(2, t)) continue;
      const U64 expected =
          operations[i].reference(pair_of(inputs, 0, t), pair_of(inputs, 2, t), pair_of(inputs, 4, t));
      low[t] = static_cast<U32>(expected);
      if (operations[i].is_wide) high[t] = static_cast<U32>(expected >> 32);
    }
    CAPTURE(operations[i].text);
    CHECK(first_difference(outputs.registers[2 * i], low, inputs) == "");
    CHECK(first_difference(outputs.registers[2 * i + 1], high, inputs) == "");
  }
}

/// By the host's own arithmetic in a direction.
template <typename Function>
U64 in_direction(int direction, Function function, std::initializer_list<U64> operands) {
  std::fesetround(direction);
  volatile double value = function();
  std::fesetround(FE_TONEAREST);
  return result(value, operands);
}

TEST_CASE("doubles are added, multiplied and fused in every direction") {
  const std::pair<const char*, int> directions[] = {
      {"RM", FE_DOWNWARD}, {"RP", FE_UPWARD}, {"RZ", FE_TOWARDZERO}};
  std::vector<Operation> operations;
  for (const auto& [token, direction] : directions) {
    const int towards = direction;
    operations.push_back({fmt::format("DADD.{} {{}}, R0, R2", token), true, [towards](U64 a, U64 b, U64) {
                            volatile double x = number(a);
                            volatile double y = number(b);
                            return in_direction(towards, [&] { return x + y; }, {a, b});
                          }});
    operations.push_back({fmt::format("DMUL.{} {{}}, R0, R2", token), true, [towards](U64 a, U64 b, U64) {
                            volatile double x = number(a);
                            volatile double y = number(b);
                            return in_direction(towards, [&] { return x * y; }, {a, b});
                          }});
    operations.push_back({fmt::format("DFMA.{} {{}}, R0, R2, R4", token), true, [towards](U64 a, U64 b, U64 c) {
                            volatile double x = number(a);
                            volatile double y = number(b);
                            volatile double z = number(c);
                            return in_direction(towards, [&] { return std::fma(x, y, z); }, {a, b, c});
                          }});
  }
  check_operations(operations, GENERATE(16U, 32U, 64U), 0xd14);
}

TEST_CASE("sums of doubles in a direction lie beside those to nearest, by the error of these") {
  // 1 + 2^-60: the nearest is 1. 1 - 2^-60 likewise, and -1 - 2^-60.
  const auto sum = [](const char* token, double a, double b) {
    LaneInputs inputs;
    inputs.registers.assign(4, Row(64));
    inputs.predicates.assign(64, 0);
    for (unsigned t = 0; t < 64; ++t) {
      inputs.registers[0][t] = static_cast<U32>(std::bit_cast<U64>(a));
      inputs.registers[1][t] = static_cast<U32>(std::bit_cast<U64>(a) >> 32);
      inputs.registers[2][t] = static_cast<U32>(std::bit_cast<U64>(b));
      inputs.registers[3][t] = static_cast<U32>(std::bit_cast<U64>(b) >> 32);
    }
    const LaneOutputs outputs = run_lanes(fmt::format("DADD{} R16, R0, R2", token), inputs, 2, 32);
    return number(U64{outputs.registers[1][5]} << 32 | outputs.registers[0][5]);
  };
  const double little = std::ldexp(1.0, -60);
  const double above = std::nextafter(1.0, 2.0);
  const double below = std::nextafter(1.0, 0.0);
  CHECK(sum("", 1, little) == 1);
  CHECK(sum(".RM", 1, little) == 1);
  CHECK(sum(".RP", 1, little) == above);
  CHECK(sum(".RZ", 1, little) == 1);
  CHECK(sum(".RM", 1, -little) == below);
  CHECK(sum(".RP", 1, -little) == 1);
  CHECK(sum(".RZ", 1, -little) == below);
  CHECK(sum(".RM", -1, -little) == -above);
  CHECK(sum(".RP", -1, -little) == -1);
  CHECK(sum(".RZ", -1, -little) == -1);
  CHECK(std::signbit(sum(".RM", 1, -1)));
  CHECK_FALSE(std::signbit(sum(".RP", 1, -1)));
}

TEST_CASE("doubles are added, multiplied and fused, with signs, numbers and constants") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  constexpr U64 kTenth = 0x3fb999999999999a;
  check_operations(
      {{"DADD {}, R0, R2", true, [](U64 a, U64 b, U64) { return dadd(a, b); }},
       {"DADD {}, -R0, |R2|", true, [](U64 a, U64 b, U64) { return dadd(negated(a), positive(b)); }},
       {"DADD {}, R0, -|R2|", true, [](U64 a, U64 b, U64) { return dadd(a, negated(positive(b))); }},
       {"DADD {}, R0, -0.1", true, [](U64 a, U64, U64) { return dadd(a, kTenth ^ kSign); }},
       {"DADD {}, -RZ, -R0", true, [](U64 a, U64, U64) { return dadd(kSign, negated(a)); }},
       {"DMUL {}, R0, R2", true, [](U64 a, U64 b, U64) { return dmul(a, b); }},
       {"DMUL {}, R0, 0x3fb999999999999a", true, [](U64 a, U64, U64) { return dmul(a, kTenth); }},
       {"DFMA {}, R0, R2, R4", true, dfma},
       {"DFMA {}, R0, -R2, R0", true, [](U64 a, U64 b, U64) { return dfma(a, negated(b), a); }},
       {"DFMA {}, R0, 1, +INF", true, [](U64 a, U64, U64) { return dfma(a, 0x3ff0000000000000, 0x7ff0000000000000); }}},
      warp_size, 0xd0 + warp_size);
}

TEST_CASE("constants may be doubles, too") {
  LaneValues values(0xdc);
  LaneInputs inputs = double_inputs(values);
  const U64 three = std::bit_cast<U64>(3.0);
  inputs.constants[2] = static_cast<U32>(three);
  inputs.constants[3] = static_cast<U32>(three >> 32);
  const LaneOutputs outputs = run_lanes("DMUL R16, R0, -" + constant_at(2) + "\n", inputs, 2, 32);
  for (std::size_t t = 0; t < kThreads; ++t) {
    const U64 expected = dmul(pair_of(inputs, 0, t), three ^ kSign);
    CHECK(outputs.registers[0][t] == static_cast<U32>(expected));
    CHECK(outputs.registers[1][t] == static_cast<U32>(expected >> 32));
  }
}

TEST_CASE("a fused operation gives the error of a product exactly") {
  LaneValues values(0xfa);
  LaneInputs inputs = values.inputs(4, 1'280);
  std::vector<std::array<U64, 2>> factors(inputs.threads());  // whole numbers that doubles hold
  for (std::size_t t = 0; t < inputs.threads(); ++t) {
    for (unsigned i = 0; i < 2; ++i) {
      factors[t][i] = (U64{values.any_bits()} << 21 | values.below(1U << 21)) >> values.below(30);
      const U64 bits = std::bit_cast<U64>(static_cast<double>(factors[t][i]));
      inputs.registers[2 * i][t] = static_cast<U32>(bits);
      inputs.registers[2 * i + 1][t] = static_cast<U32>(bits >> 32);
    }
  }
  const LaneOutputs outputs = run_lanes("DMUL R16, R0, R2\nDFMA R18, R0, R2, -R16\n", inputs, 4, 32);
  using Integer = reference::Integer128;
  for (std::size_t t = 0; t < inputs.threads(); ++t) {
    const double product = number(U64{outputs.registers[1][t]} << 32 | outputs.registers[0][t]);
    const double error = number(U64{outputs.registers[3][t]} << 32 | outputs.registers[2][t]);
    const Integer exact = Integer{factors[t][0]} * Integer{factors[t][1]};
    CHECK((static_cast<Integer>(product) + static_cast<Integer>(error) == exact));
  }
}

struct Relation {
  const char* token;
  bool (*holds)(double, double);
};

constexpr Relation kRelations[] = {
    {"LT", [](double a, double b) { return std::isless(a, b); }},
    {"EQ", [](double a, double b) { return a == b; }},
    {"LE", [](double a, double b) { return std::islessequal(a, b); }},
    {"GT", [](double a, double b) { return std::isgreater(a, b); }},
    {"NE", [](double a, double b) { return std::islessgreater(a, b); }},
    {"GE", [](double a, double b) { return std::isgreaterequal(a, b); }},
    {"LTU", [](double a, double b) { return !std::isgreaterequal(a, b); }},
    {"EQU", [](double a, double b) { return !std::islessgreater(a, b); }},
    {"LEU", [](double a, double b) { return !std::isgreater(a, b); }},
    {"GTU", [](double a, double b) { return !std::islessequal(a, b); }},
    {"NEU", [](double a, double b) { return a != b; }},
    {"GEU", [](double a, double b) { return !std::isless(a, b); }},
    {"NUM", [](double a, double b) { return !std::isunordered(a, b); }},
    {"NAN", [](double a, double b) { return std::isunordered(a, b); }},
};

TEST_CASE("DSETP compares doubles in all ways") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  LaneValues values(0xd5e7);
  const LaneInputs inputs = double_inputs(values);
  for (const Relation& relation : kRelations) {
    CAPTURE(relation.token);
    const LaneOutputs outputs =
        run_lanes(fmt::format("@P4 DSETP.{}.OR P0, P1, R0, -R2, P3\n", relation.token), inputs, 0, warp_size);
    Row expected = inputs.predicates;
    for (std::size_t t = 0; t < kThreads; ++t) {
      if (!inputs.predicate(4, t)) continue;
      const bool holds = relation.holds(number(pair_of(inputs, 0, t)), -number(pair_of(inputs, 2, t)));
      const bool operand = inputs.predicate(3, t);
      expected[t] = (expected[t] & ~3U) | (holds || operand ? 1U : 0) | (!holds || operand ? 2U : 0);
    }
    CHECK(first_difference(outputs.predicates, expected, inputs) == "");
  }
}

constexpr std::pair<const char*, Direction> kDirections[] = {
    {"", Direction::Nearest}, {".RM", Direction::Down}, {".RP", Direction::Up}, {".RZ", Direction::Zero}};
constexpr std::pair<const char*, Rounding> kRoundings[] = {
    {"", Rounding::Nearest}, {".TRUNC", Rounding::Trunc}, {".FLOOR", Rounding::Floor}, {".CEIL", Rounding::Ceil}};

U64 whole_double(U64 bits, Rounding rounding) {
  const double value = number(bits);
  if (rounding == Rounding::Trunc) return result(std::trunc(value), {bits});
  if (rounding == Rounding::Floor) return result(std::floor(value), {bits});
  if (rounding == Rounding::Ceil) return result(std::ceil(value), {bits});
  const double below = std::floor(value);
  const double rest = value - below;
  const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(below, 2.0) != 0);
  return result(std::isfinite(value) ? std::copysign(up ? below + 1 : below, value) : value, {bits});
}

TEST_CASE("doubles become floats, whole numbers and integers, rounded as asked") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  std::vector<Operation> all;
  for (const auto& [token, direction] : kDirections) {
    all.push_back({fmt::format("F2F.F32.F64{} {{}}, R0", token), false,
                   [direction = direction](U64 a, U64, U64) { return reference::float_of_double(a, direction); }});
    all.push_back({fmt::format("F2F.F32.F64.FTZ{} {{}}, -R0", token), false, [direction = direction](U64 a, U64, U64) {
                     return reference::float_of_double_flushed(negated(a), direction);
                   }});
  }
  const auto add = [&](const char* mnemonic, const char* token, unsigned bits, bool is_signed, Rounding rounding) {
    const U64 nan = U64{1} << (bits - 1);
    all.push_back({fmt::format("{}{} {{}}, R0", mnemonic, token), bits == 64, [=](U64 a, U64, U64) {
                     return reference::integer_of_double(number(a), rounding, bits, is_signed, nan);
                   }});
  };
  for (const auto& [token, rounding] : kRoundings) {
    all.push_back({fmt::format("FRND.F64{} {{}}, R0", token), true,
                   [rounding = rounding](U64 a, U64, U64) { return whole_double(a, rounding); }});
    add("F2I.F64", token, 32, true, rounding);
    add("F2I.U32.F64", token, 32, false, rounding);
    add("F2I.S64.F64", token, 64, true, rounding);
    add("F2I.U64.F64", token, 64, false, rounding);
  }
  check_operations(all, warp_size, 0xdc0 + warp_size);
}

TEST_CASE("doubles become halves, rounded once, and halves become doubles") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const std::vector<Operation> all = {
      {"F2F.F16.F64 {}, R0", false,
       [](U64 a, U64, U64) -> U64 {
         if (std::isnan(number(a))) return (a >> 48 & 0x8000) | 0x7e00 | (a >> 42 & 0x3ff);
         return reference::narrow_from_double(number(a), reference::kHalfFormat);
       }},
      {"F2F.F64.F16 {}, R1", true,
       [](U64 a, U64, U64) { const U64 half = a >> 32;
         const U64 nan = (half & 0x8000) << 48 | U64{0x7ff} << 52 | (half & 0x3ff) << 42;
         return result(reference::double_from_half(static_cast<U32>(half)), {nan});
       }},
  };
  check_operations(all, warp_size, 0xf16 + warp_size);
}

TEST_CASE("floats become doubles and integers of 64 bits") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  const auto as_float = [](U64 bits) { return std::bit_cast<float>(static_cast<U32>(bits)); };
  std::vector<Operation> all;
  all.push_back({"F2F.F64.F32 {}, R1", true,
                 [=](U64 a, U64, U64) {
                   const U64 nan = (a >> 63) << 63 | U64{0x7ff} << 52 | (a >> 32 & 0x7fffff) << 29;
                   return result(static_cast<double>(as_float(a >> 32)), {nan});
                 }});
  all.push_back({"F2F.F64.F32.FTZ {}, -R0", true, [=](U64 a, U64, U64) {
                   return result(-static_cast<double>(as_float(reference::flushed(static_cast<U32>(a)))),
                                 {0x7fffffffe0000000});
                 }});
  for (const auto& [token, rounding] : kRoundings) {
    for (const bool is_signed : {true, false}) {
      all.push_back({fmt::format("F2I.{}64{} {{}}, R1", is_signed ? 'S' : 'U', token), true,
                     [=, rounding = rounding](U64 a, U64, U64) {
                       return reference::integer_of_double(static_cast<double>(as_float(a >> 32)), rounding, 64,
                                                           is_signed, kSign);
                     }});
    }
  }
  check_operations(all, warp_size, 0xf64 + warp_size);
}

TEST_CASE("integers of all sizes become doubles and floats") {
  const unsigned warp_size = GENERATE(16U, 32U, 64U);
  using Integer = reference::Integer128;
  std::vector<Operation> all;
  const auto add = [&](const char* mnemonic, bool is_pair, Integer (*value)(U64)) {
    all.push_back({fmt::format("I2F.F64{} {{}}, R{}", mnemonic, is_pair ? 2 : 3), true, [=](U64, U64 b, U64) {
                     return reference::double_of_integer(value(is_pair ? b : b >> 32));
                   }});
  };
  add("", false, [](U64 v) { return Integer{static_cast<std::int32_t>(v)}; });
  add(".U32", false, [](U64 v) { return Integer{static_cast<std::uint32_t>(v)}; });
  add(".S16", false, [](U64 v) { return Integer{static_cast<std::int16_t>(v)}; });
  add(".U16", false, [](U64 v) { return Integer{static_cast<std::uint16_t>(v)}; });
  add(".S8", false, [](U64 v) { return Integer{static_cast<std::int8_t>(v)}; });
  add(".U8", false, [](U64 v) { return Integer{static_cast<std::uint8_t>(v)}; });
  add(".S64", true, [](U64 v) { return Integer{static_cast<std::int64_t>(v)}; });
  add(".U64", true, [](U64 v) { return Integer{v}; });
  for (const auto& [token, direction] : kDirections) {
    all.push_back({fmt::format("I2F.S64{} {{}}, R0", token), false, [direction = direction](U64 a, U64, U64) {
                     return reference::float_of_integer(static_cast<std::int64_t>(a), direction);
                   }});
    all.push_back({fmt::format("I2F.U64{} {{}}, R0", token), false,
                   [direction = direction](U64 a, U64, U64) { return reference::float_of_integer(a, direction); }});
  }
  check_operations(all, warp_size, 0x1264 + warp_size);
}

TEST_CASE("MUFU of high words approximates doubles") {
  LaneValues values(0x64);
  const LaneInputs inputs = double_inputs(values);
  const LaneOutputs outputs = run_lanes("MUFU.RCP64H R16, R1\nMUFU.RSQ64H R17, |R1|\n", inputs, 2, 32);
  const auto is_near = [](U32 found, double exact) {
    const double value = number(U64{found} << 32);
    if (std::isnan(exact)) return std::isnan(value);
    if (std::isinf(exact) || exact == 0) return value == exact;
    return std::fpclassify(exact) != FP_NORMAL || std::fabs(value - exact) <= std::ldexp(std::fabs(exact), -20);
  };
  for (std::size_t t = 0; t < kThreads; ++t) {
    double value = number(U64{inputs.registers[1][t]} << 32);
    if (std::fpclassify(value) == FP_SUBNORMAL) value = std::copysign(0.0, value);  // flushed: PTX, rcp.approx.ftz.f64
    CHECK(is_near(outputs.registers[0][t], 1 / value));
    CHECK(is_near(outputs.registers[1][t], 1 / std::sqrt(std::fabs(value))));
  }
}

}  // namespace
}  // namespace heddle::exec
