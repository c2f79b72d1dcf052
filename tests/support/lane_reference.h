// What single instructions compute, after the PTX ISA document, one lane at a time and in the plainest way:
// the references that lane execution is compared with. They share no code with it.
#pragma once

#include <cstdint>

namespace heddle::test::reference {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

inline constexpr U32 kCanonicalNan = 0x7fffffff;

bool is_nan(U32 bits);

U32 iadd3(U32 a, U32 b, U32 c);
U32 imad(U32 a, U32 b, U32 c);
U64 imad_wide(U32 a, U32 b, U64 c, bool is_signed);

/// PTX lop3: immLut is F(0xF0, 0xCC, 0xAA).
U32 lop3(U32 a, U32 b, U32 c, unsigned table);

/// How SHF moves what. The amount is `bits` at most, or counted round them.
struct Shift {
  bool left = false;
  bool is_signed = false;
  bool high = false;
  bool wraps = false;
  unsigned bits = 32;
};

/// PTX shf: the 64-bit value c:a moved by b bits, bit by bit; what comes in is zero, or the sign.
U32 funnel_shift(U32 a, U32 b, U32 c, const Shift& shift);

U32 fadd(U32 a, U32 b);
U32 fmul(U32 a, U32 b);
U32 ffma(U32 a, U32 b, U32 c);

enum class Rounding { Nearest, Trunc, Floor, Ceil };
U32 float_to_integer(U32 bits, Rounding rounding, bool is_signed);
U32 integer_to_float(U32 value, bool is_signed);

enum class Relation { Less, Equal, LessOrEqual, Greater, NotEqual, GreaterOrEqual };
bool compare_integers(U32 a, U32 b, Relation relation, bool is_signed);

/// False for NaN; with `unordered` true for NaN.
bool compare_floats(U32 a, U32 b, Relation relation, bool unordered);

// -- bits (lane_reference_bits.cpp) ---------------------------------------------------------------

U32 lesser(U32 a, U32 b, bool is_signed);
U32 greater(U32 a, U32 b, bool is_signed);
/// PTX sad: how far they lie apart.
U32 distance(U32 a, U32 b, bool is_signed);
U32 absolute(U32 a);
U32 population(U32 a);
U32 reversed(U32 a);
U32 find_leading_one(U32 a, bool is_signed, bool shift_amount);
U32 permute(U32 a, U32 selector, U32 c);
U32 bit_mask(U32 first, U32 width, bool clamp);
U32 extend(U32 a, U32 width, bool is_signed, bool clamp);
U32 dot_bytes(U32 a, U32 b, U32 c, bool a_signed, bool b_signed);
/// To `bits` bits, saturating; negative ones fill the word with their sign.
U32 narrowed_integer(U32 a, unsigned bits, bool is_signed);
U32 imad_high(U32 a, U32 b, U64 c, bool is_signed);

// With the carry as bit 32.
U64 lea(U32 a, U32 b, unsigned shift);
U64 lea_high(U32 a, U32 b, U32 c, unsigned shift, bool carry);

// -- floats (lane_reference_float.cpp) ------------------------------------------------------------

enum class Direction { Nearest, Down, Up, Zero };

struct FloatMode {
  Direction direction = Direction::Nearest;
  bool flush = false;
  bool saturate = false;
};

// By the host's own arithmetic in that direction.
U32 fadd_as(U32 a, U32 b, const FloatMode& mode);
U32 fmul_as(U32 a, U32 b, const FloatMode& mode);
U32 ffma_as(U32 a, U32 b, U32 c, const FloatMode& mode);

U32 fmnmx(U32 a, U32 b, bool less, bool flush);
U32 whole_float(U32 a, Rounding rounding, bool flush);
U32 flushed(U32 a);

/// A float of 16 bits: bits behind the point, and the least exponent.
struct NarrowFormat {
  int fraction;
  int least;
};
inline constexpr NarrowFormat kHalfFormat{10, -14};
inline constexpr NarrowFormat kBfloatFormat{7, -126};

U32 narrow_from_float(U32 a, const NarrowFormat& format);
U32 narrow_from_double(double a, const NarrowFormat& format);
double double_from_half(U32 a);
U32 float_from_half(U32 a);
U32 hadd2(U32 a, U32 b, const NarrowFormat& format);
U32 hmul2(U32 a, U32 b, const NarrowFormat& format);
U32 hfma2(U32 a, U32 b, U32 c, const NarrowFormat& format);

__extension__ using Integer128 = __int128;

U32 float_of_integer(Integer128 value, Direction direction);
U64 double_of_integer(Integer128 value);
U32 float_of_double(U64 bits, Direction direction);
U32 float_of_double_flushed(U64 bits, Direction direction);  ///< With .FTZ.

/// To an integer of 32 or 64 bits, saturating.
U64 integer_of_double(double value, Rounding rounding, unsigned bits, bool is_signed, U64 nan);

}  // namespace heddle::test::reference
