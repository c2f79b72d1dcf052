// cvt, and integer division, of PTX, lowered, against what the PTX ISA says.
#include <fmt/format.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "tests/support/catch.h"
#include "tests/support/ptx_run.h"

namespace heddle::test {
namespace {

using U64 = std::uint64_t;
using S64 = std::int64_t;
using U32 = std::uint32_t;
using Wide = long double;  // holds every number of every type here

struct Type {
  const char* word;
  unsigned bits;
  bool is_signed;
};
constexpr Type kIntegerTypes[] = {{"u8", 8, false},   {"s8", 8, true},    {"u16", 16, false},
                                  {"s16", 16, true},  {"u32", 32, false}, {"s32", 32, true},
                                  {"u64", 64, false}, {"s64", 64, true}};

struct Direction {
  const char* word;
  int host;
};
constexpr Direction kDirections[] = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};
constexpr Direction kIntegerDirections[] = {
    {"rni", FE_TONEAREST}, {"rzi", FE_TOWARDZERO}, {"rmi", FE_DOWNWARD}, {"rpi", FE_UPWARD}};

const std::vector<U64> kIntegers = {0,
                                    1,
                                    2,
                                    3,
                                    7,
                                    10,
                                    100,
                                    0x7f,
                                    0x80,
                                    0x81,
                                    0xff,
                                    0x100,
                                    0x7fff,
                                    0x8000,
                                    0x8001,
                                    0xffff,
                                    0x10000,
                                    0xffffff,
                                    0x1000001,
                                    0x1ffffff,
                                    0x7fffffff,
                                    0x80000000,
                                    0x80000001,
                                    0xfffffffe,
                                    0xffffffff,
                                    0x100000000,
                                    0x7fffffffffffffff,
                                    U64{1} << 63,
                                    (U64{1} << 63) + 1,
                                    ~U64{0},
                                    ~U64{0} - 1,
                                    0xffffffff00000000,
                                    0xffffffff7fffffff,
                                    0xffffffff80000000,
                                    0x20000000000001,
                                    0x7ffffffffffffc00,
                                    0xffffffffffff8000,
                                    0xffffffffffffff80,
                                    0xffffffffffffff7f,
                                    65504,
                                    65519,
                                    65520};
const std::vector<float> kNumbers = {
    0.0F,           -0.0F,          0.5F,          -0.5F,         1.0F,
    -1.0F,          1.5F,           2.5F,          -1.5F,         -2.5F,
    0.49999997F,    1e-40F,         -1e-40F,       126.5F,        127.5F,
    128.0F,         -128.5F,        -129.0F,       254.5F,        255.5F,
    256.0F,         32767.5F,       -32768.5F,     65535.0F,      65535.5F,
    65504.0F,       65519.9F,       65520.0F,      2147483520.0F, 2147483648.0F,
    -2147483648.0F, -2147483904.0F, 4294967040.0F, 4294967296.0F, 9.2233715e18F,
    9.223372e18F,   -9.223372e18F,  1.8446743e19F, 1.8446744e19F, 3.4028235e38F,
    -3.4028235e38F, INFINITY,       -INFINITY,     NAN,           5.9604645e-8F,
    2.9802322e-8F,  2.9802326e-8F,  6.1e-5F,       1.1754944e-38F};

U64 low(U64 value, unsigned bits) { return bits == 64 ? value : value & ((U64{1} << bits) - 1); }

/// What a register has that is read as this type.
U64 extended(U64 value, const Type& type) {
  const U64 kept = low(value, type.bits);
  const bool negative = type.is_signed && (kept >> (type.bits - 1) & 1U) != 0;
  return negative && type.bits < 64 ? kept | ~U64{0} << type.bits : kept;
}

Wide number_of(U64 value, const Type& type) {
  const U64 whole = extended(value, type);
  return type.is_signed ? static_cast<Wide>(static_cast<S64>(whole)) : static_cast<Wide>(whole);
}

Wide least(const Type& type) {
  return type.is_signed ? -std::ldexp(1.0L, static_cast<int>(type.bits) - 1) : 0.0L;
}
Wide most(const Type& type) {
  return std::ldexp(1.0L, static_cast<int>(type.bits) - (type.is_signed ? 1 : 0)) - 1;
}

/// A whole number in the register that takes it, of 32 or 64 bits.
U64 register_of(Wide value, const Type& type) {
  const U64 bits = value < 0 ? 0 - static_cast<U64>(-value) : static_cast<U64>(value);
  return low(extended(bits, type), type.bits == 64 ? 64 : 32);
}

U64 integer_of(Wide value, const Type& to, int direction, bool is_wide_source) {
  if (std::isnan(value)) {
    const U64 highest = U64{1} << (to.bits - 1);
    return low(extended(is_wide_source || to.bits == 64 ? highest : 0, to), to.bits == 64 ? 64 : 32);
  }
  std::fesetround(direction);
  const Wide whole = std::nearbyint(value);
  std::fesetround(FE_TONEAREST);
  return register_of(std::min(std::max(whole, least(to)), most(to)), to);
}

struct Form {
  std::string statements;
  bool is_wide;
  std::function<U64(U64)> reference;
  std::function<bool(U64)> is_nan = [](U64) { return false; };
};

PtxInputs inputs_of(const std::vector<U64>& edges, U64 seed) {
  PtxInputs made;
  std::mt19937_64 random(seed);
  made.a = edges;
  for (unsigned i = 0; i < 3000; ++i) made.a.push_back(random() >> (i % 3 == 0 ? random() % 64 : 0));
  made.b = made.c = made.a;
  return made;
}

void check(const std::vector<Form>& forms, const std::vector<U64>& edges) {
  constexpr U64 kSeed = 47;
  const PtxInputs inputs = inputs_of(edges, kSeed);
  for (const Form& form : forms) {
    for (const unsigned capability : {80U, 90U}) {
      const std::vector<U64> results =
          run_ptx({form.statements, form.is_wide, capability, capability == 80 ? 255U : 24U}, inputs);
      unsigned wrong = 0;
      for (std::size_t t = 0; t < results.size() && wrong < 3; ++t) {
        const U64 expected = form.reference(inputs.a[t]);
        if (results[t] == expected || (form.is_nan(results[t]) && form.is_nan(expected))) continue;
        ++wrong;
        FAIL_CHECK(fmt::format("{} (sm_{}, seed {}): of {:#x} {:#x} instead of {:#x}", form.statements,
                               capability, kSeed, inputs.a[t], results[t], expected));
      }
      CHECK(wrong == 0);
    }
  }
}

std::vector<U64> float_edges() {
  std::vector<U64> made;
  for (const float value : kNumbers) made.push_back(std::bit_cast<U32>(value));
  return made;
}
std::vector<U64> double_edges() {
  std::vector<U64> made;
  for (const float value : kNumbers) {
    const auto wide = static_cast<double>(value);
    made.push_back(std::bit_cast<U64>(wide));
    made.push_back(std::bit_cast<U64>(std::nextafter(wide, 1e308)));
    made.push_back(std::bit_cast<U64>(std::nextafter(wide, -1e308)));
  }
  return made;
}

bool is_nan_float(U64 word) { return std::isnan(std::bit_cast<float>(static_cast<U32>(word))); }
bool is_nan_double(U64 word) { return std::isnan(std::bit_cast<double>(word)); }

TEST_CASE("PTX cvt between integers extends, cuts and saturates") {
  std::vector<Form> forms;
  for (const Type& from : kIntegerTypes) {
    for (const Type& to : kIntegerTypes) {
      const char* source = from.bits == 64 ? "%A" : "%a";
      const char* result = to.bits == 64 ? "%R" : "%r";
      forms.push_back({fmt::format("cvt.{}.{} {}, {};", to.word, from.word, result, source), to.bits == 64,
                       [=](U64 a) { return low(extended(extended(a, from), to), to.bits == 64 ? 64 : 32); }});
      forms.push_back({fmt::format("cvt.sat.{}.{} {}, {};", to.word, from.word, result, source),
                       to.bits == 64, [=](U64 a) {
                         return register_of(std::min(std::max(number_of(a, from), least(to)), most(to)), to);
                       }});
    }
  }
  check(forms, kIntegers);
}

TEST_CASE("PTX cvt from integers to floats and doubles rounds as it is told") {
  std::vector<Form> forms;
  for (const Type& from : kIntegerTypes) {
    const char* source = from.bits == 64 ? "%A" : "%a";
    for (const Direction& direction : kDirections) {
      const int host = direction.host;
      forms.push_back(
          {fmt::format("cvt.{}.f32.{} %r, {};", direction.word, from.word, source), false, [=](U64 a) -> U64 {
             volatile Wide exact = number_of(a, from);
             std::fesetround(host);
             volatile auto value = static_cast<float>(exact);
             std::fesetround(FE_TONEAREST);
             return std::bit_cast<U32>(static_cast<float>(value));
           }});
      forms.push_back(
          {fmt::format("cvt.{}.f64.{} %R, {};", direction.word, from.word, source), true, [=](U64 a) -> U64 {
             volatile Wide exact = number_of(a, from);
             std::fesetround(host);
             volatile auto value = static_cast<double>(exact);
             std::fesetround(FE_TONEAREST);
             return std::bit_cast<U64>(static_cast<double>(value));
           }});
    }
  }
  check(forms, kIntegers);
}

TEST_CASE("PTX cvt from floats and doubles to integers rounds and saturates") {
  std::vector<Form> of_floats;
  std::vector<Form> of_doubles;
  for (const Type& to : kIntegerTypes) {
    const char* result = to.bits == 64 ? "%R" : "%r";
    for (const Direction& direction : kIntegerDirections) {
      const int host = direction.host;
      of_floats.push_back(
          {fmt::format("cvt.{}.{}.f32 {}, %a;", direction.word, to.word, result), to.bits == 64,
           [=](U64 a) { return integer_of(std::bit_cast<float>(static_cast<U32>(a)), to, host, false); }});
      of_floats.push_back({fmt::format("cvt.{}.ftz.{}.f32 {}, %a;", direction.word, to.word, result),
                           to.bits == 64, [=](U64 a) {
                             const auto value = std::bit_cast<float>(static_cast<U32>(a));
                             return integer_of(std::fpclassify(value) == FP_SUBNORMAL ? 0.0F : value, to,
                                               host, false);
                           }});
      of_doubles.push_back({fmt::format("cvt.{}.{}.f64 {}, %A;", direction.word, to.word, result),
                            to.bits == 64,
                            [=](U64 a) { return integer_of(std::bit_cast<double>(a), to, host, true); }});
    }
  }
  check(of_floats, float_edges());
  check(of_doubles, double_edges());
}

TEST_CASE("PTX cvt between floats and doubles") {
  std::vector<Form> of_floats;
  std::vector<Form> of_doubles;
  for (const Direction& direction : kIntegerDirections) {
    const int host = direction.host;
    of_floats.push_back({fmt::format("cvt.{}.f32.f32 %r, %a;", direction.word), false,
                         [=](U64 a) -> U64 {
                           std::fesetround(host);
                           const float value = std::nearbyint(std::bit_cast<float>(static_cast<U32>(a)));
                           std::fesetround(FE_TONEAREST);
                           return std::bit_cast<U32>(value);
                         },
                         is_nan_float});
    of_doubles.push_back({fmt::format("cvt.{}.f64.f64 %R, %A;", direction.word), true,
                          [=](U64 a) -> U64 {
                            std::fesetround(host);
                            const double value = std::nearbyint(std::bit_cast<double>(a));
                            std::fesetround(FE_TONEAREST);
                            return std::bit_cast<U64>(value);
                          },
                          is_nan_double});
  }
  for (const Direction& direction : kDirections) {
    const int host = direction.host;
    of_doubles.push_back({fmt::format("cvt.{}.f32.f64 %r, %A;", direction.word), false,
                          [=](U64 a) -> U64 {
                            volatile auto exact = std::bit_cast<double>(a);
                            std::fesetround(host);
                            volatile auto value = static_cast<float>(exact);
                            std::fesetround(FE_TONEAREST);
                            return std::bit_cast<U32>(static_cast<float>(value));
                          },
                          is_nan_float});
  }
  of_floats.push_back({"cvt.f64.f32 %R, %a;", true,
                       [](U64 a) {
                         return std::bit_cast<U64>(
                             static_cast<double>(std::bit_cast<float>(static_cast<U32>(a))));
                       },
                       is_nan_double});
  of_floats.push_back({"cvt.sat.f32.f32 %r, %a;", false, [](U64 a) -> U64 {
                         const auto value = std::bit_cast<float>(static_cast<U32>(a));
                         return std::bit_cast<U32>(value > 0 ? std::min(value, 1.0F) : 0.0F);
                       }});
  of_floats.push_back({"cvt.sat.f64.f32 %R, %a;", true, [](U64 a) -> U64 {
                         const double value = std::bit_cast<float>(static_cast<U32>(a));
                         return std::bit_cast<U64>(value > 0 ? std::min(value, 1.0) : 0.0);
                       }});
  of_floats.push_back({"cvt.rna.tf32.f32 %r, %a;", false,
                       [](U64 a) -> U64 {
                         const auto value = std::bit_cast<float>(static_cast<U32>(a));
                         if (std::isnan(value) || std::isinf(value) || value == 0) return low(a, 32);
                         const int exponent = std::max(std::ilogb(value), -126);
                         const Wide unit = std::ldexp(1.0L, exponent - 10);
                         const auto rounded =
                             static_cast<float>(std::round(static_cast<Wide>(value) / unit) * unit);
                         return std::bit_cast<U32>(std::copysign(rounded, value));
                       },
                       is_nan_float});
  check(of_floats, float_edges());
  check(of_doubles, double_edges());
}

TEST_CASE("PTX div and rem of integers, by zero and of the least one too") {
  std::vector<Form> forms;
  const U64 divisors[] = {1,    2,      3,          5,          7,          10,         16,        641,
                          1000, 0x7fff, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffd};
  for (const Type& type : kIntegerTypes) {
    if (type.bits == 8) continue;
    const char* register_a = type.bits == 64 ? "%A" : type.bits == 32 ? "%a" : "%s0";
    const std::string before = type.bits == 16 ? "cvt.u16.u32 %s0, %a; cvt.u16.u32 %s1, %b;" : "";
    const std::string after = type.bits == 16 ? fmt::format("cvt.u32.{} %r, %s2;", type.word) : "";
    const char* result = type.bits == 64 ? "%R" : type.bits == 32 ? "%r" : "%s2";
    for (const U64 divisor : divisors) {
      const U64 b = low(divisor, type.bits);
      if (b == 0) continue;
      for (const bool is_quotient : {true, false}) {
        const auto reference = [=](U64 a) -> U64 {
          const U64 x = extended(a, type);
          const U64 y = extended(b, type);
          U64 value = 0;
          if (!type.is_signed) {
            value = is_quotient ? x / y : x % y;
          } else if (static_cast<S64>(y) == -1) {
            value = is_quotient ? 0 - x : 0;
          } else {
            value = static_cast<U64>(is_quotient ? static_cast<S64>(x) / static_cast<S64>(y)
                                                 : static_cast<S64>(x) % static_cast<S64>(y));
          }
          return low(extended(value, type), type.bits == 64 ? 64 : 32);
        };
        const char* name = is_quotient ? "div" : "rem";
        forms.push_back(
            {fmt::format("{}{}.{} {}, {}, {};{}", before, name, type.word, result, register_a, b, after),
             type.bits == 64, reference});
        // The same by a register, which the compiler cannot know.
        const std::string load =
            type.bits == 64 ? fmt::format("sub.s64 %y0, %A, %B; add.s64 %y0, %y0, {};", b)
            : type.bits == 32
                ? fmt::format("sub.s32 %x0, %a, %b; add.s32 %x0, %x0, {};", b)
                : fmt::format("sub.s32 %x0, %a, %b; add.s32 %x0, %x0, {}; cvt.u16.u32 %s1, %x0;", b);
        const char* register_b = type.bits == 64 ? "%y0" : type.bits == 32 ? "%x0" : "%s1";
        forms.push_back({fmt::format("{}{}{}.{} {}, {}, {};{}", before, load, name, type.word, result,
                                     register_a, register_b, after),
                         type.bits == 64, reference});
      }
    }
    forms.push_back(
        {fmt::format(
             "{} xor.b64 %y1, %A, %B; cvt.u32.u64 %x1, %y1; cvt.u16.u64 %s1, %y1; div.{} {}, {}, {};{}",
             before, type.word, result, register_a,
             type.bits == 64   ? "%y1"
             : type.bits == 32 ? "%x1"
                               : "%s1",
             after),
         type.bits == 64, [=](U64) { return low(extended(~U64{0}, type), type.bits == 64 ? 64 : 32); }});
  }
  // Under a guard, which the instructions that a division has under predicates of their own keep.
  forms.push_back(
      {"setp.gt.s32 %p0, %a, 100; mov.b32 %r, %b; @%p0 div.s32 %r, 1000000, %a;", false, [](U64 a) -> U64 {
         const auto word = static_cast<std::int32_t>(a);
         return word > 100 ? static_cast<U32>(1000000 / word) : low(a, 32);
       }});
  forms.push_back(
      {"setp.gt.u64 %p0, %A, 100; mov.b64 %R, %B; @!%p0 add.s64 %R, %R, 1; @%p0 rem.u64 %R, 1234567890123, %A;",
       true, [](U64 a) { return a > 100 ? U64{1234567890123} % a : a + 1; }});
  check(forms, kIntegers);
}

}  // namespace
}  // namespace heddle::test
