// PTX instructions that lowering writes as functions (isa/lower/expansions.def), against the PTX ISA's text.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <random>

#include "isa/stream/kernel_fault.h"
#include "tests/support/catch.h"
#include "tests/support/ptx_run.h"
#include "tests/support/seed.h"

namespace heddle::test {
namespace {

using U64 = std::uint64_t;
using S64 = std::int64_t;
using U32 = std::uint32_t;
using S32 = std::int32_t;
using U16 = std::uint16_t;
using S16 = std::int16_t;

using Reference = std::function<U64(U64, U64, U64)>;

struct Form {
  std::string statements;
  Reference reference;
  bool is_wide = false;
};

U32 u(U64 value) { return static_cast<U32>(value); }
S32 s(U64 value) { return static_cast<S32>(u(value)); }
U32 bits(S32 value) { return static_cast<U32>(value); }
U32 bits(float value) { return std::bit_cast<U32>(value); }
float f(U64 value) { return std::bit_cast<float>(u(value)); }
S32 saturated(S64 value) { return static_cast<S32>(std::clamp<S64>(value, INT32_MIN, INT32_MAX)); }

template <typename T>
U64 sad(U64 a, U64 b, U64 c) {
  const T x = static_cast<T>(a);
  const T y = static_cast<T>(b);
  using Unsigned = std::make_unsigned_t<T>;
  const auto difference = x < y ? static_cast<Unsigned>(y) - static_cast<Unsigned>(x)
                                : static_cast<Unsigned>(x) - static_cast<Unsigned>(y);
  return static_cast<Unsigned>(c + difference);
}

/// As the PTX ISA writes it.
U32 fns(U32 mask, U32 base, S32 offset) {
  if (offset == 0) return (mask >> base & 1) != 0 ? base : ~U32{0};
  S64 count = std::abs(S64{offset}) - 1;
  const S64 step = offset > 0 ? 1 : -1;
  for (S64 position = base; position >= 0 && position < 32; position += step) {
    if ((mask >> position & 1) == 0) continue;
    if (count == 0) return static_cast<U32>(position);
    --count;
  }
  return ~U32{0};
}

U32 packed(U64 a, U64 b, U64 c, unsigned size, bool is_signed) {
  const S64 least = is_signed ? -(S64{1} << (size - 1)) : 0;
  const S64 most = (S64{1} << (is_signed ? size - 1 : size)) - 1;
  const U64 ones = (U64{1} << size) - 1;
  const auto part = [&](U64 value) {
    return static_cast<U64>(std::clamp<S64>(s(value), least, most)) & ones;
  };
  return u((size < 16 ? c << (2 * size) : 0) | part(a) << size | part(b));
}

/// A float with ten bits of fraction, to the nearest one; ties to even, or away from zero.
U32 tf32(U64 value, bool to_even, bool has_relu, bool saturates) {
  const float x = f(value);
  if (std::isnan(x)) return 0x7fffffff;
  if (has_relu && std::signbit(x)) return 0;
  double magnitude = std::fabs(static_cast<double>(x));
  if (std::isfinite(magnitude) && magnitude != 0) {
    const int exponent = std::max(std::ilogb(magnitude), -126);
    const double units = std::ldexp(magnitude, 10 - exponent);
    const double rounded = to_even ? std::nearbyint(units) : std::floor(units + 0.5);
    magnitude = std::ldexp(rounded, exponent - 10);
  }
  if (magnitude >= 0x1p128) magnitude = HUGE_VAL;
  if (saturates) magnitude = std::min(magnitude, 0x1.ffcp127);
  return bits(static_cast<float>(std::signbit(x) ? -magnitude : magnitude));
}

struct Format {
  const char* name;
  unsigned fraction_bits;
  int least_exponent;
  double most;
  unsigned sign_place;
  unsigned nan;
};

constexpr Format kFormats[] = {{"e4m3x2", 3, -6, 448, 7, 0x7f},
                               {"e5m2x2", 2, -14, 57344, 7, 0x7f},
                               {"e2m3x2", 3, 0, 7.5, 5, 0x1f},
                               {"e3m2x2", 2, -2, 28, 5, 0x1f},
                               {"e2m1x2", 1, 0, 6, 3, 0x7}};

/// By the definition of the formats: the greatest number is what is too great.
U32 encoded(const Format& format, double value, bool has_relu) {
  if (std::isnan(value)) return format.nan;
  if (has_relu && std::signbit(value)) return 0;
  const double magnitude = std::min(std::fabs(value), format.most);
  const int exponent =
      magnitude == 0 ? format.least_exponent : std::max(std::ilogb(magnitude), format.least_exponent);
  const auto fraction = static_cast<int>(format.fraction_bits);
  double units = std::nearbyint(std::ldexp(magnitude, fraction - exponent));
  const U32 field = static_cast<U32>(exponent - format.least_exponent) << format.fraction_bits;
  const U32 made = field + static_cast<U32>(units);
  return made | (std::signbit(value) ? U32{1} << format.sign_place : 0);
}

double decoded(const Format& format, U32 byte) {
  const U32 magnitude = byte & ((U32{1} << format.sign_place) - 1);
  const U32 fraction = magnitude & ((U32{1} << format.fraction_bits) - 1);
  const U32 field = magnitude >> format.fraction_bits;
  const bool is_e4m3 = format.fraction_bits == 3 && format.sign_place == 7;
  const bool is_e5m2 = format.fraction_bits == 2 && format.sign_place == 7;
  double value = field == 0 ? fraction : fraction + (U32{1} << format.fraction_bits);
  value = std::ldexp(value, static_cast<int>(field == 0 ? 1 : field) - 1 + format.least_exponent -
                                static_cast<int>(format.fraction_bits));
  if (is_e4m3 && magnitude == 0x7f) value = NAN;
  if (is_e5m2 && field == 31) value = fraction == 0 ? HUGE_VAL : NAN;
  return (byte >> format.sign_place & 1) != 0 ? -value : value;
}

/// The bits of a half, which holds the value exactly.
U32 half_of(double value, bool has_relu) {
  if (std::isnan(value)) return 0x7fff;
  if (has_relu && std::signbit(value)) return 0;
  const U32 sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (std::isinf(magnitude)) return sign | 0x7c00;
  if (magnitude == 0) return sign;
  const int exponent = std::max(std::ilogb(magnitude), -14);
  const auto units = static_cast<U32>(std::ldexp(magnitude, 10 - exponent));
  return sign | ((static_cast<U32>(exponent + 14) << 10) + units);
}

double half_value(U32 half) {
  const U32 field = half >> 10 & 31;
  const U32 fraction = half & 0x3ff;
  double value =
      field == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, static_cast<int>(field) - 25);
  if (field == 31) value = fraction == 0 ? HUGE_VAL : NAN;
  return (half & 0x8000) != 0 ? -value : value;
}

float bfloat_value(U32 half) { return f(U64{half & 0xffff} << 16); }

/// The same NaN for all.
U32 result(float value) { return std::isnan(value) ? 0x7fffffff : bits(value); }

PtxInputs inputs_of(std::uint32_t seed) {
  std::mt19937_64 random(seed);
  constexpr U64 kEdges[] = {0,
                            1,
                            2,
                            31,
                            32,
                            0x7f,
                            0x80,
                            0xff,
                            0x7fff,
                            0x8000,
                            0xffff,
                            0x7fffffff,
                            0x80000000,
                            0xffffffff,
                            0x3f800000,
                            0xbf800000,
                            0x7f800000,
                            0xff800000,
                            0x7fc00000,
                            0x7f7fffff,
                            0x00800000,
                            0x007fffff,
                            0x43e00000,
                            0x43e80000,
                            0x47600000,
                            0x40c00000,
                            0x40f00000,
                            0x41e00000,
                            0x3f000000,
                            0x3e800000,
                            0x40200000,
                            0x7c007c00,
                            0xfc00fbff,
                            0x7e007bff,
                            0x3c008001,
                            0x7f7fefff,
                            0x7f7ff000,
                            0x7f7fe000,
                            0x3f801000,
                            0x3f803000,
                            0x8000000000000000,
                            0xffffffffffffffff};
  const auto next = [&]() -> U64 {
    const U64 kind = random() % 4;
    if (kind == 0) return kEdges[random() % std::size(kEdges)];
    // Floats with exponents near zero, and with few bits of fraction.
    if (kind == 1) return (random() & 0x80fff000) | (100 + random() % 50) << 23;
    return random() >> (kind == 2 ? random() % 64 : 0);
  };
  PtxInputs inputs;
  for (unsigned i = 0; i < 2048; ++i) {
    inputs.a.push_back(next());
    inputs.b.push_back(next());
    inputs.c.push_back(next());
  }
  return inputs;
}

void check(const Form& form, const PtxInputs& inputs) {
  INFO(form.statements);
  for (const auto& [capability, registers] : {std::pair{80U, 255U}, {90U, 16U}}) {
    const auto found = run_ptx({form.statements, form.is_wide, capability, registers}, inputs);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const U64 wanted = form.reference(inputs.a[i], inputs.b[i], inputs.c[i]);
      if (found[i] == wanted) continue;
      INFO(std::hex << "a " << inputs.a[i] << " b " << inputs.b[i] << " c " << inputs.c[i]);
      CHECK(found[i] == wanted);
      return;
    }
    SUCCEED("all are right");
  }
}

