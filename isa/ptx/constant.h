// Numbers in PTX text: literals and constant expressions.
#pragma once

#include <bit>
#include <cstdint>

#include "isa/ptx/token_reader.h"

namespace heddle::ptx {

/// The value of a constant expression.
struct Constant {
  /// The type of the value.
  enum class Kind : std::uint8_t {
    Signed,    ///< .s64
    Unsigned,  ///< .u64
    Double,    ///< the bits of a double
    Single,    ///< 0f and eight digits: the bits of a float
  };

  Kind kind = Kind::Signed;
  std::uint64_t bits = 0;

  [[nodiscard]] bool is_integer() const { return kind == Kind::Signed || kind == Kind::Unsigned; }
  [[nodiscard]] bool is_negative() const { return kind == Kind::Signed && bits >> 63 != 0; }
  [[nodiscard]] bool is_true() const { return is_integer() ? bits != 0 : as_double() != 0; }
  [[nodiscard]] double as_double() const;
};

inline constexpr std::string_view kWarpSize = "WARP_SZ";

/// Reads a number token. Throws Mistake.
Constant read_literal(const Token& token);

/// Whether a constant expression may begin with the token.
bool begins_constant(const Token& token);

/// Reads a constant expression: C's operators, .s64, .u64 and .f64. Throws Mistake.
Constant read_constant(TokenReader& tokens);

/// The same, behind a minus that has been taken.
Constant read_constant_after_minus(TokenReader& tokens);

/// Reads an integer expression that is not negative and at most `most`. `what` names it in messages.
std::uint64_t read_count(TokenReader& tokens, std::string_view what, std::uint64_t most);

}  // namespace heddle::ptx
