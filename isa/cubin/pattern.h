// How a row of encodings.def is written: the text of the instruction, with fields in braces.
//
//   FADD{@80:|.FTZ} {R16}, {R24-72|73r122}, {bf-|r}
//
//   {@80:|.FTZ}      one bit, or {@78+2:|.RM|.RP|.RZ} two: which of the words it stands for; ? stands for
//   none
//   {#74=1} {#24+8!=255}  the row is for encodings where these bits have this value, or another
//   {cc>=90} {cc<90} the row is for these compute capabilities
//   {~84+3}          bits that mean nothing
//   {R16} {U32}      a register, a uniform one, of 8 bits; -72, |73, ~72: bits that negate it, take its
//   absolute value,
//                    invert it; r122: the bit of its .reuse; h74: two bits that choose a half
//   {P81} {Q81}      a predicate, a uniform one; !90: the bit that negates it; {?P81}: with a comma behind
//   it, and nothing
//                    for PT; s100: from this compute capability on it is printed; {,P87}: with a comma before
//                    it
//                    {?R32}: likewise, and nothing for RZ
//   {x72+8} {s40+24} a number without or with a sign
//   {b...} {c...}    the second and third source of arithmetic, which by the form of the encoding are a
//   register, a
//                    number, a constant or a uniform register: i signed, x unsigned, f float, d double, h
//                    halves, g bfloat16; then -, |, ~ and r for the signs and .reuse that there are; R:
//                    .reuse of the third source
//   {=name}          operands that need code: named_operand() has them
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/cubin/bits.h"

namespace heddle::cubin {

inline constexpr unsigned kNoBit = 255;
inline constexpr unsigned kPlaceOfSource =
    254;  ///< Of {b} and {c}: the bit follows from which of the sources it is.
inline constexpr unsigned kPlaceOfThird = 253;  ///< Of a second source that counts as the third.

/// A part of a pattern.
struct Item {
  /// What it is. A condition prints nothing.
  enum class Kind : std::uint8_t {
    Text,
    Choice,
    Equal,
    Unequal,
    FromCapability,
    BelowCapability,
    Unused,
    Register,
    Uniform,
    Predicate,
    UniformPredicate,
    Unsigned,
    Signed,
    Second,  ///< {b}
    Third,   ///< {c}
    Named,
  };

  Kind kind = Kind::Text;
  std::string text;                  ///< Of Text; the name of Named; the kind of number of Second and Third.
  BitRange bits;                     ///< Where the field lies.
  std::uint64_t value = 0;           ///< Of conditions.
  std::vector<std::string> choices;  ///< Of Choice, in the order of their numbers.
  unsigned negate = kNoBit;          ///< Bits that change how an operand reads; kNoBit: there is none.
  unsigned absolute = kNoBit;
  unsigned invert = kNoBit;
  unsigned reuse = kNoBit;
  unsigned half = kNoBit;     ///< The first of two.
  bool is_optional = false;   ///< Predicates: PT is not printed.
  bool is_last = false;       ///< Predicates: the comma stands before it.
  unsigned shown_from = ~0U;  ///< Optional predicates: PT is printed from this compute capability on.
};

/// The parts of a pattern. Throws std::logic_error if it is not written as above: a mistake in the table.
std::vector<Item> parse_pattern(std::string_view pattern);

}  // namespace heddle::cubin