void check_all(const std::vector<Form>& forms) {
  const std::uint32_t seed = drawn_seed();
  INFO("HEDDLE_SEED=" << seed);
  const PtxInputs inputs = inputs_of(seed);
  for (const Form& form : forms) check(form, inputs);
}

const char* const kNarrow = "mov.b32 {%s1, _}, %a; mov.b32 {%s2, _}, %b; mov.b32 {%s3, _}, %c; ";

TEST_CASE("rare integer instructions of PTX give what the PTX ISA says") {
  check_all({
      {"mad.hi.sat.s32 %r, %a, %b, %c;",
       [](U64 a, U64 b, U64 c) -> U64 { return bits(saturated((S64{s(a)} * s(b) >> 32) + s(c))); }},
      {"mad24.hi.sat.s32 %r, %a, %b, %c;",
       [](U64 a, U64 b, U64 c) -> U64 {
         const S64 product = S64{s(a << 8) >> 8} * (s(b << 8) >> 8);
         return bits(saturated(S64{static_cast<S32>(product >> 16)} + s(c)));
       }},
      {fmt::format("{} sad.u16 %s0, %s1, %s2, %s3; cvt.u32.u16 %r, %s0;", kNarrow), sad<U16>},
      {fmt::format("{} sad.s16 %s0, %s1, %s2, %s3; cvt.u32.u16 %r, %s0;", kNarrow), sad<S16>},
      {"sad.u64 %R, %A, %B, %C;", sad<U64>, true},
      {"sad.s64 %R, %A, %B, %C;", sad<S64>, true},
      {"and.b32 %b, %b, 31; fns.b32 %r, %a, %b, %c;",
       [](U64 a, U64 b, U64 c) -> U64 { return fns(u(a), u(b) & 31, s(c)); }},
      {"and.b32 %b, %b, 31; rem.s32 %c, %c, 9; fns.b32 %r, %a, %b, %c;",
       [](U64 a, U64 b, U64 c) -> U64 { return fns(u(a), u(b) & 31, s(c) % 9); }},
      {"and.b32 %b, %b, 31; fns.b32 %r, %a, %b, 0;",
       [](U64 a, U64 b, U64) -> U64 { return fns(u(a), u(b) & 31, 0); }},
      {"setp.lt.s32 %p1, %c, 9; lop3.and.b32 %r|%p0, %a, %b, %c, 0x80, %p1; selp.b32 %h, 1, 0, %p0;",
       [](U64 a, U64 b, U64 c) -> U64 {
         const U32 d = u(a & b & c);
         return d | U64{d != 0 && s(c) < 9} << 32;
       }},
      {"setp.lt.s32 %p1, %c, 9; lop3.or.b32 _|%p0, %a, %b, %c, 0x96, !%p1; selp.b32 %r, 1, 0, %p0;",
       [](U64 a, U64 b, U64 c) -> U64 { return u(a ^ b ^ c) != 0 || s(c) >= 9; }},
      {"cvt.pack.sat.u16.s32 %r, %a, %b;",
       [](U64 a, U64 b, U64) -> U64 { return packed(a, b, 0, 16, false); }},
      {"cvt.pack.sat.s16.s32 %r, %a, %b;",
       [](U64 a, U64 b, U64) -> U64 { return packed(a, b, 0, 16, true); }},
      {"cvt.pack.sat.u8.s32.b32 %r, %a, %b, %c;",
       [](U64 a, U64 b, U64 c) -> U64 { return packed(a, b, c, 8, false); }},
      {"cvt.pack.sat.s8.s32.b32 %r, %a, %b, %c;",
       [](U64 a, U64 b, U64 c) -> U64 { return packed(a, b, c, 8, true); }},
      {"cvt.pack.sat.u4.s32.b32 %r, %a, %b, %c;",
       [](U64 a, U64 b, U64 c) -> U64 { return packed(a, b, c, 4, false); }},
      {"cvt.pack.sat.s4.s32.b32 %r, %a, %b, %c;",
       [](U64 a, U64 b, U64 c) -> U64 { return packed(a, b, c, 4, true); }},
      {"cvt.pack.sat.u2.s32.b32 %r, %a, %b, %c;",
       [](U64 a, U64 b, U64 c) -> U64 { return packed(a, b, c, 2, false); }},
      {"cvt.pack.sat.s2.s32.b32 %r, %a, %b, %c;",
       [](U64 a, U64 b, U64 c) -> U64 { return packed(a, b, c, 2, true); }},
  });
}

