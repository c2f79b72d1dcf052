// Comparisons and classes of floating-point numbers in PTX, lowered, against what the PTX ISA says.
#include <cmath>

#include "tests/support/float_forms.h"

namespace heddle::test {
namespace {

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

std::vector<Form> comparisons(const char* type, const char* operands,
                              const std::function<double(U64)>& value) {
  std::vector<Form> forms;
  const char* source = std::string(type) == "f64" ? "%A, %B" : operands;
  for (const Relation& relation : kRelations) {
    const auto holds = relation.holds;
    forms.push_back(
        {fmt::format(
             "setp.{}.{} %p0|%p1, {}; selp.b32 %r, 1, 0, %p0; selp.b32 %x0, 2, 0, %p1; or.b32 %r, %r, %x0;",
             relation.word, type, source),
         Result::Word, [=](U64 a, U64 b, U64) { return holds(value(a), value(b)) ? 1U : 2U; }});
    forms.push_back(
        {fmt::format(
             "and.b32 %x0, %c, 1; setp.eq.s32 %p2, %x0, 1; setp.{}.xor.{} %p0, {}, !%p2; selp.b32 %r, 1, 0, %p0;",
             relation.word, type, source),
         Result::Word,
         [=](U64 a, U64 b, U64 c) { return holds(value(a), value(b)) != ((c & 1) == 0) ? 1U : 0U; }});
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
         {"set.lt.f32.f32 %r, %a, %b;", Result::Float,
          [](U64 a, U64 b, U64) { return bits(f(a) < f(b) ? 1.0F : 0.0F); }}},
        kFloats, 32, 33);
}

U64 in_halves(bool low, bool high, U64 truth) { return (low ? truth : 0) | (high ? truth << 16 : 0); }

TEST_CASE("PTX comparisons of two halves in a register") {
  std::vector<Form> forms;
  for (const Format& format : {kHalf, kBfloat}) {
    const auto value = [format](U64 a) { return value_of(format, a & 0xffff); };
    for (const Relation& relation : kRelations) {
      const auto low = [=, holds = relation.holds](U64 a, U64 b) { return holds(value(a), value(b)); };
      const auto high = [=](U64 a, U64 b) { return low(a >> 16, b >> 16); };
      forms.push_back(
          {fmt::format(
               "setp.{}.{}x2 %p0|%p1, %a, %b; selp.b32 %r, 1, 0, %p0; selp.b32 %x0, 2, 0, %p1; or.b32 %r, %r, %x0;",
               relation.word, format.word),
           Result::Word, [=](U64 a, U64 b, U64) { return (low(a, b) ? 1U : 0U) + (high(a, b) ? 2U : 0U); }});
      forms.push_back({fmt::format("set.{0}.{1}x2.{1}x2 %r, %a, %b;", relation.word, format.word),
                       Result::Word,
                       [=, one = format.fraction == kHalf.fraction ? 0x3c00U : 0x3f80U](U64 a, U64 b, U64) {
                         return in_halves(low(a, b), high(a, b), one);
                       }});
      forms.push_back({fmt::format("set.{0}.u32.{1}x2 %r, %a, %b;", relation.word, format.word), Result::Word,
                       [=](U64 a, U64 b, U64) { return in_halves(low(a, b), high(a, b), 0xffff); }});
      forms.push_back({fmt::format("set.{0}.{1}.{1} %r, %a, %b;", relation.word, format.word), Result::Narrow,
                       [=, one = format.fraction == kHalf.fraction ? 0x3c00U : 0x3f80U](U64 a, U64 b, U64) {
                         return in_halves(low(a, b), false, one);
                       }});
    }
  }
  check(forms, kHalves, 32, 36);
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

}  // namespace
}  // namespace heddle::test
