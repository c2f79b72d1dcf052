#include "isa/text/word_operand.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/ir/special_register.h"
#include "isa/ir/texture_operands.h"
#include "isa/text/mistakes.h"
#include "isa/text/names.h"

namespace heddle::text {

namespace {

using ir::Operand;
using ir::OperandRole;

Operand operand(Operand::Kind kind, std::uint8_t index) {
  Operand made;
  made.kind = kind;
  made.index = index;
  return made;
}

const ir::TextureShapeInfo* find_texture_shape(std::string_view text) {
  return std::ranges::find(ir::kTextureShapes, text, &ir::TextureShapeInfo::name);
}

}  // namespace

bool resembles_register(std::string_view text, char prefix) {
  return text.size() >= 2 && text[0] == prefix && text[1] >= '0' && text[1] <= '9';
}

Operand read_all_predicates(StatementReader& reader, OperandRole role) {
  const bool is_uniform = role == OperandRole::AllUniformPreds;
  const Token token = reader.expect(Token::Kind::Word, ir::info(role).expected);
  if (token.text != (is_uniform ? kAllUniformPredicatesName : kAllPredicatesName))
    fail_expected(ir::info(role).expected, token);
  return operand(Operand::Kind::Predicate, is_uniform ? ir::kUniformPredicateTrue : ir::kPredicateTrue);
}

Operand read_predicate(StatementReader& reader, OperandRole role, OperandPlace& where) {
  const bool negated = reader.accept('!');
  where.value = reader.peek();
  Operand predicate =
      operand(Operand::Kind::Predicate, read_predicate_name(reader, ir::predicate_file(role)));
  predicate.negated = negated;
  return predicate;
}

Operand read_special(StatementReader& reader, OperandRole role) {
  const Token token = reader.expect(Token::Kind::Word, ir::info(role).expected);
  const auto index = parse_special_register(token.text);
  if (!index) {
    fail(token, fmt::format("{} is no special register{}", quoted(token.text),
                            did_you_mean(token.text, ir::kSpecialRegisterNames)));
  }
  return operand(Operand::Kind::Special, *index);
}

Operand read_scoreboard(StatementReader& reader, OperandRole role) {
  const Token token = reader.expect(Token::Kind::Word, ir::info(role).expected);
  for (std::uint8_t index = 0; index < ir::kDependenceBarriers; ++index) {
    if (token.text == fmt::format("SB{}", index)) return operand(Operand::Kind::Scoreboard, index);
  }
  fail_expected(ir::info(role).expected, token);
}

Operand read_group_scoreboard(StatementReader& reader, OperandRole role) {
  const Token token = reader.expect(Token::Kind::Word, ir::info(role).expected);
  if (token.text != kGroupScoreboardName) fail_expected(ir::info(role).expected, token);
  return operand(Operand::Kind::GroupScoreboard, 0);
}

bool is_texture_shape(std::string_view text) { return find_texture_shape(text) != ir::kTextureShapes.end(); }

Operand read_texture_shape(StatementReader& reader, OperandRole role) {
  const Token token = reader.take();  // "2D" is none of the lexer's words
  if (!is_texture_shape(token.text)) fail_expected(ir::info(role).expected, token);
  const auto shape = find_texture_shape(token.text) - ir::kTextureShapes.begin();
  return operand(Operand::Kind::TextureShape, static_cast<std::uint8_t>(shape));
}

Operand read_convergence_barrier(StatementReader& reader, OperandRole role) {
  const Token token = reader.expect(Token::Kind::Word, ir::info(role).expected);
  const auto index = parse_convergence_barrier(token.text);
  if (!index) fail_expected(ir::info(role).expected, token);
  return operand(Operand::Kind::ConvergenceBarrier, *index);
}

std::uint8_t read_predicate_name(StatementReader& reader, ir::PredicateFile file) {
  const std::string_view expected = file == ir::PredicateFile::Warp ? "a uniform predicate" : "a predicate";
  const Token token = reader.expect(Token::Kind::Word, expected);
  const auto of_lanes = file == ir::PredicateFile::Warp ? std::nullopt : parse_predicate(token.text);
  const auto index =
      of_lanes || file == ir::PredicateFile::Lanes ? of_lanes : parse_uniform_predicate(token.text);
  if (index) return *index;
  if (resembles_register(token.text, 'P') && file != ir::PredicateFile::Warp)
    fail(token, fmt::format("{} is no predicate; predicates are P0 to P6 and PT", quoted(token.text)));
  if (token.text.starts_with('U') && resembles_register(token.text.substr(1), 'P') &&
      file != ir::PredicateFile::Lanes) {
    fail(token, fmt::format("{} is no uniform predicate; uniform predicates are UP0 to UP6 and UPT",
                            quoted(token.text)));
  }
  fail_expected(expected, token);
}

}  // namespace heddle::text
