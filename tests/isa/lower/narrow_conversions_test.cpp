// cvt from and to floats of 16 bits, and approximations, of PTX, lowered: against the formats' definitions
// and against long doubles within the errors that the PTX ISA allows.
#include <fmt/format.h>

#include <bit>
#include <functional>
#include <random>

#include "tests/support/catch.h"
#include "tests/support/narrow_formats.h"
#include "tests/support/ptx_run.h"

namespace heddle::test {
namespace {

using S64 = std::int64_t;
using U32 = std::uint32_t;

float f(U64 bits) { return std::bit_cast<float>(static_cast<U32>(bits)); }
double d(U64 bits) { return std::bit_cast<double>(bits); }
U64 bits(float value) { return std::bit_cast<U32>(value); }
U64 bits(double value) { return std::bit_cast<U64>(value); }

struct Direction {
  const char* word;
  int host;
};
constexpr Direction kDirections[] = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

using Agrees = std::function<bool(U64 found, U64 a, U64 b)>;

struct Form {
  std::string statements;
  bool is_wide;
  Agrees agrees;
};

constexpr float kEdges[] = {
    0.0F,     -0.0F,          1.0F,           -1.0F,         1.5F,           65504.0F,      65519.9F,
    65520.0F, -65520.0F,      1e5F,           3.4028235e38F, -3.4028235e38F, INFINITY,      -INFINITY,
    NAN,      5.9604645e-8F,  2.9802322e-8F,  2.9802326e-8F, -2.9802326e-8F, 6.1e-5F,       1e-40F,
    -1e-40F,  1.00048828125F, 1.00146484375F, 1.00390625F,   1.01171875F,    3.3961775e38F, 1.1754944e-38F,
    -3.0F,    0.25F,          2.0F,           126.5F,        -126.5F,        -149.0F,       -150.5F,
    127.99F,  128.0F,         8.507059e37F,   8.6e37F,       1.7e38F,        255.5F,        40000.5F};

PtxInputs inputs_of(bool are_doubles, U64 seed) {
  PtxInputs made;
  std::mt19937_64 random(seed);
  const auto word = [&](float value) { return are_doubles ? bits(static_cast<double>(value)) : bits(value); };
  for (const float a : kEdges) {
    for (const float b : kEdges) {
      made.a.push_back(word(a));
      made.b.push_back(word(b));
    }
  }
  for (unsigned i = 0; i < 4000; ++i) {
    for (auto* list : {&made.a, &made.b}) {
      const auto value = std::ldexp(static_cast<float>(random() % 0x2000000) - 0x1000000,
                                    static_cast<int>(random() % 60) - 50);
      list->push_back(i % 2 == 0 ? random() & (are_doubles ? ~U64{0} : 0xffffffff) : word(value));
    }
  }
  made.c = made.a;
  return made;
}

void check(const std::vector<Form>& forms, bool are_doubles) {
  constexpr U64 kSeed = 4711;
  const PtxInputs inputs = inputs_of(are_doubles, kSeed);
  for (const Form& form : forms) {
    for (const unsigned capability : {80U, 90U}) {
      const std::vector<U64> results =
          run_ptx({form.statements, form.is_wide, capability, capability == 80 ? 255U : 24U}, inputs);
      unsigned wrong = 0;
      for (std::size_t t = 0; t < results.size() && wrong < 3; ++t) {
        if (form.agrees(results[t], inputs.a[t], inputs.b[t])) continue;
        ++wrong;
        FAIL_CHECK(fmt::format("{} (sm_{}, seed {}): of {:#x} and {:#x} {:#x}", form.statements, capability,
                               kSeed, inputs.a[t], inputs.b[t], results[t]));
      }
      CHECK(wrong == 0);
    }
  }
}

bool is_same(const Format& format, U64 found, U64 expected) {
  found &= 0xffff;
  return found == expected || (std::isnan(value_of(format, found)) && std::isnan(value_of(format, expected)));
}

U64 relu(const Format& format, U64 word) { return value_of(format, word) < 0 || word == 0x8000 ? 0 : word; }

TEST_CASE("PTX cvt from floats to halves and bfloat16") {
  for (const Format& format : {kHalf, kBfloat}) {
    std::vector<Form> forms;
    std::vector<Form> of_doubles;
    for (const Direction& direction : kDirections) {
      const auto expected = [=, host = direction.host](double value) {
        return narrow(format, value, host, std::signbit(value));
      };
      forms.push_back({fmt::format("cvt.{}.{}.f32 %r, %a;", direction.word, format.word), false,
                       [=](U64 found, U64 a, U64) { return is_same(format, found, expected(f(a))); }});
      forms.push_back({fmt::format("cvt.{}.{}x2.f32 %r, %a, %b;", direction.word, format.word), false,
                       [=](U64 found, U64 a, U64 b) {
                         return is_same(format, found >> 16, expected(f(a))) &&
                                is_same(format, found, expected(f(b)));
                       }});
      forms.push_back(
          {fmt::format("cvt.{}.relu.{}.f32 %r, %a;", direction.word, format.word), false,
           [=](U64 found, U64 a, U64) { return is_same(format, found, relu(format, expected(f(a)))); }});
      of_doubles.push_back({fmt::format("cvt.{}.{}.f64 %r, %A;", direction.word, format.word), false,
                            [=](U64 found, U64 a, U64) { return is_same(format, found, expected(d(a))); }});
    }
    forms.push_back(
        {fmt::format("cvt.rn.satfinite.{}.f32 %r, %a;", format.word), false, [=](U64 found, U64 a, U64) {
           const U64 plain = narrow(format, f(a), FE_TONEAREST, std::signbit(f(a)));
           return is_same(format, found, std::isinf(value_of(format, plain)) ? plain - 1 : plain);
         }});
    check(forms, false);
    check(of_doubles, true);
  }
}

TEST_CASE("PTX cvt from integers to halves and bfloat16") {
  for (const Format& format : {kHalf, kBfloat}) {
    std::vector<Form> forms;
    for (const Direction& direction : kDirections) {
      const auto add = [&](const char* type, const char* source, auto number) {
        forms.push_back({fmt::format("cvt.{}.{}.{} %r, {};", direction.word, format.word, type, source),
                         false, [=, host = direction.host](U64 found, U64 a, U64) {
                           return is_same(format, found, narrow(format, static_cast<Quad>(number(a)), host));
                         }});
      };
      add("s32", "%a", [](U64 a) { return static_cast<std::int32_t>(a); });
      add("u32", "%a", [](U64 a) { return static_cast<U32>(a); });
      add("u16", "%a", [](U64 a) { return static_cast<std::uint16_t>(a); });
      add("s8", "%a", [](U64 a) { return static_cast<std::int8_t>(a); });
      add("s64", "%A", [](U64 a) { return static_cast<S64>(a); });
      add("u64", "%A", [](U64 a) { return a; });
    }
    check(forms, true);
    check(forms, false);
  }
}

TEST_CASE("PTX cvt from halves and bfloat16") {
  for (const Format& format : {kHalf, kBfloat}) {
    const auto value = [=](U64 a) { return value_of(format, a & 0xffff); };
    const auto whole = [](double number, double least, double most) -> U64 {
      if (std::isnan(number)) return 0;
      return static_cast<U64>(static_cast<S64>(std::min(std::max(std::floor(number), least), most))) &
             0xffffffff;
    };
    const std::string word = format.word;
    std::vector<Form> forms = {
        {"cvt.f32." + word + " %r, %a;", false,
         [=](U64 found, U64 a, U64) {
           return std::isnan(value(a)) ? std::isnan(f(found)) : found == bits(static_cast<float>(value(a)));
         }},
        {"cvt.sat.f32." + word + " %r, %a;", false,
         [=](U64 found, U64 a, U64) {
           return found == bits(static_cast<float>(value(a) > 0 ? std::min(value(a), 1.0) : 0.0));
         }},
        {"cvt.f64." + word + " %R, %a;", true,
         [=](U64 found, U64 a, U64) {
           return std::isnan(value(a)) ? std::isnan(d(found)) : found == bits(value(a));
         }},
        {"cvt.rmi.s32." + word + " %r, %a;", false,
         [=](U64 found, U64 a, U64) { return found == whole(value(a), -2147483648.0, 2147483647.0); }},
        {"cvt.rmi.u16." + word + " %r, %a;", false,
         [=](U64 found, U64 a, U64) { return found == whole(value(a), 0, 65535); }},
        {"cvt.rmi.s8." + word + " %r, %a;", false,
         [=](U64 found, U64 a, U64) { return found == whole(value(a), -128, 127); }},
        {"cvt.rpi." + word + "." + word + " %r, %a;", false,
         [=](U64 found, U64 a, U64) {
           const double up = std::ceil(value(a));
           return is_same(format, found, narrow(format, up, FE_TONEAREST, std::signbit(up)));
         }},
    };
    check(forms, false);
  }
}

// -- approximations -----------------------------------------------------------------------------------------

/// Within so many units of the last place of the exact value.
Agrees within(long double ulps, const std::function<long double(long double, long double)>& exact) {
  return [=](U64 found, U64 a, U64 b) {
    const auto value = static_cast<long double>(f(found));
    const long double expected = exact(f(a), f(b));
    if (std::isnan(expected)) return std::isnan(value);
    const auto rounded = static_cast<float>(expected);
    if (std::isinf(rounded) || rounded == 0) {
      return value == static_cast<long double>(rounded) ||
             std::fabs(value - expected) <= ulps * std::ldexp(1.0L, -149) ||
             (std::isinf(rounded) && !std::isinf(expected) && std::fabs(value) > 3.4e38L);
    }
    const int exponent = std::max(std::ilogb(expected), -126);
    return std::fabs(value - expected) <= ulps * std::ldexp(1.0L, exponent - 23);
  };
}

TEST_CASE("PTX approximations are as near as the PTX ISA says, denormal numbers included") {
  using Wide = long double;
  const std::vector<Form> forms = {
      {"rcp.approx.f32 %r, %a;", false, within(1, [](Wide a, Wide) { return 1 / a; })},
      {"sqrt.approx.f32 %r, %a;", false, within(2, [](Wide a, Wide) { return std::sqrt(a); })},
      {"rsqrt.approx.f32 %r, %a;", false, within(2, [](Wide a, Wide) { return 1 / std::sqrt(a); })},
      {"ex2.approx.f32 %r, %a;", false, within(3, [](Wide a, Wide) { return std::exp2(a); })},
      {"div.full.f32 %r, %a, %b;", false, within(2, [](Wide a, Wide b) { return a / b; })},
      {"neg.f32 %x0, %a; abs.f32 %x1, %b; div.full.f32 %r, %x0, %x1;", false,
       within(2, [](Wide a, Wide b) { return -a / std::fabs(b); })},
      {"setp.gt.f32 %p0, %b, 0f00000000; ex2.approx.f32 %x0, %a; mov.b32 %r, %a; @%p0 ex2.approx.f32 %r, %b;",
       false,
       [](U64 found, U64 a, U64 b) {
         if (!(f(b) > 0)) return found == (a & 0xffffffff);
         return within(3, [](Wide x, Wide) { return std::exp2(x); })(found, b, 0);
       }},
      {"tanh.approx.f32 %r, %a;", false,
       [](U64 found, U64 a, U64) {
         const Wide exact = std::tanh(static_cast<Wide>(f(a)));
         return std::isnan(exact) ? std::isnan(f(found))
                                  : std::fabs(f(found) - exact) <= std::ldexp(1.0L, -11);
       }},
      {"sin.approx.f32 %r, %a;", false,
       [](U64 found, U64 a, U64) {
         if (!(std::fabs(f(a)) <= 3.14F)) return std::isfinite(f(a)) || std::isnan(f(found));
         return std::fabs(f(found) - std::sin(static_cast<Wide>(f(a)))) <= std::exp2(-20.5L);
       }},
      {"cos.approx.f32 %r, %a;", false,
       [](U64 found, U64 a, U64) {
         if (!(std::fabs(f(a)) <= 3.14F)) return std::isfinite(f(a)) || std::isnan(f(found));
         return std::fabs(f(found) - std::cos(static_cast<Wide>(f(a)))) <= std::exp2(-20.5L);
       }},
      {"lg2.approx.f32 %r, %a;", false,
       [](U64 found, U64 a, U64) {
         const Wide exact = std::log2(static_cast<Wide>(f(a)));
         if (std::isnan(exact)) return std::isnan(f(found));
         return f(found) == exact ||
                std::fabs(f(found) - exact) <= std::ldexp(std::max(1.0L, std::fabs(exact)), -22);
       }},
  };
  check(forms, false);
}

float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value) : value;
}

