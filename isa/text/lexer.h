// Words, numbers and symbols of kernel text, with their places. Blanks and comments (//, /* */, #) fall away.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::text {

struct Token {
  enum class Kind : std::uint8_t {
    Word,     ///< LDG.E.128, .kernel, R2.64, %r1, $L1: letters, digits, dots, _, $; % in front only
    Number,   ///< 12, 0x1f, 1e-3, 0f3f800000: a digit and all that hangs on to it
    Symbol,   ///< one character such as @ ! [ ] | + - , : ;
    Invalid,  ///< a byte that no kernel text has, or a comment that never ends
    End,      ///< nothing more
  };

  Kind kind = Kind::End;
  std::string_view text;  ///< Lies in the text that was read, even where it is empty.
  std::uint32_t line = 1;
  std::uint32_t column = 1;  ///< In bytes.

  [[nodiscard]] bool is_symbol(char symbol) const { return kind == Kind::Symbol && text[0] == symbol; }
};

/// The token as a message names it: 'R300', or "the end of the line".
std::string describe(const Token& token);

/// Text in quotes, with unprintable bytes escaped and cut when it is long.
std::string quoted(std::string_view text);

class Lexer {
 public:
  /// The text must outlive the tokens.
  explicit Lexer(std::string_view text);

  /// The next token; Kind::End for ever behind the last.
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
