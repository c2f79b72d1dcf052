// Delivers the tokens of one statement at a time. A statement ends with its line or at a semicolon.
#pragma once

#include <string_view>

#include "isa/text/lexer.h"

namespace heddle::text {

/// The current statement of a text.
class StatementReader {
 public:
  explicit StatementReader(std::string_view text) : text_(text), lexer_(text), ahead_(lexer_.next()) {
    end_.line = 0;
  }

  /// Moves to the next statement and skips the rest of this one. False if there is none.
  bool next_statement();

  /// The next token of the statement; Kind::End at its end.
  [[nodiscard]] Token peek() const { return is_over() ? end_ : ahead_; }
  Token take();
  [[nodiscard]] bool is_over() const;

  /// The text from the next token to the end of its line, with comments; empty at the end of the statement.
  [[nodiscard]] std::string_view rest_of_line() const;

  /// Skips all tokens up to the end of the line, including semicolons.
  void skip_line();

  /// Whether a word and a colon come next.
  [[nodiscard]] bool is_label() const;

  /// Takes the symbol if it comes next.
  bool accept(char symbol);

  // Both throw Mistake if something else comes next. `what` completes "expected ...".
  void expect(char symbol);
  Token expect(Token::Kind kind, std::string_view what);

 private:
  std::string_view text_;
  Lexer lexer_;
  Token ahead_;
  Token end_;  // the position where the statement ends; line 0 before the first statement
};

/// Throws the Mistake "expected <what>, found <token>".
[[noreturn]] void fail_expected(std::string_view what, const Token& found);

}  // namespace heddle::text
