#include "isa/text/lexer.h"

#include <vector>

#include "tests/support/catch.h"

namespace heddle::text {
namespace {

std::vector<Token> tokens_of(std::string_view text) {
  Lexer lexer(text);
  std::vector<Token> tokens;
  for (Token token = lexer.next(); token.kind != Token::Kind::End; token = lexer.next())
    tokens.push_back(token);
  return tokens;
}

std::vector<std::string> texts_of(std::string_view text) {
  std::vector<std::string> texts;
  for (const Token& token : tokens_of(text)) texts.emplace_back(token.text);
  return texts;
}

using Texts = std::vector<std::string>;

TEST_CASE("words keep their dots, numbers their exponents, symbols stand alone") {
  CHECK(texts_of("@!P0 LDG.E.128 R4, [R2.64+-0x1e-3];") ==
        Texts{"@", "!", "P0", "LDG.E.128", "R4", ",", "[", "R2.64", "+", "-", "0x1e", "-", "3", "]", ";"});
  CHECK(texts_of("1e-3 1E+3 .5 2.5e7-1 0f3f8000e0-1 12abc") ==
        Texts{"1e-3", "1E+3", ".5", "2.5e7", "-", "1", "0f3f8000e0", "-", "1", "12abc"});
  CHECK(texts_of("%r1 $L1 _Z3fooPf .L_x_1: a%b") ==
        Texts{"%r1", "$L1", "_Z3fooPf", ".L_x_1", ":", "a", "%b"});
}

TEST_CASE("a token knows its line and column, in bytes from 1") {
  const auto tokens = tokens_of("a\n\tbb /* c\n c */ d // e\r\nf");
  REQUIRE(tokens.size() == 4);
  CHECK((tokens[1].line == 2 && tokens[1].column == 2));
  CHECK((tokens[2].line == 3 && tokens[2].column == 7));
  CHECK((tokens[3].line == 4 && tokens[3].column == 1));
}

TEST_CASE("bytes that no kernel text has are single invalid tokens") {
  const auto tokens = tokens_of(std::string_view("a ? \0 \xff /* b", 12));
  REQUIRE(tokens.size() == 5);
  for (std::size_t i = 1; i < 5; ++i) CHECK(tokens[i].kind == Token::Kind::Invalid);
  CHECK(describe(tokens[2]) == "'\\x00'");
  CHECK(describe(tokens[3]) == "'\\xff'");
  CHECK(tokens[4].text == "/* b");
  CHECK(tokens_of("a / b")[1].kind == Token::Kind::Invalid);
}

TEST_CASE("behind the last token there is nothing for ever") {
  Lexer lexer("x");
  lexer.next();
  CHECK(lexer.next().kind == Token::Kind::End);
  CHECK(lexer.next().kind == Token::Kind::End);
}

}  // namespace
}  // namespace heddle::text
