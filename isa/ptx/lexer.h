// Splits PTX text into tokens with their positions. Skips blanks, comments (// and /* */) and lines that
// begin with #, which preprocessors leave.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/ptx/place.h"

namespace heddle::ptx {

/// A token and its position.
struct Token {
  /// What sort of token it is.
  enum class Kind : std::uint8_t {
    Word,     ///< add, %r1, $L__BB0_1, _
    DotWord,  ///< .global, .shared::cta, .1d: a dot and what follows up to the next dot
    Number,   ///< 12, 0x1fU, 1.5e-3, 0f3f800000
    String,   ///< "text", with its quotes
    Symbol,   ///< one character such as { [ ; or two of << >> <= >= == != && ||
    Invalid,  ///< a byte that PTX cannot have, or a comment or string without an end
    End,      ///< the end of the text
  };

  Kind kind = Kind::End;
  std::string_view text;  ///< A view of the text that was read, even if it is empty.
  Place place;

  [[nodiscard]] bool is(Kind expected) const { return kind == expected; }
  [[nodiscard]] bool is_symbol(char symbol) const {
    return kind == Kind::Symbol && text.size() == 1 && text[0] == symbol;
  }
  [[nodiscard]] bool is_word(std::string_view word) const { return kind == Kind::Word && text == word; }
  [[nodiscard]] bool is_dot(std::string_view word) const {
    return kind == Kind::DotWord && text.substr(1) == word;
  }
  /// A DotWord without its dot, a String without its quotes.
  [[nodiscard]] std::string_view inner() const {
    return kind == Kind::String ? text.substr(1, text.size() - 2) : text.substr(1);
  }
};

/// The token for messages: "'add'", or "the end of the file".
std::string describe(const Token& token);

/// Produces the tokens of a text one by one. A copy goes on from the same position.
class Lexer {
 public:
  /// The text must outlive the tokens.
  explicit Lexer(std::string_view text);

  /// The next token. After the last token always Kind::End.
  Token next();

 private:
  [[nodiscard]] char at(std::size_t offset) const {
    return position_ + offset < text_.size() ? text_[position_ + offset] : '\0';
  }
  void skip_blanks();
  bool skip_comment();
  bool skip_marker_line();
  [[nodiscard]] Token::Kind kind_here() const;
  [[nodiscard]] bool is_behind_word() const;
  [[nodiscard]] std::size_t length_of(Token::Kind kind) const;
  [[nodiscard]] std::size_t word_length(std::size_t from) const;
  [[nodiscard]] std::size_t number_length() const;
  [[nodiscard]] std::size_t string_length() const;
  [[nodiscard]] std::size_t symbol_length() const;

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace heddle::ptx
