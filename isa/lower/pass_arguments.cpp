#include "isa/lower/pass_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "isa/lower/ptx_statements.h"

namespace heddle::lower {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::SymbolRef;
using Kind = Operand::Kind;

// No name of PTX has a blank.
constexpr std::string_view kArgument = "argument ";
constexpr std::string_view kResult = "result ";

SymbolRef add_variable(ptx::Function& into, ptx::Variable variable) {
  into.variables.push_back(std::move(variable));
  return {SymbolRef::Kind::LocalVariable, static_cast<std::uint32_t>(into.variables.size() - 1)};
}

/// The variable that stands for a formal argument or result in all calls.
SymbolRef passed(ptx::Function& into, std::string name, const ptx::Variable& formal) {
  ptx::Variable variable = formal;
  variable.name = std::move(name);
  variable.space = ptx::StateSpace::Param;
  variable.alignment = std::max<std::uint64_t>(variable.alignment, 16);
  variable.reg = ptx::kNone;
  return add_variable(into, std::move(variable));
}

/// The widest pieces that a variable is copied in.
unsigned piece_bytes(const ptx::Variable& variable) {
  if (!variable.is_array && variable.vector_width == 1)
    return std::max(1U, ptx::info(variable.type).bits / 8U);
  unsigned bytes = 8;
  while (bytes > 1 && (variable.alignment % bytes != 0 || variable.bytes() % bytes != 0)) bytes /= 2;
  return bytes;
}

void copy_variable(ptx::Function& into, const Statements& write, const ptx::Variable& formal, SymbolRef to,
                   SymbolRef from) {
  const unsigned bytes = piece_bytes(formal);
  const Modifier type = bits_type(8 * bytes);
  const Modifier reg_type = move_type(type);
  for (std::uint64_t offset = 0; offset < formal.bytes(); offset += bytes) {
    const Operand word = register_operand(add_register(into, formal.name, reg_type));
    into.body.push_back(write.load(Modifier::Param, type, word, address_operand(from, offset)));
    into.body.push_back(write.store(Modifier::Param, type, address_operand(to, offset), word));
  }
}

bool is_variable(const Operand& operand) {
  return operand.kind == Kind::Symbol && operand.symbol.kind != SymbolRef::Kind::None;
}

SymbolRef passed_argument(ptx::Function& into, const std::vector<ptx::Variable>& formal, std::size_t n) {
  return passed(into, argument_name(n, formal[n].bytes()), formal[n]);
}

SymbolRef passed_result(ptx::Function& into, const std::vector<ptx::Variable>& formal, std::size_t n) {
  return passed(into, result_name(n, formal[n].bytes()), formal[n]);
}

void store_argument(ptx::Function& into, const Statements& write, const std::vector<ptx::Variable>& formal,
                    std::size_t n, const Operand& actual) {
  const SymbolRef to = passed_argument(into, formal, n);
  if (is_variable(actual)) return copy_variable(into, write, formal[n], to, actual.symbol);
  into.body.push_back(write.store(Modifier::Param, formal[n].type, address_operand(to), actual));
}

void load_result(ptx::Function& into, const Statements& write, const std::vector<ptx::Variable>& formal,
                 std::size_t n, const Operand& actual) {
  if (actual.kind == Kind::Sink) return;
  const SymbolRef from = passed_result(into, formal, n);
  if (is_variable(actual)) return copy_variable(into, write, formal[n], actual.symbol, from);
  into.body.push_back(write.load(Modifier::Param, formal[n].type, actual, address_operand(from)));
}

ptx::Instruction call_of(const Statements& write, std::uint32_t callee) {
  return write.make(Opcode::Call, {}, {symbol_operand({SymbolRef::Kind::Function, callee})});
}

/// One comparison for each function; all lanes that go to one function go together.
void append_choice(ptx::Function& into, const Statements& write, const Operand& address,
                   const std::vector<std::uint32_t>& callees) {
  const bool is_wide = ptx::info(into.registers[address.reg].type).bits == 64;
  std::vector<std::size_t> ends;
  for (const std::uint32_t callee : callees) {
    const std::uint32_t is_other = add_register(into, "is_other", Modifier::Pred);
    into.body.push_back(
        write.make(Opcode::Setp, {Modifier::Ne, is_wide ? Modifier::U64 : Modifier::U32},
                   {register_operand(is_other), address, number_operand(function_address(callee))}));
    const auto here = static_cast<std::uint32_t>(into.body.size());
    into.body.push_back(write.jump(here + 3, {is_other, false}));
    into.body.push_back(call_of(write, callee));
    ends.push_back(into.body.size());
    into.body.push_back(write.jump(0));
  }
  into.body.push_back(write.make(Opcode::Trap, {}, {}));
  for (const std::size_t end : ends)
    into.body[end].operands[0].index = static_cast<std::uint32_t>(into.body.size());
}

void unify(Operand& operand, const std::vector<std::uint32_t>& one_of) {
  if (operand.symbol.kind == SymbolRef::Kind::LocalVariable)
    operand.symbol.index = one_of[operand.symbol.index];
  for (Operand& element : operand.elements) unify(element, one_of);
}

}  // namespace

