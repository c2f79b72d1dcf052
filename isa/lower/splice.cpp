#include "isa/lower/splice.h"

#include <string>
#include <vector>

#include "isa/lower/append_function.h"
#include "isa/lower/ptx_statements.h"

namespace heddle::lower {

namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::SymbolRef;
using Kind = Operand::Kind;

/// For each formal parameter what stands for it in the caller: a variable of space .param. What is a register
/// on one side and a variable on the other gets a variable and a copy.
std::vector<Operand> arguments_of(ptx::Function& into, const Statements& write, bool is_call,
                                  const std::vector<ptx::Variable>& formal,
                                  const std::vector<Operand>& actual, std::uint32_t registers,
                                  bool are_results) {
  std::vector<Operand> made;
  for (std::size_t i = 0; i < formal.size() && i < actual.size(); ++i) {
    const Operand& one = actual[i];
    const bool is_variable = is_call && one.kind == Kind::Symbol && one.symbol.kind != SymbolRef::Kind::None;
    if (formal[i].space == ptx::StateSpace::Reg) {
      Operand inner = register_operand(formal[i].reg + registers);
      const Modifier type = formal[i].type;
      if (is_variable) {
        const Operand address = address_operand(one.symbol);
        into.body.push_back(are_results ? write.store(Modifier::Param, type, address, inner)
                                        : write.load(Modifier::Param, type, inner, address));
      } else if (one.kind != Kind::Sink) {
        into.body.push_back(are_results ? write.move(move_type(type), one, inner)
                                        : write.move(move_type(type), inner, one));
      }
      made.push_back(std::move(inner));
      continue;
    }
    if (is_variable) {
      made.push_back(one);
      continue;
    }
    ptx::Variable variable = formal[i];
    Operand symbol =
        symbol_operand({SymbolRef::Kind::LocalVariable, static_cast<std::uint32_t>(into.variables.size())});
    into.variables.push_back(std::move(variable));
    if (!are_results) {
      into.body.push_back(write.store(Modifier::Param, formal[i].type, address_operand(symbol.symbol), one));
    }
    made.push_back(std::move(symbol));
  }
  return made;
}

/// The callee's instructions, branch tables and source lines. A return becomes a jump to the end.
void append_body(ptx::Function& into, const Instruction& call, const ptx::Function& callee,
                 const Shift& shift) {
  const bool is_call = call.opcode == Opcode::Call;
  const auto end = shift.labels + static_cast<std::uint32_t>(callee.body.size());
  const auto lines = static_cast<std::uint32_t>(into.source_lines.size());
  append_tables(into, callee, shift);
  into.source_lines.insert(into.source_lines.end(), callee.source_lines.begin(), callee.source_lines.end());
  for (Instruction instruction : callee.body) {
    shift.apply(instruction);
    const bool has_line = is_call && instruction.source != ptx::kNone;
    instruction.source = has_line ? instruction.source + lines : call.source;
    if (!is_call) {
      instruction.place = call.place;
      instruction.mnemonic = call.mnemonic;
    }
    if (instruction.opcode == Opcode::Ret) {
      instruction.opcode = Opcode::Bra;
      instruction.operands.assign(1, label_operand(end));
    }
    into.body.push_back(std::move(instruction));
  }
}

/// Reads results that the callee left in variables into the caller's registers.
void read_results(ptx::Function& into, const Statements& write, const ptx::Function& callee,
                  const std::vector<Operand>& results, const std::vector<Operand>& returned) {
  for (std::size_t i = 0; i < returned.size(); ++i) {
    const ptx::Variable& formal = callee.returns[i];
    if (formal.space == ptx::StateSpace::Reg || results[i].kind != Kind::Register) continue;
    into.body.push_back(
        write.load(Modifier::Param, formal.type, results[i], address_operand(returned[i].symbol)));
  }
}

}  // namespace

void splice(ptx::Function& into, const Instruction& call, const ptx::Function& callee) {
  if (call.opcode == Opcode::Call)
    return splice(into, call, callee, call.operands[0].elements, call.operands[2].elements);
  splice(into, call, callee, {call.operands[0]}, {call.operands.begin() + 1, call.operands.end()});
}

void splice(ptx::Function& into, const Instruction& call, const ptx::Function& callee,
            const std::vector<Operand>& results, const std::vector<Operand>& arguments) {
  const bool is_call = call.opcode == Opcode::Call;
  const Statements write(call);
  Shift shift = append_declarations(into, callee);
  const std::vector<Operand> parameters =
      arguments_of(into, write, is_call, callee.parameters, arguments, shift.registers, false);
  // Results that lie in variables are named before, registers are copied behind.
  ptx::Function scratch;
  scratch.variables = std::move(into.variables);
  const std::vector<Operand> returned =
      arguments_of(scratch, write, is_call, callee.returns, results, shift.registers, true);
  into.variables = std::move(scratch.variables);
  shift.labels = static_cast<std::uint32_t>(into.body.size());
  shift.parameters = &parameters;
  shift.returns = &returned;
  append_body(into, call, callee, shift);
  for (Instruction& instruction : scratch.body) into.body.push_back(std::move(instruction));
  if (is_call) read_results(into, write, callee, results, returned);
}

}  // namespace heddle::lower