TEST_CASE("conversions to tf32 round and saturate") {
  std::vector<Form> forms;
  for (const bool has_relu : {false, true}) {
    for (const bool saturates : {false, true}) {
      forms.push_back(
          {fmt::format("cvt.rn{}{}.tf32.f32 %r, %a;", has_relu ? ".relu" : "", saturates ? ".satfinite" : ""),
           [=](U64 a, U64, U64) -> U64 { return tf32(a, true, has_relu, saturates); }});
    }
  }
  forms.push_back({"cvt.rna.satfinite.tf32.f32 %r, %a;",
                   [](U64 a, U64, U64) -> U64 { return tf32(a, false, false, true); }});
  check_all(forms);
}

TEST_CASE("conversions to and from floats of 8, 6 and 4 bits follow the formats") {
  std::vector<Form> forms;
  for (const Format& format : kFormats) {
    const bool is_byte = format.sign_place == 3;
    const unsigned upper = is_byte ? 4 : 8;
    const std::string declared = is_byte ? ".reg .b8 %q; " : "";
    const char* to = is_byte ? "%q" : "%s0";
    const char* out = is_byte ? "cvt.u32.u8 %r, %q;" : "cvt.u32.u16 %r, %s0;";
    const char* in = is_byte ? "cvt.u8.u32 %q, %a;" : "cvt.u16.u32 %s0, %a;";
    for (const bool has_relu : {false, true}) {
      const char* relu = has_relu ? ".relu" : "";
      forms.push_back(
          {fmt::format("{}cvt.rn.satfinite{}.{}.f32 {}, %a, %b; {}", declared, relu, format.name, to, out),
           [=](U64 a, U64 b, U64) -> U64 {
             return encoded(format, static_cast<double>(f(a)), has_relu) << upper |
                    encoded(format, static_cast<double>(f(b)), has_relu);
           }});
      forms.push_back(
          {fmt::format("{}cvt.rn.satfinite{}.{}.f16x2 {}, %a; {}", declared, relu, format.name, to, out),
           [=](U64 a, U64, U64) -> U64 {
             return encoded(format, half_value(u(a) >> 16), has_relu) << upper |
                    encoded(format, half_value(u(a) & 0xffff), has_relu);
           }});
      forms.push_back({fmt::format("{}{} cvt.rn{}.f16x2.{} %r, {};", declared, in, relu, format.name, to),
                       [=](U64 a, U64, U64) -> U64 {
                         return half_of(decoded(format, u(a >> upper) & (is_byte ? 15 : 255)), has_relu)
                                    << 16 |
                                half_of(decoded(format, u(a) & (is_byte ? 15 : 255)), has_relu);
                       }});
    }
  }
  forms.push_back({"cvt.u16.u32 %s0, %a; cvt.rn.bf16x2.ue8m0x2 %r, %s0;", [](U64 a, U64, U64) -> U64 {
                     const auto one = [](U64 byte) -> U64 {
                       return byte == 0 ? 0x40 : byte == 255 ? 0x7fff : byte << 7;
                     };
                     return one(a >> 8 & 255) << 16 | one(a & 255);
                   }});
  check_all(forms);
}

