// Statements of PTX on floats, for edges and random operands, against what is expected of each.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/narrow_formats.h"
#include "tests/support/ptx_run.h"

namespace heddle::test {

using U32 = std::uint32_t;

/// How the 64 bits of a result are looked at: any NaN is as good as another.
enum class Result { Word, Wide, Float, Double, Half, Bfloat, Halves, Bfloats, Narrow };

struct Form {
  std::string statements;
  Result result;
  std::function<U64(U64, U64, U64)> reference;
};

inline float f(U64 bits) { return std::bit_cast<float>(static_cast<U32>(bits)); }
inline double d(U64 bits) { return std::bit_cast<double>(bits); }
inline U64 bits(float value) { return std::bit_cast<U32>(value); }
inline U64 bits(double value) { return std::bit_cast<U64>(value); }

inline float flush(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value) : value;
}
inline Result result_of(const Format& format) {
  return format.fraction == kHalf.fraction ? Result::Half : Result::Bfloat;
}

inline bool is_nan(Result result, U64 word) {
  switch (result) {
    case Result::Float:
      return std::isnan(f(word));
    case Result::Double:
      return std::isnan(d(word));
    case Result::Half:
      return std::isnan(value_of(kHalf, word & 0xffff));
    case Result::Bfloat:
      return std::isnan(value_of(kBfloat, word & 0xffff));
    default:
      return false;
  }
}

inline U64 seen(Result result, U64 word) {
  switch (result) {
    case Result::Half:
    case Result::Bfloat:
    case Result::Narrow:
      return word & 0xffff;
    case Result::Word:
    case Result::Float:
    case Result::Halves:
    case Result::Bfloats:
      return word & 0xffffffff;
    default:
      return word;
  }
}

inline bool agree(Result result, U64 found, U64 expected) {
  if (result == Result::Halves || result == Result::Bfloats) {
    const Result one = result == Result::Halves ? Result::Half : Result::Bfloat;
    return agree(one, found, expected) && agree(one, found >> 16, expected >> 16);
  }
  return seen(result, found) == seen(result, expected) || (is_nan(result, found) && is_nan(result, expected));
}

// -- inputs -------------------------------------------------------------------------------------------------

inline const std::vector<U64> kFloats = {
    0,          0x80000000, 1,          0x80000001, 0x7fffff,   0x400000,   0x807fffff, 0x800000,
    0x80800000, 0x800001,   0xffffff,   0x1000000,  0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001,
    0x3fffffff, 0x40000000, 0x40400000, 0x40490fdb, 0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000,
    0xc0200000, 0x7e800000, 0x7e800001, 0x7f000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
    0x7fc00000, 0xffc00001, 0x7f800001, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000,
    0x5f000000, 0xdf000000, 0x5f800000, 0x42fe0000, 0x43000000, 0x437f0000, 0x437f8000, 0x43800000,
    0xc3008000, 0x477fe000, 0x477fefff, 0x477ff000, 0x33000000, 0x33000001, 0x387fc000, 0x38800000,
    0x3f808000, 0x3f818000, 0x7f7f8000, 0x42800000, 0x4b800000};
inline const std::vector<U64> kDoubles = {0,
                                          U64{1} << 63,
                                          1,
                                          (U64{1} << 63) | 1,
                                          0xfffffffffffff,
                                          0x8000000000000,
                                          0x10000000000000,
                                          0x8010000000000000,
                                          0x10000000000001,
                                          0x3ff0000000000000,
                                          0xbff0000000000000,
                                          0x3fefffffffffffff,
                                          0x3ff0000000000001,
                                          0x3fffffffffffffff,
                                          0x4000000000000000,
                                          0x4008000000000000,
                                          0x3fe0000000000000,
                                          0xbfe0000000000000,
                                          0x3ff8000000000000,
                                          0x4004000000000000,
                                          0x7fd0000000000001,
                                          0x7fe0000000000000,
                                          0x7fefffffffffffff,
                                          0xffefffffffffffff,
                                          0x7ff0000000000000,
                                          0xfff0000000000000,
                                          0x7ff8000000000000,
                                          0xfff8000000000001,
                                          0x7ff0000000000001,
                                          0x41e0000000000000,
                                          0xc1e0000000000000,
                                          0x41dfffffffc00000,
                                          0x41efffffffe00000,
                                          0x41f0000000000000,
                                          0x43e0000000000000,
                                          0xc3e0000000000000,
                                          0x43f0000000000000,
                                          0x00000000ffffffff,
                                          0x0000000100000000,
                                          0x380fffffffffffff,
                                          0x3690000000000000,
                                          0x36a0000000000000,
                                          0x3810000000000000,
                                          0x47efffffe0000000,
                                          0x47efffffefffffff,
                                          0x47effffff0000000,
                                          0x3e60000000000000,
                                          0x3e60000000000001,
                                          0x40effc0000000000,
                                          0x40effdffffffffff,
                                          0x40effe0000000000,
                                          0x0360000000000000,
                                          0x7cb0000000000000};
inline const std::vector<U64> kHalves = {
    0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x3c00, 0xbc00, 0x3bff, 0x3c01, 0x7bff, 0xfbff,
    0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7c01, 0x3800, 0x3e00, 0x4100, 0x5bf8, 0x5c00, 0xd7ff, 0x5800,
    0x5808, 0x7f80, 0xff80, 0x7fc0, 0x7f7f, 0x3f80, 0x3f81, 0x0080, 0x007f, 0x4f00, 0x7f00, 0x4000};
inline const std::vector<U64> kIntegers = {0,
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

/// All pairs of the edges, and random words beside: of any bits, and of such as lie near one another.
inline PtxInputs inputs_of(const std::vector<U64>& edges, unsigned width, std::mt19937_64& random) {
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

inline void check(const std::vector<Form>& forms, const std::vector<U64>& edges, unsigned width, U64 salt) {
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
          FAIL_CHECK(
              fmt::format("{} (sm_{}, {} registers, seed {}): of {:#x}, {:#x}, {:#x} {:#x} instead of {:#x}",
                          form.statements, capability, most_registers, seed, inputs.a[t], inputs.b[t],
                          inputs.c[t], seen(form.result, results[t]), seen(form.result, expected)));
        }
        CHECK(wrong == 0);
      }
    }
  }
}

}  // namespace heddle::test