/// The same of operands and results whose denormal numbers are zero.
Agrees flushing(long double ulps, const std::function<long double(long double, long double)>& exact) {
  const Agrees agrees = within(ulps, exact);
  return [=](U64 found, U64 a, U64 b) {
    const U64 x = bits(flushed(f(a)));
    const U64 y = bits(flushed(f(b)));
    const auto expected = exact(f(x), f(y));
    if (std::fabs(expected) < std::ldexp(1.0L, -126)) return f(found) == 0;
    return agrees(found, x, y);
  };
}

TEST_CASE("PTX approximations with .ftz take denormal numbers as zero") {
  using Wide = long double;
  check({{"rcp.approx.ftz.f32 %r, %a;", false, flushing(1, [](Wide a, Wide) { return 1 / a; })},
         {"sqrt.approx.ftz.f32 %r, %a;", false, flushing(2, [](Wide a, Wide) { return std::sqrt(a); })},
         {"rsqrt.approx.ftz.f32 %r, %a;", false, flushing(2, [](Wide a, Wide) { return 1 / std::sqrt(a); })},
         {"ex2.approx.ftz.f32 %r, %a;", false, flushing(2, [](Wide a, Wide) { return std::exp2(a); })}},
        false);
}

TEST_CASE("PTX rsqrt of doubles") {
  check({{"rsqrt.approx.f64 %R, %A;", true,
          [](U64 found, U64 a, U64) {
            const long double exact = 1 / std::sqrt(static_cast<long double>(d(a)));
            if (std::isnan(exact)) return std::isnan(d(found));
            if (std::isinf(exact) || exact == 0) return d(found) == static_cast<double>(exact);
            return std::fabs(d(found) - exact) <= std::ldexp(exact, -52);
          }}},
        true);
}

}  // namespace
}  // namespace heddle::test