std::string argument_name(std::size_t n, std::uint64_t bytes) {
  return fmt::format("{}{} of {}", kArgument, n, bytes);
}

std::string result_name(std::size_t n, std::uint64_t bytes) {
  return fmt::format("{}{} of {}", kResult, n, bytes);
}

bool is_passed(std::string_view name) { return name.starts_with(kArgument) || name.starts_with(kResult); }

void unify_passed(ptx::Function& function) {
  std::map<std::string, std::uint32_t> first;
  std::vector<std::uint32_t> one_of;
  for (std::uint32_t i = 0; i < function.variables.size(); ++i) {
    const ptx::Variable& variable = function.variables[i];
    one_of.push_back(is_passed(variable.name) ? first.emplace(variable.name, i).first->second : i);
  }
  for (ptx::Instruction& instruction : function.body) {
    for (Operand& operand : instruction.operands) unify(operand, one_of);
  }
}

void append_call(ptx::Function& into, const ptx::Module& module, const ptx::Instruction& call,
                 const std::vector<std::uint32_t>& callees) {
  const Statements write(call);
  static const std::vector<Operand> kNothing;
  const std::vector<Operand>& results = call.operands[0].elements;
  const std::vector<Operand>& arguments = call.operands.size() > 2 ? call.operands[2].elements : kNothing;
  if (!callees.empty()) {
    const std::vector<ptx::Variable>& formal = module.functions[callees[0]].parameters;
    for (std::size_t i = 0; i < formal.size() && i < arguments.size(); ++i)
      store_argument(into, write, formal, i, arguments[i]);
  }
  if (direct_callee(call) == ptx::kNone) {
    append_choice(into, write, call.operands[1], callees);
  } else {
    into.body.push_back(call_of(write, callees[0]));
  }
  if (callees.empty()) return;
  const std::vector<ptx::Variable>& returned = module.functions[callees[0]].returns;
  for (std::size_t i = 0; i < returned.size() && i < results.size(); ++i)
    load_result(into, write, returned, i, results[i]);
}

CalledFrame begin_called(const ptx::Function& function) {
  CalledFrame frame;
  ptx::Function& made = frame.function;
  made.name = function.name;
  made.has_body = true;
  frame.call.opcode = Opcode::Call;
  frame.call.place = function.place;
  frame.call.operands.resize(3);
  const Statements write(frame.call);
  const auto own = [&](const ptx::Variable& formal) {
    ptx::Variable variable = formal;
    variable.space = ptx::StateSpace::Param;
    variable.reg = ptx::kNone;
    return add_variable(made, std::move(variable));
  };
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const SymbolRef from = passed_argument(made, function.parameters, i);
    const SymbolRef to = own(function.parameters[i]);
    copy_variable(made, write, function.parameters[i], to, from);
    frame.call.operands[2].elements.push_back(symbol_operand(to));
  }
  for (const ptx::Variable& formal : function.returns)
    frame.call.operands[0].elements.push_back(symbol_operand(own(formal)));
  return frame;
}

void end_called(CalledFrame& frame, const ptx::Function& function) {
  ptx::Function& made = frame.function;
  const Statements write(frame.call);
  for (std::size_t i = 0; i < function.returns.size(); ++i) {
    const SymbolRef to = passed_result(made, function.returns, i);
    const SymbolRef from = frame.call.operands[0].elements[i].symbol;
    copy_variable(made, write, function.returns[i], to, from);
  }
  made.body.push_back(write.make(Opcode::Ret, {}, {}));
}

}  // namespace heddle::lower
