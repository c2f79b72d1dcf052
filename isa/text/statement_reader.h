// Tokens of one statement at a time: a statement ends with its line, or at a semicolon.
#pragma once

#include <string_view>

#include "isa/text/lexer.h"

namespace heddle::text {

class StatementReader {
 public:
  explicit StatementReader(std::string_view text) : text_(text), lexer_(text), ahead_(lexer_.next()) {
    end_.line = 0;
  }

  /// Goes to the next statement, past what is left of this one; false when there is none.
  bool next_statement();

  /// The next token of the statement; Kind::End where it is over.
  [[nodiscard]] Token peek() const { return is_over() ? end_ : ahead_; }
  Token take();
  [[nodiscard]] bool is_over() const;

  /// The text from the next token up to the end of its line, comments and all; empty where the statement is over.
  [[nodiscard]] std::string_view rest_of_line() const;

  /// Takes tokens up to the end of the line, whatever they are; semicolons, too.
  void skip_line();

  /// Whether a word and a colon come next.
  [[nodiscard]] bool is_label() const;

  /// Takes the symbol if it comes next.
  bool accept(char symbol);

  // These two throw Mistake if something else comes next. `what` completes "expected ...".
  void expect(char symbol);
  Token expect(Token::Kind kind, std::string_view what);

 private:
  std::string_view text_;
  Lexer lexer_;
  Token ahead_;
  Token end_;  // where the statement would end if it ended here; before the first one, in no line
};

/// Throws the Mistake "expected <what>, found <token>".
[[noreturn]] void fail_expected(std::string_view what, const Token& found);

}  // namespace heddle::text
