// Floating-point arithmetic of PTX, lowered, against what the PTX ISA says of each instruction. What is
// expected is computed by the host's own arithmetic in the direction that is asked for, or exactly and
// rounded once.
#include "tests/support/float_forms.h"

#include <cfenv>
#include <cmath>

namespace heddle::test {
namespace {

struct Direction {
  const char* word;
  int host;
};
constexpr Direction kDirections[] = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

/// In the direction; the operands and results go through memory so that nothing is computed before or after.
template <typename Value, typename Compute>
Value in_direction(int direction, Compute compute, Value a, Value b = 0, Value c = 0) {
  volatile Value x = a;
  volatile Value y = b;
  volatile Value z = c;
  std::fesetround(direction);
  volatile Value result = compute(x, y, z);
  std::fesetround(FE_TONEAREST);
  return result;
}

float saturate(float value) { return value > 0 ? std::min(value, 1.0F) : 0.0F; }

// These take any type: a wider one tells how small a result is before it is rounded to 32 bits.
constexpr auto plus = [](auto a, auto b, auto) { return a + b; };
constexpr auto less = [](auto a, auto b, auto) { return a - b; };
constexpr auto times = [](auto a, auto b, auto) { return a * b; };
constexpr auto fused = [](auto a, auto b, auto c) { return std::fma(a, b, c); };
constexpr auto divided = [](auto a, auto b, auto) { return a / b; };
constexpr auto inverse = [](auto a, auto, auto) { return 1 / a; };
constexpr auto root = [](auto a, auto, auto) { return std::sqrt(a); };

/// .ftz, as an H200 does it: zero if the result would be below 2^-126, were exponents to have no end. So it
/// is looked at 2^64 times as great.
template <typename Compute>
float flushed_in_direction(int direction, Compute compute, float a, float b, float c) {
  const auto rounded = in_direction<float>(direction, compute, a, b, c);
  const auto wide = in_direction<long double>(direction, compute, a, b, c) * 0x1p64L;
  volatile long double exact = wide;
  std::fesetround(direction);
  volatile float scaled = static_cast<float>(exact);
  std::fesetround(FE_TONEAREST);
  return std::fabs(scaled) < 0x1p-62F ? std::copysign(0.0F, rounded) : rounded;
}

double wide_plus(double a, double b, double) { return a + b; }
double wide_times(double a, double b, double) { return a * b; }
double wide_fused(double a, double b, double c) { return std::fma(a, b, c); }
double wide_divided(double a, double b, double) { return a / b; }
double wide_inverse(double a, double, double) { return 1.0 / a; }
double wide_root(double a, double, double) { return std::sqrt(a); }

template <typename Compute>
std::vector<Form> float_forms(const char* name, const char* operands, Compute compute, bool has_saturation) {
  std::vector<Form> forms;
  for (const Direction& direction : kDirections) {
    for (const bool flushes : {false, true}) {
      for (const bool saturates : {false, true}) {
        if (saturates && !has_saturation) continue;
        const auto reference = [=, host = direction.host](U64 a, U64 b, U64 c) {
          const auto in = [&](U64 word) { return flushes ? flush(f(word)) : f(word); };
          const float result = flushes ? flushed_in_direction(host, compute, in(a), in(b), in(c))
                                       : in_direction<float>(host, compute, in(a), in(b), in(c));
          return bits(saturates ? saturate(result) : result);
        };
        forms.push_back({fmt::format("{}.{}{}{}.f32 %r, {};", name, direction.word, flushes ? ".ftz" : "",
                                     saturates ? ".sat" : "", operands),
                         Result::Float, reference});
      }
    }
  }
  return forms;
}

std::vector<Form> double_forms(const char* name, const char* operands,
                               double (*compute)(double, double, double)) {
  std::vector<Form> forms;
  for (const Direction& direction : kDirections) {
    forms.push_back({fmt::format("{}.{}.f64 %R, {};", name, direction.word, operands), Result::Double,
                     [=, host = direction.host](U64 a, U64 b, U64 c) {
                       return bits(in_direction<double>(host, compute, d(a), d(b), d(c)));
                     }});
  }
  return forms;
}

TEST_CASE("PTX sums and products of floats are rounded as they are told") {
  check(float_forms("add", "%a, %b", plus, true), kFloats, 32, 1);
  check(float_forms("sub", "%a, %b", less, true), kFloats, 32, 2);
  check(float_forms("mul", "%a, %b", times, true), kFloats, 32, 3);
  check(float_forms("fma", "%a, %b, %c", fused, true), kFloats, 32, 4);
}

TEST_CASE("PTX quotients, reciprocals and roots of floats are rounded correctly") {
  check(float_forms("div", "%a, %b", divided, false), kFloats, 32, 5);
  check(float_forms("rcp", "%a", inverse, false), kFloats, 32, 6);
  check(float_forms("sqrt", "%a", root, false), kFloats, 32, 7);
}

TEST_CASE("PTX arithmetic of doubles is rounded as it is told") {
  check(double_forms("add", "%A, %B", wide_plus), kDoubles, 64, 8);
  check(double_forms("mul", "%A, %B", wide_times), kDoubles, 64, 9);
  check(double_forms("fma", "%A, %B, %C", wide_fused), kDoubles, 64, 10);
}

TEST_CASE("PTX quotients, reciprocals and roots of doubles are rounded correctly") {
  check(double_forms("div", "%A, %B", wide_divided), kDoubles, 64, 11);
  check(double_forms("rcp", "%A", wide_inverse), kDoubles, 64, 12);
  check(double_forms("sqrt", "%A", wide_root), kDoubles, 64, 13);
}

float lesser(float a, float b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
float greater(float a, float b) { return std::isnan(a) ? b : std::isnan(b) ? a : -lesser(-a, -b); }
double lesser(double a, double b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
double greater(double a, double b) { return std::isnan(a) ? b : std::isnan(b) ? a : -lesser(-a, -b); }

TEST_CASE("PTX signs, minima and maxima of floats") {
  std::vector<Form> forms = {
      {"neg.f32 %r, %a;", Result::Float, [](U64 a, U64, U64) { return bits(-f(a)); }},
      {"abs.f32 %r, %a;", Result::Float, [](U64 a, U64, U64) { return bits(std::fabs(f(a))); }},
      {"neg.ftz.f32 %r, %a;", Result::Float, [](U64 a, U64, U64) { return bits(-flush(f(a))); }},
      {"neg.f32 %x0, %a; abs.f32 %x1, %b; fma.rn.f32 %r, %x0, %x1, %c;", Result::Float,
       [](U64 a, U64 b, U64 c) { return bits(std::fma(-f(a), std::fabs(f(b)), f(c))); }},
      {"abs.f32 %x0, %a; neg.f32 %x1, %x0; sub.f32 %r, %x1, %b;", Result::Float,
       [](U64 a, U64 b, U64) { return bits(-std::fabs(f(a)) - f(b)); }},
      {"min.f32 %r, %a, %b;", Result::Float, [](U64 a, U64 b, U64) { return bits(lesser(f(a), f(b))); }},
      {"max.f32 %r, %a, %b;", Result::Float, [](U64 a, U64 b, U64) { return bits(greater(f(a), f(b))); }},
      {"max.ftz.f32 %r, %a, %b;", Result::Float,
       [](U64 a, U64 b, U64) { return bits(greater(flush(f(a)), flush(f(b)))); }},
      {"min.NaN.f32 %r, %a, %b;", Result::Float,
       [](U64 a, U64 b, U64) {
         return std::isnan(f(a)) || std::isnan(f(b)) ? 0x7fffffff : bits(lesser(f(a), f(b)));
       }},
      {"max.f32 %r, %a, 0f00000000;", Result::Float,
       [](U64 a, U64, U64) { return bits(greater(f(a), 0.0F)); }},
      {"min.xorsign.abs.f32 %r, %a, %b;", Result::Float,
       [](U64 a, U64 b, U64) {
         const float size = lesser(std::fabs(f(a)), std::fabs(f(b)));
         return bits(std::signbit(f(a)) != std::signbit(f(b)) ? -size : size);
       }},
      {"copysign.f32 %r, %a, %b;", Result::Word,
       [](U64 a, U64 b, U64) { return (a & 0x80000000) | (b & 0x7fffffff); }},
      {"slct.f32.f32 %r, %a, %b, %c;", Result::Word, [](U64 a, U64 b, U64 c) { return f(c) >= 0 ? a : b; }},
  };
  check(forms, kFloats, 32, 20);
  forms = {
      {"neg.f64 %R, %A;", Result::Double, [](U64 a, U64, U64) { return bits(-d(a)); }},
      {"abs.f64 %R, %A;", Result::Double, [](U64 a, U64, U64) { return bits(std::fabs(d(a))); }},
      {"min.f64 %R, %A, %B;", Result::Double, [](U64 a, U64 b, U64) { return bits(lesser(d(a), d(b))); }},
      {"max.f64 %R, %A, %B;", Result::Double, [](U64 a, U64 b, U64) { return bits(greater(d(a), d(b))); }},
      {"copysign.f64 %R, %A, %B;", Result::Wide,
       [](U64 a, U64 b, U64) { return (a & U64{1} << 63) | (b & ~(U64{1} << 63)); }},
      {"setp.lt.f64 %p0, %A, %B; @%p0 div.rn.f64 %R, %A, %B; @!%p0 mov.b64 %R, %C;", Result::Double,
       [](U64 a, U64 b, U64 c) { return d(a) < d(b) ? bits(d(a) / d(b)) : c; }},
  };
  check(forms, kDoubles, 64, 21);
}

// -- 16 bits ------------------------------------------------------------------------------------------------

/// The sign of a zero sum or product is that which doubles have.
U64 narrow_sum(const Format& format, double a, double b, double c) {
  const double rounded = std::fma(a, b, c);
  if (std::isnan(rounded) || std::isinf(rounded)) return narrow(format, rounded);
  const Quad product = static_cast<Quad>(a) * static_cast<Quad>(b);
  const Quad sum = product + static_cast<Quad>(c);
  const Quad part = sum - product;
  const Quad beyond = (product - (sum - part)) + (static_cast<Quad>(c) - part);  // Knuth's two-sum
  return narrow(format, sum, FE_TONEAREST, std::signbit(rounded), beyond);
}

std::vector<Form> narrow_forms(const Format& format) {
  const auto value = [format](U64 word) { return value_of(format, word & 0xffff); };
  const std::string type = format.word;
  const auto of = [&](const char* text) { return fmt::format(fmt::runtime(text), type); };
  const auto sum = [=](double a, double b, double c) { return narrow_sum(format, a, b, c); };
  std::vector<Form> forms = {
      {of("add.rn.{} %r, %a, %b;"), result_of(format),
       [=](U64 a, U64 b, U64) { return sum(value(a), 1.0, value(b)); }},
      {of("sub.rn.{} %r, %a, %b;"), result_of(format),
       [=](U64 a, U64 b, U64) { return sum(value(a), 1.0, -value(b)); }},
      {of("mul.rn.{} %r, %a, %b;"), result_of(format),
       [=](U64 a, U64 b, U64) {
         return sum(value(a), value(b), std::signbit(value(a)) != std::signbit(value(b)) ? -0.0 : 0.0);
       }},
      {of("fma.rn.{} %r, %a, %b, %c;"), result_of(format),
       [=](U64 a, U64 b, U64 c) { return sum(value(a), value(b), value(c)); }},
      {of("fma.rn.relu.{} %r, %a, %b, %c;"), result_of(format),
       [=](U64 a, U64 b, U64 c) -> U64 {
         const U64 result = sum(value(a), value(b), value(c));
         return value(result) < 0 || result == 0x8000 ? 0 : result;
       }},
      {of("neg.{} %r, %a;"), result_of(format), [=](U64 a, U64, U64) { return a ^ 0x8000; }},
      {of("abs.{} %r, %a;"), result_of(format), [=](U64 a, U64, U64) { return a & 0x7fff; }},
      {of("min.{} %r, %a, %b;"), result_of(format),
       [=](U64 a, U64 b, U64) {
         return narrow(format, lesser(value(a), value(b)), FE_TONEAREST,
                       std::signbit(lesser(value(a), value(b))));
       }},
      {of("max.NaN.{} %r, %a, %b;"), result_of(format),
       [=](U64 a, U64 b, U64) -> U64 {
         if (std::isnan(value(a)) || std::isnan(value(b))) return 0x7fff;
         return narrow(format, greater(value(a), value(b)), FE_TONEAREST,
                       std::signbit(greater(value(a), value(b))));
       }},
  };
  const Result packed = result_of(format) == Result::Half ? Result::Halves : Result::Bfloats;
  forms.push_back({of("fma.rn.{}x2 %r, %a, %b, %c;"), packed, [=](U64 a, U64 b, U64 c) {
                     return sum(value(a), value(b), value(c)) |
                            sum(value(a >> 16), value(b >> 16), value(c >> 16)) << 16;
                   }});
  forms.push_back({of("add.rn.{}x2 %r, %a, %b;"), packed, [=](U64 a, U64 b, U64) {
                     return sum(value(a), 1.0, value(b)) | sum(value(a >> 16), 1.0, value(b >> 16)) << 16;
                   }});
  return forms;
}

TEST_CASE("PTX arithmetic of two floats in a register pair and of floats with narrower sources") {
  check({{"mov.b64 %y0, {%a, %b}; mov.b64 %y1, {%b, %c}; fma.rn.f32x2 %R, %y0, %y1, %y0;", Result::Wide,
          [](U64 a, U64 b, U64 c) {
            const auto word = [](float value) { return std::isnan(value) ? 0x7fffffffU : bits(value); };
            return word(std::fma(f(a), f(b), f(a))) | word(std::fma(f(b), f(c), f(b))) << 32;
          }},
         {"add.f32.f16 %r, %a, %c;", Result::Float,
          [](U64 a, U64, U64 c) { return bits(static_cast<float>(value_of(kHalf, a & 0xffff)) + f(c)); }},
         {"fma.rn.f32.bf16 %r, %a, %b, %c;", Result::Float,
          [](U64 a, U64 b, U64 c) {
            return bits(std::fma(static_cast<float>(value_of(kBfloat, a & 0xffff)),
                                 static_cast<float>(value_of(kBfloat, b & 0xffff)), f(c)));
          }}},
        kFloats, 32, 42);
}

TEST_CASE("PTX arithmetic of halves and bfloat16") {
  check(narrow_forms(kHalf), kHalves, 32, 40);
  check(narrow_forms(kBfloat), kHalves, 32, 41);
}

}  // namespace
}  // namespace heddle::test
