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

/// The 64-bit value c:a moved by b bits, bit by bit; what comes in is zero, or the sign.
U32 funnel_shift(U32 a, U32 b, U32 c, bool left, bool is_signed, bool high);

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

}  // namespace heddle::test::reference