TEST_CASE("sums and products of 16-bit floats and floats are those of floats") {
  std::vector<Form> forms;
  for (const bool is_half : {true, false}) {
    const char* type = is_half ? "f16" : "bf16";
    const auto value = [=](U64 word) {
      return is_half ? static_cast<float>(half_value(u(word) & 0xffff)) : bfloat_value(u(word));
    };
    forms.push_back({fmt::format("{} add.f32.{} %r, %s1, %b;", kNarrow, type),
                     [=](U64 a, U64 b, U64) -> U64 { return result(value(a) + f(b)); }});
    forms.push_back({fmt::format("{} sub.rn.f32.{} %r, %s1, %b;", kNarrow, type),
                     [=](U64 a, U64 b, U64) -> U64 { return result(value(a) - f(b)); }});
    forms.push_back(
        {fmt::format("{} add.sat.f32.{} %r, %s1, %b;", kNarrow, type), [=](U64 a, U64 b, U64) -> U64 {
           const float sum = value(a) + f(b);
           return std::isnan(sum) || sum <= 0 ? 0 : bits(std::min(sum, 1.0F));
         }});
    forms.push_back({fmt::format("{} fma.rn.f32.{} %r, %s1, %s2, %c;", kNarrow, type),
                     [=](U64 a, U64 b, U64 c) -> U64 { return result(std::fma(value(a), value(b), f(c))); }});
  }
  check_all(forms);
}

