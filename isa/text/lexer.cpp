#include "isa/text/lexer.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/text/annotation.h"

namespace heddle::text {

namespace {

constexpr std::string_view kSymbols = "@!~[]|+-,:;(){}<>=*`";

// Not <cctype>: what a kernel file means must not depend on the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool begins_word(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%' || c == '.'; }
bool continues_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$' || c == '.'; }

}  // namespace

std::string describe(const Token& token) {
  if (token.kind == Token::Kind::End) return "the end of the line";
  if (token.kind == Token::Kind::Invalid && token.text.starts_with("/*")) {
    return "a comment that never ends: '/*' without '*/'";
  }
  return quoted(token.text);
}

Lexer::Lexer(std::string_view text) : text_(text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) line_start_ = position_ = kByteOrderMark.size();
}

char Lexer::at(std::size_t offset) const {
  return position_ + offset < text_.size() ? text_[position_ + offset] : '\0';
}

Token Lexer::next() {
  do {
    skip_blanks();
  } while (skip_comment());
  Token token;
  token.kind = kind_here();
  token.text = text_.substr(position_, length_of(token.kind));
  token.line = line_;
  token.column = static_cast<std::uint32_t>(position_ - line_start_ + 1);
  position_ += token.text.size();
  return token;
}

void Lexer::skip_blanks() {
  for (; is_blank(at(0)); ++position_) {
    if (at(0) != '\n') continue;
    ++line_;
    line_start_ = position_ + 1;
  }
}

/// A comment that never ends stays, for next() to return as invalid.
bool Lexer::skip_comment() {
  if (at(0) == '#' || (at(0) == '/' && at(1) == '/')) {
    position_ = std::min(text_.find('\n', position_), text_.size());
    return true;
  }
  if (at(0) != '/' || at(1) != '*') return skip_annotation();
  if (text_.find("*/", position_ + 2) == std::string_view::npos) return false;
  skip_block_comment();
  return true;
}

/// Where a word could begin.
bool Lexer::skip_annotation() {
  if (position_ > line_start_ && continues_word(text_[position_ - 1])) return false;
  const std::size_t length = annotation_length(text_.substr(position_));
  position_ += length;
  return length != 0;
}

void Lexer::skip_block_comment() {
  const std::size_t end = text_.find("*/", position_ + 2) + 2;
  for (; position_ < end; ++position_) {
    if (at(0) != '\n') continue;
    ++line_;
    line_start_ = position_ + 1;
  }
}

Token::Kind Lexer::kind_here() const {
  if (position_ >= text_.size()) return Token::Kind::End;
  const char c = at(0);
  if (is_digit(c) || (c == '.' && is_digit(at(1)))) return Token::Kind::Number;
  if (begins_word(c)) return Token::Kind::Word;
  return kSymbols.find(c) != std::string_view::npos ? Token::Kind::Symbol : Token::Kind::Invalid;
}

std::size_t Lexer::length_of(Token::Kind kind) const {
  std::size_t length = 1;
  switch (kind) {
    case Token::Kind::End:
      return 0;
    case Token::Kind::Word:
      while (continues_word(at(length))) ++length;
      return length;
    case Token::Kind::Number:
      return number_length();
    case Token::Kind::Invalid:
      return at(0) == '/' && at(1) == '*' ? text_.size() - position_ : 1;
    default:
      return 1;
  }
}

/// The sign of an exponent belongs to the number, but in 0x1e-3 and 0f3f80001e-3 the e is a digit.
std::size_t Lexer::number_length() const {
  const char prefix = at(0) == '0' ? at(1) : '\0';
  const bool hexadecimal = is_letter(prefix) && prefix != 'e' && prefix != 'E';
  std::size_t length = 1;
  while (true) {
    const char before = at(length - 1);
    const bool exponent_sign =
        !hexadecimal && (before == 'e' || before == 'E') && (at(length) == '+' || at(length) == '-');
    if (!continues_word(at(length)) && !exponent_sign) return length;
    ++length;
  }
}

}  // namespace heddle::text
