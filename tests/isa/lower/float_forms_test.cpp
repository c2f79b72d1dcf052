// Floating-point instructions and conversions of PTX, lowered, against what the PTX ISA says of each. What is expected is
// computed by the host's own arithmetic in the direction that is asked for, or exactly and rounded once.
#include <fmt/format.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <functional>
#include <random>

#include "tests/support/catch.h"
#include "tests/support/narrow_formats.h"
#include "tests/support/ptx_run.h"

namespace heddle::test {
namespace {

using U32 = std::uint32_t;

/// How the 64 bits of a result are looked at: any NaN is as good as another.
enum class Result { Word, Wide, Float, Double, Half, Bfloat, Halves, Bfloats, Narrow };

struct Form {
  std::string statements;
  Result result;
  std::function<U64(U64, U64, U64)> reference;
};

struct Direction {
  const char* word;
  int host;
};
constexpr Direction kDirections[] = {{"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

float f(U64 bits) { return std::bit_cast<float>(static_cast<U32>(bits)); }
double d(U64 bits) { return std::bit_cast<double>(bits); }
U64 bits(float value) { return std::bit_cast<U32>(value); }
U64 bits(double value) { return std::bit_cast<U64>(value); }

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

float flush(float value) { return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value) : value; }
float saturate(float value) { return value > 0 ? std::min(value, 1.0F) : 0.0F; }

Result result_of(const Format& format) { return format.fraction == kHalf.fraction ? Result::Half : Result::Bfloat; }

bool is_nan(Result result, U64 word) {
  switch (result) {
    case Result::Float: return std::isnan(f(word));
    case Result::Double: return std::isnan(d(word));
    case Result::Half: return std::isnan(value_of(kHalf, word & 0xffff));
    case Result::Bfloat: return std::isnan(value_of(kBfloat, word & 0xffff));
    default: return false;
  }
}

U64 seen(Result result, U64 word) {
  switch (result) {
    case Result::Half:
    case Result::Bfloat:
    case Result::Narrow: return word & 0xffff;
    case Result::Word:
    case Result::Float:
    case Result::Halves:
    case Result::Bfloats: return word & 0xffffffff;
    default: return word;
  }
}

bool agree(Result result, U64 found, U64 expected) {
  if (result == Result::Halves || result == Result::Bfloats) {
    const Result one = result == Result::Halves ? Result::Half : Result::Bfloat;
    return agree(one, found, expected) && agree(one, found >> 16, expected >> 16);
  }
  return seen(result, found) == seen(result, expected) || (is_nan(result, found) && is_nan(result, expected));
}

// -- inputs --------------------------------------------------------------------------------------------------------

const std::vector<U64> kFloats = {
    0, 0x80000000, 1, 0x80000001, 0x7fffff, 0x400000, 0x807fffff, 0x800000, 0x80800000, 0x800001, 0xffffff, 0x1000000,
    0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x3fffffff, 0x40000000, 0x40400000, 0x40490fdb, 0x3f000000, 0xbf000000,
    0x3fc00000, 0x40200000, 0xc0200000, 0x7e800000, 0x7e800001, 0x7f000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
    0x7fc00000, 0xffc00001, 0x7f800001, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x5f000000, 0xdf000000,
    0x5f800000, 0x42fe0000, 0x43000000, 0x437f0000, 0x437f8000, 0x43800000, 0xc3008000, 0x477fe000, 0x477fefff, 0x477ff000,
    0x33000000, 0x33000001, 0x387fc000, 0x38800000, 0x3f808000, 0x3f818000, 0x7f7f8000, 0x42800000, 0x4b800000};
const std::vector<U64> kDoubles = {
    0, U64{1} << 63, 1, (U64{1} << 63) | 1, 0xfffffffffffff, 0x8000000000000, 0x10000000000000, 0x8010000000000000,
    0x10000000000001, 0x3ff0000000000000, 0xbff0000000000000, 0x3fefffffffffffff, 0x3ff0000000000001, 0x3fffffffffffffff,
    0x4000000000000000, 0x4008000000000000, 0x3fe0000000000000, 0xbfe0000000000000, 0x3ff8000000000000, 0x4004000000000000,
    0x7fd0000000000001, 0x7fe0000000000000, 0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
    0x7ff8000000000000, 0xfff8000000000001, 0x7ff0000000000001, 0x41e0000000000000, 0xc1e0000000000000, 0x41dfffffffc00000,
    0x41efffffffe00000, 0x41f0000000000000, 0x43e0000000000000, 0xc3e0000000000000, 0x43f0000000000000, 0x00000000ffffffff,
    0x0000000100000000, 0x380fffffffffffff, 0x3690000000000000, 0x36a0000000000000, 0x3810000000000000, 0x47efffffe0000000,
    0x47efffffefffffff, 0x47effffff0000000, 0x3e60000000000000, 0x3e60000000000001, 0x40effc0000000000, 0x40effdffffffffff,
    0x40effe0000000000, 0x0360000000000000, 0x7cb0000000000000};
const std::vector<U64> kHalves = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x3c00, 0xbc00, 0x3bff, 0x3c01, 0x7bff, 0xfbff,
                                  0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7c01, 0x3800, 0x3e00, 0x4100, 0x5bf8, 0x5c00, 0xd7ff, 0x5800,
                                  0x5808, 0x7f80, 0xff80, 0x7fc0, 0x7f7f, 0x3f80, 0x3f81, 0x0080, 0x007f, 0x4f00, 0x7f00, 0x4000};
const std::vector<U64> kIntegers = {0, 1, 2, 3, 7, 10, 100, 0x7f, 0x80, 0x81, 0xff, 0x100, 0x7fff, 0x8000, 0x8001, 0xffff, 0x10000,
    0xffffff, 0x1000001, 0x1ffffff, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
    U64{1} << 63, (U64{1} << 63) + 1, ~U64{0}, ~U64{0} - 1, 0xffffffff00000000, 0xffffffff7fffffff, 0xffffffff80000000,
    0x20000000000001, 0x7ffffffffffffc00, 0xffffffffffff8000, 0xffffffffffffff80, 0xffffffffffffff7f, 65504, 65519, 65520};

/// All pairs of the edges, and random words beside: of any bits, and of such as lie near one another.
PtxInputs inputs_of(const std::vector<U64>& edges, unsigned width, std::mt19937_64& random) {
  PtxInputs made;
  const auto add = [&](U64 a, U64 b, U64 c) {
    made.a.push_back(a);
    made.b.push_back(b);
    made.c.push_back(c);
  };
  for (const U64 a : edges) {
    for (const U64 b : edges) add(a, b, edges[random() % edges.size()]);
  }
  const U64 mask = width == 64 ? ~U64{0} : (U64{1} << width) - 1;
  const U64 near = width == 64 ? U64{0x3ff} << 52 : width == 32 ? 0x3f800000U : 0;
  const U64 spread = width == 64 ? U64{0x1f} << 52 | 0xfffffffffffff : width == 32 ? 0x83ffffffU : 0xffff;
  for (unsigned i = 0; i < 6000; ++i) {
    const U64 any[3] = {random() & mask, random() & mask, random() & mask};
    if (i % 2 == 0) {
      add(any[0], any[1], any[2]);
    } else {
      add(near ^ (any[0] & spread), near ^ (any[1] & spread), near ^ (any[2] & spread));
    }
  }
  return made;
}

void check(const std::vector<Form>& forms, const std::vector<U64>& edges, unsigned width, U64 salt) {
  const U64 seed = 20'261'127 + salt;
  for (const Form& form : forms) {
    std::mt19937_64 random(seed);
    PtxInputs inputs = inputs_of(edges, width, random);
    const bool is_wide = form.result == Result::Wide || form.result == Result::Double;
    for (const unsigned most_registers : {255U, 24U}) {
      for (const unsigned capability : {80U, 90U}) {
        if ((most_registers == 24) == (capability == 80)) continue;
        PtxRun run{form.statements, is_wide, capability, most_registers};
        const std::vector<U64> results = run_ptx(run, inputs);
        unsigned wrong = 0;
        for (std::size_t t = 0; t < results.size() && wrong < 3; ++t) {
          const U64 expected = form.reference(inputs.a[t], inputs.b[t], inputs.c[t]);
          if (agree(form.result, results[t], expected)) continue;
          ++wrong;
          FAIL_CHECK(fmt::format("{} (sm_{}, {} registers, seed {}): of {:#x}, {:#x}, {:#x} {:#x} instead of {:#x}",
                                 form.statements, capability, most_registers, seed, inputs.a[t], inputs.b[t], inputs.c[t],
                                 seen(form.result, results[t]), seen(form.result, expected)));
        }
        CHECK(wrong == 0);
      }
    }
  }
}

// -- arithmetic ----------------------------------------------------------------------------------------------------

using FloatCompute = float (*)(float, float, float);

float plus(float a, float b, float) { return a + b; }
float less(float a, float b, float) { return a - b; }
float times(float a, float b, float) { return a * b; }
float fused(float a, float b, float c) { return std::fma(a, b, c); }
float divided(float a, float b, float) { return a / b; }
float inverse(float a, float, float) { return 1.0F / a; }
float root(float a, float, float) { return std::sqrt(a); }

double wide_plus(double a, double b, double) { return a + b; }
double wide_times(double a, double b, double) { return a * b; }
double wide_fused(double a, double b, double c) { return std::fma(a, b, c); }
double wide_divided(double a, double b, double) { return a / b; }
double wide_inverse(double a, double, double) { return 1.0 / a; }
double wide_root(double a, double, double) { return std::sqrt(a); }

std::vector<Form> float_forms(const char* name, const char* operands, FloatCompute compute, bool has_saturation) {
  std::vector<Form> forms;
  for (const Direction& direction : kDirections) {
    for (const bool flushes : {false, true}) {
      for (const bool saturates : {false, true}) {
        if (saturates && !has_saturation) continue;
        const auto reference = [=, host = direction.host](U64 a, U64 b, U64 c) {
          const auto in = [&](U64 word) { return flushes ? flush(f(word)) : f(word); };
          float result = in_direction<float>(host, compute, in(a), in(b), in(c));
          if (flushes) result = flush(result);
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

std::vector<Form> double_forms(const char* name, const char* operands, double (*compute)(double, double, double)) {
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
      {"max.ftz.f32 %r, %a, %b;", Result::Float, [](U64 a, U64 b, U64) { return bits(greater(flush(f(a)), flush(f(b)))); }},
      {"min.NaN.f32 %r, %a, %b;", Result::Float,
       [](U64 a, U64 b, U64) { return std::isnan(f(a)) || std::isnan(f(b)) ? 0x7fffffff : bits(lesser(f(a), f(b))); }},
      {"max.f32 %r, %a, 0f00000000;", Result::Float, [](U64 a, U64, U64) { return bits(greater(f(a), 0.0F)); }},
      {"min.xorsign.abs.f32 %r, %a, %b;", Result::Float,
       [](U64 a, U64 b, U64) {
         const float size = lesser(std::fabs(f(a)), std::fabs(f(b)));
         return bits(std::signbit(f(a)) != std::signbit(f(b)) ? -size : size);
       }},
      {"copysign.f32 %r, %a, %b;", Result::Word, [](U64 a, U64 b, U64) { return (a & 0x80000000) | (b & 0x7fffffff); }},
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

// -- comparisons ---------------------------------------------------------------------------------------------------

struct Relation {
  const char* word;
  bool (*holds)(double, double);
};

const Relation kRelations[] = {
    {"eq", [](double a, double b) { return a == b; }},
    {"ne", [](double a, double b) { return a < b || a > b; }},
    {"lt", [](double a, double b) { return a < b; }},
    {"le", [](double a, double b) { return a <= b; }},
    {"gt", [](double a, double b) { return a > b; }},
    {"ge", [](double a, double b) { return a >= b; }},
    {"equ", [](double a, double b) { return !(a < b || a > b); }},
    {"neu", [](double a, double b) { return !(a == b); }},
    {"ltu", [](double a, double b) { return !(a >= b); }},
    {"leu", [](double a, double b) { return !(a > b); }},
    {"gtu", [](double a, double b) { return !(a <= b); }},
    {"geu", [](double a, double b) { return !(a < b); }},
    {"num", [](double a, double b) { return !std::isnan(a) && !std::isnan(b); }},
    {"nan", [](double a, double b) { return std::isnan(a) || std::isnan(b); }},
};

std::vector<Form> comparisons(const char* type, const char* operands, const std::function<double(U64)>& value) {
  std::vector<Form> forms;
  const char* source = std::string(type) == "f64" ? "%A, %B" : operands;
  for (const Relation& relation : kRelations) {
    const auto holds = relation.holds;
    forms.push_back({fmt::format("setp.{}.{} %p0|%p1, {}; selp.b32 %r, 1, 0, %p0; selp.b32 %x0, 2, 0, %p1; or.b32 %r, %r, %x0;",
                                 relation.word, type, source),
                     Result::Word, [=](U64 a, U64 b, U64) { return holds(value(a), value(b)) ? 1U : 2U; }});
    forms.push_back({fmt::format("and.b32 %x0, %c, 1; setp.eq.s32 %p2, %x0, 1; setp.{}.xor.{} %p0, {}, !%p2; selp.b32 %r, 1, 0, %p0;",
                                 relation.word, type, source),
                     Result::Word, [=](U64 a, U64 b, U64 c) { return holds(value(a), value(b)) != ((c & 1) == 0) ? 1U : 0U; }});
    forms.push_back({fmt::format("set.{}.u32.{} %r, {};", relation.word, type, source), Result::Word,
                     [=](U64 a, U64 b, U64) { return holds(value(a), value(b)) ? 0xffffffffU : 0U; }});
  }
  return forms;
}

TEST_CASE("PTX comparisons of floats, doubles and halves") {
  check(comparisons("f32", "%a, %b", [](U64 a) -> double { return f(a); }), kFloats, 32, 30);
  check(comparisons("f64", "", [](U64 a) { return d(a); }), kDoubles, 64, 31);
  check(comparisons("f16", "%a, %b", [](U64 a) { return value_of(kHalf, a); }), kHalves, 32, 32);
  check({{"setp.lt.f32 %p0, 0f3F800000, %b; selp.b32 %r, 1, 0, %p0;", Result::Word,
          [](U64, U64 b, U64) { return 1.0F < f(b) ? 1U : 0U; }},
         {"setp.gtu.ftz.f32 %p0, %a, 0f00000000; selp.b32 %r, 1, 0, %p0;", Result::Word,
          [](U64 a, U64, U64) { return !(flush(f(a)) <= 0) ? 1U : 0U; }},
         {"set.lt.f32.f32 %r, %a, %b;", Result::Float, [](U64 a, U64 b, U64) { return bits(f(a) < f(b) ? 1.0F : 0.0F); }}},
        kFloats, 32, 33);
}

struct Class {
  const char* word;
  bool (*holds)(double, int);
};

TEST_CASE("PTX testp tells what kind of number it is") {
  const Class classes[] = {
      {"finite", [](double, int kind) { return kind != FP_NAN && kind != FP_INFINITE; }},
      {"infinite", [](double, int kind) { return kind == FP_INFINITE; }},
      {"number", [](double, int kind) { return kind != FP_NAN; }},
      {"notanumber", [](double, int kind) { return kind == FP_NAN; }},
      {"normal", [](double, int kind) { return kind == FP_NORMAL || kind == FP_ZERO; }},
      {"subnormal", [](double, int kind) { return kind == FP_SUBNORMAL; }},
  };
  for (const Class& of : classes) {
    const auto holds = of.holds;
    check({{fmt::format("testp.{}.f32 %p0, %a; selp.b32 %r, 1, 0, %p0;", of.word), Result::Word,
            [=](U64 a, U64, U64) { return holds(f(a), std::fpclassify(f(a))) ? 1U : 0U; }}},
          kFloats, 32, 34);
    check({{fmt::format("testp.{}.f64 %p0, %A; selp.b32 %r, 1, 0, %p0;", of.word), Result::Word,
            [=](U64 a, U64, U64) { return holds(d(a), std::fpclassify(d(a))) ? 1U : 0U; }}},
          kDoubles, 64, 35);
  }
}

// -- 16 bits -------------------------------------------------------------------------------------------------------

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
      {of("add.rn.{} %r, %a, %b;"), result_of(format), [=](U64 a, U64 b, U64) { return sum(value(a), 1.0, value(b)); }},
      {of("sub.rn.{} %r, %a, %b;"), result_of(format), [=](U64 a, U64 b, U64) { return sum(value(a), 1.0, -value(b)); }},
      {of("mul.rn.{} %r, %a, %b;"), result_of(format), [=](U64 a, U64 b, U64) { return sum(value(a), value(b), std::signbit(value(a)) != std::signbit(value(b)) ? -0.0 : 0.0); }},
      {of("fma.rn.{} %r, %a, %b, %c;"), result_of(format), [=](U64 a, U64 b, U64 c) { return sum(value(a), value(b), value(c)); }},
      {of("fma.rn.relu.{} %r, %a, %b, %c;"), result_of(format),
       [=](U64 a, U64 b, U64 c) -> U64 {
         const U64 result = sum(value(a), value(b), value(c));
         return value(result) < 0 || result == 0x8000 ? 0 : result;
       }},
      {of("neg.{} %r, %a;"), result_of(format), [=](U64 a, U64, U64) { return a ^ 0x8000; }},
      {of("abs.{} %r, %a;"), result_of(format), [=](U64 a, U64, U64) { return a & 0x7fff; }},
      {of("min.{} %r, %a, %b;"), result_of(format), [=](U64 a, U64 b, U64) { return narrow(format, lesser(value(a), value(b)), FE_TONEAREST, std::signbit(lesser(value(a), value(b)))); }},
      {of("max.NaN.{} %r, %a, %b;"), result_of(format),
       [=](U64 a, U64 b, U64) -> U64 {
         if (std::isnan(value(a)) || std::isnan(value(b))) return 0x7fff;
         return narrow(format, greater(value(a), value(b)), FE_TONEAREST, std::signbit(greater(value(a), value(b))));
       }},
  };
  const Result packed = result_of(format) == Result::Half ? Result::Halves : Result::Bfloats;
  forms.push_back({of("fma.rn.{}x2 %r, %a, %b, %c;"), packed, [=](U64 a, U64 b, U64 c) {
                     return sum(value(a), value(b), value(c)) | sum(value(a >> 16), value(b >> 16), value(c >> 16)) << 16;
                   }});
  forms.push_back({of("add.rn.{}x2 %r, %a, %b;"), packed, [=](U64 a, U64 b, U64) {
                     return sum(value(a), 1.0, value(b)) | sum(value(a >> 16), 1.0, value(b >> 16)) << 16;
                   }});
  return forms;
}

TEST_CASE("PTX arithmetic of halves and bfloat16") {
  check(narrow_forms(kHalf), kHalves, 32, 40);
  check(narrow_forms(kBfloat), kHalves, 32, 41);
}

}  // namespace
}  // namespace heddle::test
