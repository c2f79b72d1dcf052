#include "isa/ptx/body_reader.h"

#include <fmt/format.h>

#include "isa/base/quoted.h"
#include "isa/ptx/directive_reader.h"
#include "isa/ptx/initializer_reader.h"
#include "isa/ptx/variable_reader.h"

namespace heddle::ptx {

BodyReader::BodyReader(TokenReader& tokens, Names& names, Module& module, Function& function,
                       Mistakes& mistakes)
    : tokens_(tokens),
      names_(names),
      module_(module),
      function_(function),
      mistakes_(mistakes),
      labels_(function, mistakes),
      lines_(function.source_lines),
      operands_(tokens, names, module.variables, function),
      instructions_(tokens, operands_, labels_, function) {}

void BodyReader::read() {
  const Token brace = tokens_.peek();
  tokens_.expect('{');
  enter();
  while (depth_ > 0 && !tokens_.is_at_end() && !mistakes_.is_full()) read_or_skip();
  if (depth_ > 0 && tokens_.is_at_end()) {
    mistakes_.add(tokens_.peek(), fmt::format("the body of {}, which begins in line {}, never ends",
                                              quoted(function_.name), brace.place.line));
  }
  while (depth_ > 0) leave();
  labels_.finish();
}

void BodyReader::enter() {
  names_.enter();
  labels_.enter();
  ++depth_;
}

void BodyReader::leave() {
  names_.leave();
  labels_.leave();
  --depth_;
}

void BodyReader::read_or_skip() {
  const TokenReader before = tokens_;
  try {
    read_statement();
  } catch (const Mistake& mistake) {
    mistakes_.add(mistake);
    tokens_ = before;
    tokens_.skip_statement();
  }
}

void BodyReader::read_statement() {
  const Token& first = tokens_.peek();
  if (first.is(Token::Kind::Word)) return read_word();
  if (first.is(Token::Kind::DotWord)) return read_directive();
  if (first.is_symbol('@')) return read_guarded();
  if (tokens_.accept(';')) return;
  if (tokens_.accept('{')) return enter();
  if (!first.is_symbol('}')) fail_expected("an instruction, a label or a directive", first);
  function_.end = first.place;
  tokens_.take();
  leave();
}

void BodyReader::read_guarded() {
  tokens_.take();
  Guard guard;
  guard.negated = tokens_.accept('!');
  guard.reg = operands_.read_predicate();
  const Token name = tokens_.expect(Token::Kind::Word, "an instruction");
  instructions_.read(name, guard, lines_.current());
}

void BodyReader::read_word() {
  const Token name = tokens_.take();
  if (tokens_.accept(':')) return read_label(name);
  instructions_.read(name, {}, lines_.current());
}

void BodyReader::read_label(const Token& name) {
  if (tokens_.accept_dot("branchtargets")) return read_branch_targets(name);
  if (tokens_.accept_dot("calltargets")) return read_call_targets(name);
  if (tokens_.accept_dot("callprototype")) return read_prototype(name);
  const auto index = static_cast<std::uint32_t>(function_.body.size());
  function_.labels.push_back({std::string(name.text), index, name.place});
  labels_.define(name, {Operand::Kind::Label, index});
}

void BodyReader::read_branch_targets(const Token& name) {
  const auto index = static_cast<std::uint32_t>(function_.branch_tables.size());
  BranchTable table{std::string(name.text), {}, name.place};
  std::vector<Token> targets;
  do {
    targets.push_back(tokens_.expect(Token::Kind::Word, "a label"));
  } while (tokens_.accept(','));
  tokens_.expect(';', "',' or ';'");
  table.targets.resize(targets.size(), kNone);
  function_.branch_tables.push_back(std::move(table));
  for (std::size_t i = 0; i < targets.size(); ++i) {
    labels_.use_in_table(targets[i], index, static_cast<std::uint32_t>(i));
  }
  labels_.define(name, {Operand::Kind::BranchTable, index});
}

void BodyReader::read_call_targets(const Token& name) {
  CallTable table{std::string(name.text), {}, name.place};
  do {
    const Token target = tokens_.expect(Token::Kind::Word, "a function");
    const auto symbol = names_.symbol(target.text);
    if (!symbol) fail(target, names_.undeclared(target.text));
    if (symbol->kind != SymbolRef::Kind::Function)
      fail(target, fmt::format("{} is no function", quoted(target.text)));
    table.targets.push_back(symbol->index);
  } while (tokens_.accept(','));
  tokens_.expect(';', "',' or ';'");
  labels_.define(name, {Operand::Kind::CallTable, static_cast<std::uint32_t>(function_.call_tables.size())});
  function_.call_tables.push_back(std::move(table));
}

/// (returns) _ (parameters), each list perhaps left out.
void BodyReader::read_prototype(const Token& name) {
  Prototype prototype{std::string(name.text), {}, {}, {}, name.place};
  if (tokens_.peek().is_symbol('(')) prototype.returns = read_parameters(tokens_).variables;
  tokens_.expect(Token::Kind::Word, "'_'");
  if (tokens_.peek().is_symbol('(')) prototype.parameters = read_parameters(tokens_).variables;
  prototype.directives = read_function_directives(tokens_);
  tokens_.expect(';');
  labels_.define(name, {Operand::Kind::Prototype, static_cast<std::uint32_t>(function_.prototypes.size())});
  function_.prototypes.push_back(std::move(prototype));
}

void BodyReader::read_directive() {
  const Token& word = tokens_.peek();
  if (is_linkage(word)) return read_declaration(read_linkage(tokens_));
  if (begins_variable(word)) return read_declaration(Linkage::None);
  if (tokens_.accept_dot("loc")) return lines_.read(tokens_);
  if (word.is_dot("pragma")) return keep_pragma();
  pass_over(tokens_, module_.notes);
}

void BodyReader::keep_pragma() {
  const Directive pragma = read_pragma(tokens_, tokens_.take());
  for (const std::string& text : pragma.texts) {
    function_.pragmas.push_back({text, static_cast<std::uint32_t>(function_.body.size()), pragma.place});
  }
}

void BodyReader::read_declaration(Linkage linkage) {
  const Variable like = read_declaration_head(tokens_, linkage).like;
  if (like.space == StateSpace::Reg) {
    declare_registers(like);
  } else {
    declare_variables(like);
  }
  tokens_.expect(';', "',' or ';'");
}

void BodyReader::declare_registers(const Variable& like) {
  do {
    const Token name = tokens_.expect(Token::Kind::Word, "a register");
    const Register reg{std::string(name.text), like.type, like.vector_width};
    if (const auto count = read_register_count(tokens_)) {
      names_.declare_registers(name, *count, reg);
      continue;
    }
    names_.declare_register(name, static_cast<std::uint32_t>(function_.registers.size()));
    function_.registers.push_back(reg);
  } while (tokens_.accept(','));
}

void BodyReader::declare_variables(const Variable& like) {
  do {
    Variable variable = like;
    const Token name = read_declarator(tokens_, variable);
    const auto index = static_cast<std::uint32_t>(function_.variables.size());
    names_.declare(name, {SymbolRef::Kind::LocalVariable, index});
    function_.variables.push_back(std::move(variable));
    if (tokens_.accept('=')) read_initializer(tokens_, names_, function_.variables.back());
  } while (tokens_.accept(','));
}

}  // namespace heddle::ptx
