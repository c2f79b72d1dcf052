#include "isa/ptx/token_reader.h"

#include <fmt/format.h>

#include "isa/ptx/mistakes.h"

namespace heddle::ptx {

Token TokenReader::take() {
  const Token taken = ahead_;
  ahead_ = lexer_.next();
  return taken;
}

bool TokenReader::accept(char symbol) {
  if (!ahead_.is_symbol(symbol)) return false;
  take();
  return true;
}

bool TokenReader::accept_dot(std::string_view word) {
  if (!ahead_.is_dot(word)) return false;
  take();
  return true;
}

void TokenReader::expect(char symbol) {
  if (!accept(symbol)) fail_expected(fmt::format("'{}'", symbol), ahead_);
}

void TokenReader::expect(char symbol, std::string_view what) {
  if (!accept(symbol)) fail_expected(what, ahead_);
}

Token TokenReader::expect(Token::Kind kind, std::string_view what) {
  if (ahead_.kind != kind) fail_expected(what, ahead_);
  return take();
}

bool TokenReader::skip_statement() {
  std::size_t open = 0;
  while (!is_at_end()) {
    if (ahead_.is_symbol('}') && open == 0) return false;
    const Token token = take();
    if (token.is_symbol(';')) return true;
    if (token.is_symbol('{')) ++open;
    if (token.is_symbol('}')) --open;
  }
  return false;
}

void TokenReader::skip_declaration() {
  while (!is_at_end()) {
    if (accept(';')) return;
    if (!ahead_.is_symbol('{')) {
      take();
      continue;
    }
    skip_block();
    accept(';');
    return;
  }
}

void TokenReader::skip_line(const Token& first) {
  std::uint32_t line = first.place.line;
  while (!is_at_end() && ahead_.place.line == line) {
    if (ahead_.is_symbol('}') || ahead_.is_symbol('{')) return;
    const Token token = take();
    if (token.is_symbol(';')) return;
    if (token.is_symbol(',') && !is_at_end()) line = ahead_.place.line;
  }
}

bool TokenReader::skip_block() {
  std::size_t open = 0;
  while (!is_at_end()) {
    const Token token = take();
    if (token.is_symbol('{')) ++open;
    if (token.is_symbol('}') && --open == 0) return true;
  }
  return false;
}

}  // namespace heddle::ptx
