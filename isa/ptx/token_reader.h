// Delivers tokens one at a time, with one of them ahead.
#pragma once

#include <string_view>

#include "isa/ptx/lexer.h"

namespace heddle::ptx {

/// What all readers of PTX take their tokens from: the lexer with a lookahead of one.
class TokenReader {
 public:
  /// The text must outlive the tokens.
  explicit TokenReader(std::string_view text) : lexer_(text), ahead_(lexer_.next()) {}

  [[nodiscard]] const Token& peek() const { return ahead_; }
  Token take();
  [[nodiscard]] bool is_at_end() const { return ahead_.kind == Token::Kind::End; }

  /// Takes the token if it comes next.
  bool accept(char symbol);
  bool accept_dot(std::string_view word);

  // These throw Mistake if something else comes next. `what` completes "expected ...".
  void expect(char symbol);
  void expect(char symbol, std::string_view what);
  Token expect(Token::Kind kind, std::string_view what);

  /// Skips to behind the next semicolon. False if the text ends before, or a block that was open.
  bool skip_statement();
  /// Skips to behind a semicolon or a whole block in braces, whichever comes first outside of braces.
  void skip_declaration();
  /// Skips what stands in the line of a token, at most to behind a semicolon. A line that ends in a comma
  /// goes on.
  void skip_line(const Token& first);
  /// Skips a block in braces, which must come next. False if the text ends in it.
  bool skip_block();

 private:
  Lexer lexer_;
  Token ahead_;
};

}  // namespace heddle::ptx
