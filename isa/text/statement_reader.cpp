#include "isa/text/statement_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/text/mistakes.h"

namespace heddle::text {

void fail_expected(std::string_view what, const Token& found) {
  fail(found, fmt::format("expected {}, found {}", what, describe(found)));
}

bool StatementReader::next_statement() {
  while (!is_over()) take();
  while (ahead_.is_symbol(';')) ahead_ = lexer_.next();
  end_.line = ahead_.line;
  return ahead_.kind != Token::Kind::End;
}

bool StatementReader::is_over() const {
  return ahead_.kind == Token::Kind::End || ahead_.line != end_.line || ahead_.is_symbol(';');
}

Token StatementReader::take() {
  if (is_over()) return end_;
  const Token taken = ahead_;
  const std::size_t length = taken.text.size();
  end_ = {Token::Kind::End, taken.text.substr(length), taken.line,
          taken.column + static_cast<std::uint32_t>(length)};
  ahead_ = lexer_.next();
  return taken;
}

std::string_view StatementReader::rest_of_line() const {
  if (is_over()) return {};
  const auto begin = static_cast<std::size_t>(ahead_.text.data() - text_.data());
  return text_.substr(begin, std::min(text_.find('\n', begin), text_.size()) - begin);
}

void StatementReader::skip_line() {
  while (ahead_.kind != Token::Kind::End && ahead_.line == end_.line) ahead_ = lexer_.next();
}

bool StatementReader::is_label() const {
  if (peek().kind != Token::Kind::Word) return false;
  Lexer further = lexer_;
  const Token next = further.next();
  return next.is_symbol(':') && next.line == end_.line;
}

bool StatementReader::accept(char symbol) {
  if (!peek().is_symbol(symbol)) return false;
  take();
  return true;
}

void StatementReader::expect(char symbol) {
  if (!accept(symbol)) fail_expected(fmt::format("'{}'", symbol), peek());
}

Token StatementReader::expect(Token::Kind kind, std::string_view what) {
  if (peek().kind != kind) fail_expected(what, peek());
  return take();
}

}  // namespace heddle::text
