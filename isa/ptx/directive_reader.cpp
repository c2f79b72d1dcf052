#include "isa/ptx/directive_reader.h"

#include <fmt/format.h>

#include <limits>

#include "isa/base/quoted.h"
#include "isa/ptx/constant.h"
#include "isa/ptx/mistakes.h"

namespace heddle::ptx {

namespace {

constexpr auto kGreatest = std::numeric_limits<std::uint64_t>::max();

Directive make(const Token& word) {
  Directive directive;
  directive.name = word.inner();
  directive.place = word.place;
  return directive;
}

bool is_value(const Token& token) {
  return token.is(Token::Kind::Number) || token.is(Token::Kind::String) || token.is(Token::Kind::Word);
}

void read_value(TokenReader& tokens, Directive& directive) {
  const Token token = tokens.peek();
  if (token.is(Token::Kind::Number)) {
    directive.numbers.push_back(read_count(tokens, "a number", kGreatest));
    return;
  }
  if (!is_value(token)) fail_expected("a number or a string", token);
  tokens.take();
  directive.texts.emplace_back(token.is(Token::Kind::String) ? token.inner() : token.text);
}

void read_values(TokenReader& tokens, Directive& directive) {
  do {
    read_value(tokens, directive);
  } while (tokens.accept(','));
}

/// .managed, .unified(1, 2)
Directive read_attribute(TokenReader& tokens) {
  Directive attribute = make(tokens.expect(Token::Kind::DotWord, "an attribute such as .managed"));
  if (!tokens.accept('(')) return attribute;
  read_values(tokens, attribute);
  tokens.expect(')', "',' or ')'");
  return attribute;
}

}  // namespace

void read_attributes(TokenReader& tokens, std::vector<Directive>& attributes) {
  tokens.expect('(');
  do {
    attributes.push_back(read_attribute(tokens));
  } while (tokens.accept(','));
  tokens.expect(')', "',' or ')'");
}

Directive read_pragma(TokenReader& tokens, const Token& word) {
  Directive pragma = make(word);
  do {
    pragma.texts.emplace_back(tokens.expect(Token::Kind::String, "a string").inner());
  } while (tokens.accept(','));
  tokens.expect(';', "',' or ';'");
  return pragma;
}

std::vector<Directive> read_function_directives(TokenReader& tokens) {
  std::vector<Directive> directives;
  while (tokens.peek().is(Token::Kind::DotWord)) {
    const Token word = tokens.take();
    if (word.is_dot("attribute")) {
      read_attributes(tokens, directives);
      continue;
    }
    if (word.is_dot("pragma")) {
      directives.push_back(read_pragma(tokens, word));
      continue;
    }
    Directive directive = make(word);
    if (is_value(tokens.peek())) read_values(tokens, directive);
    directives.push_back(std::move(directive));
  }
  return directives;
}

void pass_over(TokenReader& tokens, std::vector<Note>& notes) {
  const Token word = tokens.peek();
  notes.push_back({fmt::format("the directive {} is passed over", quoted(word.text)), word.place});
  tokens.take();
  tokens.skip_line(word);
}

}  // namespace heddle::ptx
