#include "isa/ptx/lexer.h"

#include <algorithm>
#include <array>

#include "isa/base/quoted.h"

namespace heddle::ptx {

namespace {

enum : std::uint8_t { kBlank = 1, kDigit = 2, kLetter = 4, kNameSign = 8, kSymbol = 16 };

// Not <cctype>: what a file means must not depend on the locale.
constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (const char c : std::string_view(" \t\n\v\f\r")) classes[static_cast<unsigned char>(c)] = kBlank;
  for (unsigned c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  for (unsigned c = 'a'; c <= 'z'; ++c) classes[c] = kLetter;
  for (unsigned c = 'A'; c <= 'Z'; ++c) classes[c] = kLetter;
  for (const char c : std::string_view("_$")) classes[static_cast<unsigned char>(c)] = kNameSign;
  for (const char c : std::string_view("@!~[]|+-,:;(){}<>=*/%&^?"))
    classes[static_cast<unsigned char>(c)] = kSymbol;
  return classes;
}

constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

bool is_a(char c, unsigned classes) { return (kClasses[static_cast<unsigned char>(c)] & classes) != 0; }
bool is_name(char c) { return is_a(c, kDigit | kLetter | kNameSign); }

}  // namespace

std::string describe(const Token& token) {
  if (token.kind == Token::Kind::End) return "the end of the file";
  if (token.kind != Token::Kind::Invalid) return quoted(token.text);
  if (token.text.starts_with("/*")) return "a comment that never ends: '/*' without '*/'";
  if (token.text.starts_with('"')) return "a string that does not end on its line";
  return quoted(token.text);
}

Lexer::Lexer(std::string_view text) : text_(text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) line_start_ = position_ = kByteOrderMark.size();
}

Token Lexer::next() {
  do {
    skip_blanks();
  } while (skip_comment());
  Token token;
  token.kind = kind_here();
  token.text = text_.substr(position_, length_of(token.kind));
  token.place = {line_, static_cast<std::uint32_t>(position_ - line_start_ + 1)};
  position_ += token.text.size();
  return token;
}

void Lexer::skip_blanks() {
  for (; position_ < text_.size() && is_a(text_[position_], kBlank); ++position_) {
    if (text_[position_] != '\n') continue;
    ++line_;
    line_start_ = position_ + 1;
  }
}

/// A comment that never ends stays, for next() to return as invalid.
bool Lexer::skip_comment() {
  if (at(0) == '/' && at(1) == '/') {
    position_ = std::min(text_.find('\n', position_), text_.size());
    return true;
  }
  if (at(0) != '/' || at(1) != '*') return skip_marker_line();
  const std::size_t end = text_.find("*/", position_ + 2);
  if (end == std::string_view::npos) return false;
  for (; position_ < end + 2; ++position_) {
    if (text_[position_] != '\n') continue;
    ++line_;
    line_start_ = position_ + 1;
  }
  return true;
}

/// `# 12 "kernel.cu"` and whatever else begins with # on a line of its own.
bool Lexer::skip_marker_line() {
  if (at(0) != '#') return false;
  for (std::size_t i = line_start_; i < position_; ++i) {
    if (!is_a(text_[i], kBlank)) return false;
  }
  position_ = std::min(text_.find('\n', position_), text_.size());
  return true;
}

bool Lexer::is_behind_word() const { return position_ > 0 && is_name(text_[position_ - 1]); }

Token::Kind Lexer::kind_here() const {
  if (position_ >= text_.size()) return Token::Kind::End;
  const char c = at(0);
  if (is_a(c, kLetter | kNameSign)) return Token::Kind::Word;
  if (is_a(c, kDigit)) return Token::Kind::Number;
  if (c == '%') return is_name(at(1)) ? Token::Kind::Word : Token::Kind::Symbol;
  if (c == '.' && is_a(at(1), kDigit)) return is_behind_word() ? Token::Kind::DotWord : Token::Kind::Number;
  if (c == '.' && is_name(at(1))) return Token::Kind::DotWord;
  if (c == '"') return string_length() > 1 ? Token::Kind::String : Token::Kind::Invalid;
  if (c == '/' && at(1) == '*') return Token::Kind::Invalid;
  return is_a(c, kSymbol) ? Token::Kind::Symbol : Token::Kind::Invalid;
}

std::size_t Lexer::length_of(Token::Kind kind) const {
  switch (kind) {
    case Token::Kind::End:
      return 0;
    case Token::Kind::Word:
    case Token::Kind::DotWord:
      return word_length(1);
    case Token::Kind::Number:
      return number_length();
    case Token::Kind::String:
      return string_length();
    case Token::Kind::Symbol:
      return symbol_length();
    case Token::Kind::Invalid:
      break;
  }
  if (at(0) == '/') return text_.size() - position_;
  return at(0) == '"' ? std::min(text_.find('\n', position_), text_.size()) - position_ : 1;
}

/// A :: between parts of a word belongs to it; a single colon, which follows a label, does not.
std::size_t Lexer::word_length(std::size_t from) const {
  std::size_t length = from;
  while (true) {
    while (is_name(at(length))) ++length;
    if (at(length) != ':' || at(length + 1) != ':' || !is_name(at(length + 2))) return length;
    length += 3;
  }
}

/// The sign of an exponent belongs to the number, but in 0x1e-3 and 0f3f80001e-3 the e is a digit. A dot
/// belongs to it as in 1.5 and 1., but in 4.b8 and 8.0.target a word begins.
std::size_t Lexer::number_length() const {
  const char prefix = at(0) == '0' ? at(1) : '\0';
  const bool has_prefix = is_a(prefix, kLetter) && prefix != 'e' && prefix != 'E';
  bool may_have_dot = !has_prefix && at(0) != '.';
  std::size_t length = 1;
  while (true) {
    const char before = at(length - 1);
    const char c = at(length);
    const bool exponent_sign = !has_prefix && (before == 'e' || before == 'E') && (c == '+' || c == '-');
    const bool dot = c == '.' && may_have_dot && !is_a(at(length + 1), kLetter | kNameSign);
    if (!is_name(c) && !exponent_sign && !dot) return length;
    if (dot) may_have_dot = false;
    ++length;
  }
}

/// Length with both quotes; 0 if the string does not end on its line.
std::size_t Lexer::string_length() const {
  for (std::size_t i = position_ + 1; i < text_.size() && text_[i] != '\n'; ++i) {
    if (text_[i] == '"') return i + 1 - position_;
    if (text_[i] == '\\' && i + 1 < text_.size() && text_[i + 1] == '"') ++i;
  }
  return 0;
}

std::size_t Lexer::symbol_length() const {
  const char c = at(0);
  const char d = at(1);
  if (d == '=' && (c == '<' || c == '>' || c == '=' || c == '!')) return 2;
  return d == c && (c == '<' || c == '>' || c == '&' || c == '|') ? 2 : 1;
}

}  // namespace heddle::ptx
