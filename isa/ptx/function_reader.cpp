#include "isa/ptx/function_reader.h"

#include <fmt/format.h>

#include "isa/base/quoted.h"
#include "isa/ptx/body_reader.h"
#include "isa/ptx/directive_reader.h"

namespace heddle::ptx {

void FunctionReader::read(Linkage linkage) {
  Head head = read_head(linkage);
  const bool has_body = tokens_.peek().is_symbol('{');
  if (!has_body) tokens_.expect(';', "'{' or ';'");
  const std::uint32_t index = declare(head, has_body);
  if (has_body) read_body(head, module_.functions[index]);
}

FunctionReader::Head FunctionReader::read_head(Linkage linkage) {
  Head head;
  Function& function = head.function;
  function.linkage = linkage;
  function.is_entry = tokens_.take().is_dot("entry");
  if (tokens_.accept_dot("attribute")) read_attributes(tokens_, function.directives);
  if (!function.is_entry && tokens_.peek().is_symbol('(')) {
    ParameterList list = read_parameters(tokens_);
    function.returns = std::move(list.variables);
    head.returns = std::move(list.names);
  }
  head.name = tokens_.expect(Token::Kind::Word, function.is_entry ? "a kernel's name" : "a function's name");
  function.name = head.name.text;
  function.place = head.name.place;
  if (tokens_.peek().is_symbol('(')) {
    ParameterList list = read_parameters(tokens_);
    function.parameters = std::move(list.variables);
    head.parameters = std::move(list.names);
  }
  std::vector<Directive> directives = read_function_directives(tokens_);
  for (Directive& each : directives) function.directives.push_back(std::move(each));
  return head;
}

/// A prototype and its definition are one function, at the place in the list of whichever comes first.
std::uint32_t FunctionReader::declare(Head& head, bool has_body) {
  const auto known = names_.symbol(head.name.text);
  head.function.has_body = has_body;
  if (!known || known->kind != SymbolRef::Kind::Function) {
    const auto index = static_cast<std::uint32_t>(module_.functions.size());
    names_.declare(head.name, {SymbolRef::Kind::Function, index});
    module_.functions.push_back(head.function);
    return index;
  }
  Function& before = module_.functions[known->index];
  if (before.has_body && has_body) {
    fail(head.name, fmt::format("{} is defined twice; its first body is in line {}", quoted(head.name.text),
                                before.place.line));
  }
  if (before.is_entry != head.function.is_entry ||
      before.parameters.size() != head.function.parameters.size()) {
    fail(head.name,
         fmt::format("{} is declared otherwise in line {}", quoted(head.name.text), before.place.line));
  }
  if (has_body) before = head.function;
  return known->index;
}

void FunctionReader::read_body(const Head& head, Function& function) {
  const NameScope scope(names_);
  declare_parameters(function.returns, head.returns, SymbolRef::Kind::Return, function);
  declare_parameters(function.parameters, head.parameters, SymbolRef::Kind::Parameter, function);
  BodyReader(tokens_, names_, module_, function, mistakes_).read();
}

void FunctionReader::declare_parameters(std::vector<Variable>& variables, const std::vector<Token>& names,
                                        SymbolRef::Kind kind, Function& function) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    Variable& variable = variables[i];
    if (variable.space == StateSpace::Reg) {
      variable.reg = static_cast<std::uint32_t>(function.registers.size());
      function.registers.push_back({variable.name, variable.type, variable.vector_width});
    }
    if (variable.name == "_") continue;
    if (variable.space == StateSpace::Reg) {
      names_.declare_register(names[i], variable.reg);
    } else {
      names_.declare(names[i], {kind, static_cast<std::uint32_t>(i)});
    }
  }
}

}  // namespace heddle::ptx
