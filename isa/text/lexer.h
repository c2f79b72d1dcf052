// Splits kernel text into words, numbers and symbols with their positions. Skips blanks and comments (//, /*
// */, #).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/base/quoted.h"

namespace heddle::text {

/// A token and its position.
struct Token {
  /// What a token is.
  enum class Kind : std::uint8_t {
    Word,     ///< LDG.E.128, .kernel, R2.64, %r1, $L1: letters, digits, dots, _, $; % in front only
    Number,   ///< 12, 0x1f, 1e-3, 0f3f800000: a digit and all letters and digits that follow
    Symbol,   ///< one character such as @ ! [ ] | + - , : ;
    Invalid,  ///< a byte that kernel text cannot have, or a comment without an end
    End,      ///< the end of the text
  };

  Kind kind = Kind::End;
  std::string_view text;  ///< A view of the text that was read, even if it is empty.
  std::uint32_t line = 1;
  std::uint32_t column = 1;  ///< In bytes.

  [[nodiscard]] bool is_symbol(char symbol) const { return kind == Kind::Symbol && text[0] == symbol; }
};

/// The token for messages: 'R300', or "the end of the line".
std::string describe(const Token& token);

/// Produces the tokens of a text one by one.
class Lexer {
 public:
  /// The text must outlive the tokens.
  explicit Lexer(std::string_view text);

  /// The next token. After the last token always Kind::End.
  Token next();

 private:
  [[nodiscard]] char at(std::size_t offset) const;
  void skip_blanks();
  bool skip_comment();
  bool skip_annotation();
  void skip_block_comment();
  [[nodiscard]] Token::Kind kind_here() const;
  [[nodiscard]] std::size_t length_of(Token::Kind kind) const;
  [[nodiscard]] std::size_t number_length() const;

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace heddle::text
