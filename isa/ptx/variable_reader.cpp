#include "isa/ptx/variable_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "isa/base/quoted.h"
#include "isa/ptx/constant.h"
#include "isa/ptx/directive_reader.h"
#include "isa/ptx/mistakes.h"

namespace heddle::ptx {

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;  // that a variable may have
constexpr std::uint64_t kMostAlignment = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostRegisters = std::numeric_limits<std::uint32_t>::max();

struct SpaceWord {
  std::string_view word;
  StateSpace space;
};

constexpr std::array<SpaceWord, 8> kSpaces = {{{"reg", StateSpace::Reg},
                                               {"global", StateSpace::Global},
                                               {"const", StateSpace::Const},
                                               {"shared", StateSpace::Shared},
                                               {"shared::cta", StateSpace::Shared},
                                               {"local", StateSpace::Local},
                                               {"param", StateSpace::Param},
                                               {"tex", StateSpace::Tex}}};

struct LinkageWord {
  std::string_view word;
  Linkage linkage;
};

constexpr std::array<LinkageWord, 4> kLinkages = {{{"extern", Linkage::Extern},
                                                   {"visible", Linkage::Visible},
                                                   {"weak", Linkage::Weak},
                                                   {"common", Linkage::Common}}};

std::optional<StateSpace> space_of(const Token& token) {
  if (!token.is(Token::Kind::DotWord)) return std::nullopt;
  for (const SpaceWord& each : kSpaces) {
    if (each.word == token.inner()) return each.space;
  }
  return std::nullopt;
}

Linkage linkage_of(const Token& token) {
  if (!token.is(Token::Kind::DotWord)) return Linkage::None;
  for (const LinkageWord& each : kLinkages) {
    if (each.word == token.inner()) return each.linkage;
  }
  return Linkage::None;
}

std::uint64_t read_alignment(TokenReader& tokens) {
  const Token first = tokens.peek();
  const std::uint64_t alignment = read_count(tokens, "an alignment", kMostAlignment);
  if (!std::has_single_bit(alignment))
    fail(first, fmt::format("an alignment is a power of two, found {}", alignment));
  return alignment;
}

/// .ptr, .ptr .global .align 16
PointerAttribute read_pointer(TokenReader& tokens) {
  PointerAttribute pointer;
  pointer.is_pointer = true;
  if (const auto space = space_of(tokens.peek())) {
    pointer.space = *space;
    tokens.take();
  }
  if (tokens.accept_dot("align")) pointer.alignment = read_alignment(tokens);
  return pointer;
}

std::uint8_t vector_width(const Token& word) {
  if (word.is_dot("v2")) return 2;
  if (word.is_dot("v4")) return 4;
  return word.is_dot("v8") ? 8 : 0;
}

void read_head_word(TokenReader& tokens, Variable& variable) {
  const Token word = tokens.take();
  if (const auto space = space_of(word); space && variable.space == StateSpace::Generic) {
    variable.space = *space;
  } else if (word.is_dot("align")) {
    variable.alignment = read_alignment(tokens);
  } else if (word.is_dot("ptr")) {
    variable.pointer = read_pointer(tokens);
  } else if (word.is_dot("attribute")) {
    read_attributes(tokens, variable.attributes);
  } else if (const std::uint8_t width = vector_width(word); width != 0) {
    variable.vector_width = width;
  } else {
    const Modifier type = find_modifier(word.inner());
    if (!is_type(type)) fail(word, fmt::format("{} is no type", quoted(word.text)));
    if (variable.type != Modifier::Unknown) fail(word, "a variable has one type");
    variable.type = type;
  }
}

void read_dimension(TokenReader& tokens, Variable& variable) {
  const Token bracket = tokens.take();
  variable.is_array = true;
  std::uint64_t count = 0;
  if (tokens.peek().is_symbol(']')) {
    if (!variable.dimensions.empty()) fail(bracket, "only the first dimension of an array may be left open");
    variable.is_open = true;
  } else {
    count = read_count(tokens, "an array's size", kMostBytes);
  }
  tokens.expect(']');
  variable.dimensions.push_back(count);
  const bool fits = count == 0 || variable.bytes() <= kMostBytes / count;
  variable.elements *= count;
  if (!fits) {
    fail(bracket, fmt::format("{} is larger than 1 TiB", quoted(variable.name)));
  }
}

}  // namespace

bool is_linkage(const Token& word) { return linkage_of(word) != Linkage::None; }

Linkage read_linkage(TokenReader& tokens) {
  Linkage linkage = Linkage::None;
  while (is_linkage(tokens.peek())) linkage = linkage_of(tokens.take());
  return linkage;
}

bool begins_variable(const Token& word) { return space_of(word).has_value(); }

DeclarationHead read_declaration_head(TokenReader& tokens, Linkage linkage) {
  DeclarationHead head;
  head.first = tokens.peek();
  head.like.linkage = linkage;
  while (tokens.peek().is(Token::Kind::DotWord)) read_head_word(tokens, head.like);
  Variable& like = head.like;
  if (like.space == StateSpace::Generic) fail_expected("a state space such as .global", head.first);
  if (like.type == Modifier::Unknown) fail_expected("a type such as .b32", tokens.peek());
  if (like.alignment == 0) like.alignment = std::max<std::uint64_t>(std::bit_ceil(like.element_bytes()), 1);
  return head;
}

Token read_declarator(TokenReader& tokens, Variable& variable) {
  const Token name = tokens.expect(Token::Kind::Word, "a name");
  variable.name = name.text;
  variable.place = name.place;
  while (tokens.peek().is_symbol('[')) read_dimension(tokens, variable);
  return name;
}

std::optional<std::uint64_t> read_register_count(TokenReader& tokens) {
  if (!tokens.accept('<')) return std::nullopt;
  const Token number = tokens.expect(Token::Kind::Number, "the number of registers");
  const Constant count = read_literal(number);
  if (!count.is_integer() || count.bits > kMostRegisters) {
    fail(number, fmt::format("{} is no number of registers; at most {} are possible", quoted(number.text),
                             kMostRegisters));
  }
  tokens.expect('>');
  return count.bits;
}

ParameterList read_parameters(TokenReader& tokens) {
  ParameterList list;
  tokens.expect('(');
  if (tokens.accept(')')) return list;
  do {
    Variable variable = read_declaration_head(tokens, Linkage::None).like;
    if (variable.space != StateSpace::Param && variable.space != StateSpace::Reg) {
      fail(tokens.peek(), "a parameter is .param or .reg");
    }
    list.names.push_back(read_declarator(tokens, variable));
    list.variables.push_back(std::move(variable));
  } while (tokens.accept(','));
  tokens.expect(')', "',' or ')'");
  return list;
}

}  // namespace heddle::ptx