TEST_CASE("registers of 128 bits move all of their words") {
  check_all({
      {".reg .b128 %q<3>; mov.b128 %q0, {%A, %B}; mov.b128 %q1, %q0; mov.b128 {%y0, %y1}, %q1; sub.u64 %R, %y0, %y1;",
       [](U64 a, U64 b, U64) { return a - b; }, true},
      {".reg .b128 %q<3>; .local .align 16 .b8 bytes[32]; mov.b64 %y3, bytes; mov.b128 %q0, {%A, %B};"
       "st.local.b128 [bytes+16], %q0; ld.local.b128 %q1, [%y3+16]; mov.b128 {%y0, %y1}, %q1; sub.u64 %R, %y0, %y1;",
       [](U64 a, U64 b, U64) { return a - b; }, true},
  });
}

TEST_CASE("alloca takes local memory that stackrestore gives back") {
  // 100 rounds of 48 and of 16 bytes, which are given back each time, would not have room beside one another.
  check_all({
      {"mov.u32 %x0, 0; mov.u64 %R, 0; alloca.u64 %y0, 24, 8; st.local.u64 [%y0+16], %A;"
       "round: stacksave.u64 %y1; cvt.u64.u32 %y5, %x0; and.b64 %y5, %y5, 15; add.u64 %y5, %y5, 32;"
       "alloca.u64 %y2, %y5; alloca.u64 %y3, 16, 16; cvta.local.u64 %y4, %y3; st.u64 [%y4+8], %B; st.local.u64 [%y2], %C;"
       "st.local.u64 [%y2+24], %A; ld.local.u64 %y6, [%y3+8]; add.u64 %R, %R, %y6; ld.local.u64 %y6, [%y2]; xor.b64 %R, %R, %y6;"
       "stackrestore.u64 %y1; add.u32 %x0, %x0, 1; setp.lt.u32 %p0, %x0, 100; @%p0 bra round;"
       "ld.local.u64 %y6, [%y0+16]; add.u64 %R, %R, %y6;",
       [](U64 a, U64 b, U64 c) {
         U64 made = 0;
         for (unsigned i = 0; i < 100; ++i) made = (made + b) ^ c;
         return made + a;
       },
       true},
  });
  const std::string greedy =
      "round: alloca.u64 %y0, 512; st.local.u64 [%y0], %A; add.u32 %a, %a, 1; setp.ne.u32 %p0, %a, 0; @%p0 bra round;";
  CHECK_THROWS_AS(run_ptx({greedy}, {{1}, {1}, {1}}), stream::KernelFault);
}

}  // namespace
}  // namespace heddle::test
