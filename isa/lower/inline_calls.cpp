#include "isa/lower/inline_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "isa/lower/expansion.h"
#include "isa/lower/library.h"
#include "isa/lower/split_wide_registers.h"

namespace heddle::lower {

namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::SymbolRef;
using Kind = Operand::Kind;

/// Inlined functions may be called from many places; a program of more instructions is a mistake, or one too
/// many.
constexpr std::size_t kMostInstructions = 2'000'000;

Operand register_operand(std::uint32_t reg) {
  Operand made;
  made.kind = Kind::Register;
  made.reg = reg;
  return made;
}

/// Moves what an operand names by so many places, and labels by `labels`.
struct Shift {
  std::uint32_t registers = 0;
  std::uint32_t variables = 0;
  std::uint32_t labels = 0;
  std::uint32_t tables = 0;
  /// What the callee's parameters and returns are in the caller.
  const std::vector<Operand>* parameters = nullptr;
  const std::vector<Operand>* returns = nullptr;

  void apply(SymbolRef& symbol) const {
    switch (symbol.kind) {
      case SymbolRef::Kind::LocalVariable:
        symbol.index += variables;
        break;
      case SymbolRef::Kind::Parameter:
        if (parameters != nullptr) symbol = (*parameters)[symbol.index].symbol;
        break;
      case SymbolRef::Kind::Return:
        if (returns != nullptr) symbol = (*returns)[symbol.index].symbol;
        break;
      default:
        break;
    }
  }
  void apply(Operand& operand) const {
    if (operand.reg != ptx::kNone) operand.reg += registers;
    if (operand.kind == Kind::Label) operand.index += labels;
    if (operand.kind == Kind::BranchTable) operand.index += tables;
    apply(operand.symbol);
    for (Operand& element : operand.elements) apply(element);
  }
  void apply(Instruction& instruction) const {
    if (instruction.guard.reg != ptx::kNone) instruction.guard.reg += registers;
    for (Operand& operand : instruction.operands) apply(operand);
  }
};

class Inliner {
 public:
  explicit Inliner(Refusals& refusals) : refusals_(refusals) {}

  /// The function with all that it calls, which is kept.
  const ptx::Function& flattened(const ptx::Module& module, const ptx::Function& function);

 private:
  struct Callee {
    const ptx::Module* module = nullptr;
    const ptx::Function* function = nullptr;
    std::vector<Operand> results;
    std::vector<Operand> arguments;
  };

  ptx::Function flatten(const ptx::Module& module, const ptx::Function& function);
  [[nodiscard]] std::optional<Callee> callee_of(const ptx::Module& module, const Instruction& instruction);
  [[nodiscard]] std::optional<Callee> function_for(const Instruction& instruction);
  void splice(ptx::Function& into, const Instruction& call, const Callee& to, const ptx::Function& callee);
  static std::vector<Operand> arguments_of(ptx::Function& into, const Instruction& call,
                                           const std::vector<ptx::Variable>& formal,
                                           const std::vector<Operand>& actual, std::uint32_t registers,
                                           bool are_results);

  Refusals& refusals_;
  std::map<const ptx::Function*, ptx::Function> done_;
  std::map<std::string, std::unique_ptr<const ptx::Module>> expansions_;  // by their text
  std::vector<const ptx::Function*> open_;
};

const ptx::Function& Inliner::flattened(const ptx::Module& module, const ptx::Function& function) {
  const auto found = done_.find(&function);
  if (found != done_.end()) return found->second;
  open_.push_back(&function);
  ptx::Function split;
  const bool has_wide = has_wide_registers(function);
  if (has_wide) {
    split = function;
    split_wide_registers(split);
  }
  ptx::Function made = flatten(module, has_wide ? split : function);
  open_.pop_back();
  return done_.emplace(&function, std::move(made)).first->second;
}

/// What is no call but stands for a function.
std::optional<Inliner::Callee> Inliner::function_for(const Instruction& instruction) {
  if (const auto name = library_function(instruction)) {
    const auto& functions = library().functions;
    const auto found =
        std::find_if(functions.begin(), functions.end(), [&](const auto& one) { return one.name == *name; });
    if (found == functions.end()) return std::nullopt;
    return Callee{&library(), &*found, {instruction.operands[0]},
                  {instruction.operands.begin() + 1, instruction.operands.end()}};
  }
  auto expansion = expansion_of(instruction);
  if (!expansion) return std::nullopt;
  auto& module = expansions_[expansion->text];
  if (!module)
    module = std::make_unique<const ptx::Module>(ptx::read_module(expansion->text, "expansion.ptx"));
  return Callee{module.get(), &module->functions.front(), std::move(expansion->results),
                std::move(expansion->arguments)};
}

std::optional<Inliner::Callee> Inliner::callee_of(const ptx::Module& module, const Instruction& instruction) {
  if (instruction.opcode != Opcode::Call) return function_for(instruction);
  const Operand& named = instruction.operands[1];
  const bool is_direct = named.kind == Kind::Symbol && named.symbol.kind == SymbolRef::Kind::Function;
  if (!is_direct) {
    refusals_.add(instruction.place, "an indirect call is not supported");
    return std::nullopt;
  }
  const ptx::Function& function = module.functions[named.symbol.index];
  if (!function.has_body) {
    refusals_.add(instruction.place,
                  fmt::format("call of '{}', which has no body, is not supported", function.name));
    return std::nullopt;
  }
  if (std::find(open_.begin(), open_.end(), &function) != open_.end()) {
    refusals_.add(instruction.place,
                  fmt::format("call of '{}' is recursive, which is not supported", function.name));
    return std::nullopt;
  }
  return Callee{&module, &function, instruction.operands[0].elements, instruction.operands[2].elements};
}

/// assert() of CUDA, which prints and ends the launch.
bool is_failed_assertion(const ptx::Module& module, const Instruction& instruction) {
  if (instruction.opcode != Opcode::Call) return false;
  const Operand& named = instruction.operands[1];
  if (named.kind != Kind::Symbol || named.symbol.kind != SymbolRef::Kind::Function) return false;
  const ptx::Function& function = module.functions[named.symbol.index];
  return !function.has_body && function.name == "__assertfail";
}

ptx::Function Inliner::flatten(const ptx::Module& module, const ptx::Function& function) {
  ptx::Function made = function;
  made.body.clear();
  std::vector<std::uint32_t> starts;  // by the function's own instruction: where it is now
  std::vector<std::uint32_t> own;     // the instructions that are the function's own
  for (const Instruction& instruction : function.body) {
    starts.push_back(static_cast<std::uint32_t>(made.body.size()));
    if (is_failed_assertion(module, instruction)) {
      Instruction trap = instruction;
      trap.opcode = Opcode::Trap;
      trap.operands.clear();
      made.body.push_back(std::move(trap));
      continue;
    }
    const auto callee = callee_of(module, instruction);
    if (!callee) {
      if (instruction.opcode == Opcode::Call) continue;
      own.push_back(starts.back());
      made.body.push_back(instruction);
      continue;
    }
    splice(made, instruction, *callee, flattened(*callee->module, *callee->function));
    if (made.body.size() > kMostInstructions) {
      refusals_.add(instruction.place,
                    fmt::format("with all that it calls, the function has more than {} instructions",
                                kMostInstructions));
      break;
    }
  }
  starts.resize(function.body.size(), static_cast<std::uint32_t>(made.body.size()));
  starts.push_back(static_cast<std::uint32_t>(made.body.size()));
  for (const std::uint32_t at : own) {
    for (Operand& operand : made.body[at].operands) {
      if (operand.kind == Kind::Label) operand.index = starts[operand.index];
    }
  }
  for (std::size_t i = 0; i < function.branch_tables.size(); ++i) {
    for (std::uint32_t& target : made.branch_tables[i].targets) target = starts[target];
  }
  return made;
}

/// mov.TYPE to, from;
Instruction move(const Instruction& call, Modifier type, Operand to, Operand from) {
  Instruction made;
  made.opcode = Opcode::Mov;
  made.modifiers.add(type);
  made.mnemonic = call.mnemonic;
  made.operands = {std::move(to), std::move(from)};
  made.place = call.place;
  made.source = call.source;
  return made;
}

/// {ld,st}.param.TYPE
Instruction access(const Instruction& call, Opcode opcode, Modifier type, const Operand& data,
                   const SymbolRef& variable) {
  Operand address;
  address.kind = Kind::Address;
  address.symbol = variable;
  Instruction made = move(call, type, data, address);
  made.opcode = opcode;
  made.modifiers = {};
  made.modifiers.add(Modifier::Param);
  made.modifiers.add(type);
  if (opcode == Opcode::St) std::swap(made.operands[0], made.operands[1]);
  return made;
}

/// The type that mov has for a type: it has none of 8 bits, and none of halves.
Modifier move_type(Modifier type) {
  if (ptx::info(type).kind == ptx::TypeKind::Predicate) return type;
  const unsigned bits = ptx::info(type).bits;
  return bits <= 16 ? Modifier::B16 : bits <= 32 ? Modifier::B32 : Modifier::B64;
}

/// For each formal parameter what stands for it in the caller: a variable of space .param. What is a register
/// on one side and a variable on the other gets a variable and a copy.
std::vector<Operand> Inliner::arguments_of(ptx::Function& into, const Instruction& call,
                                           const std::vector<ptx::Variable>& formal,
                                           const std::vector<Operand>& actual, std::uint32_t registers,
                                           bool are_results) {
  std::vector<Operand> made;
  for (std::size_t i = 0; i < formal.size() && i < actual.size(); ++i) {
    const Operand& one = actual[i];
    // What stands for an instruction gets addresses, a function the values of variables.
    const bool is_variable = call.opcode == Opcode::Call && one.kind == Kind::Symbol &&
                             one.symbol.kind != SymbolRef::Kind::None;
    if (formal[i].space == ptx::StateSpace::Reg) {
      Operand inner = register_operand(formal[i].reg + registers);
      const Modifier type = formal[i].type;
      if (is_variable) {
        into.body.push_back(access(call, are_results ? Opcode::St : Opcode::Ld, type, inner, one.symbol));
      } else if (one.kind != Kind::Sink) {
        into.body.push_back(are_results ? move(call, move_type(type), one, inner)
                                        : move(call, move_type(type), inner, one));
      }
      made.push_back(std::move(inner));
      continue;
    }
    if (is_variable) {
      made.push_back(one);
      continue;
    }
    ptx::Variable variable = formal[i];
    Operand symbol;
    symbol.kind = Kind::Symbol;
    symbol.symbol = {SymbolRef::Kind::LocalVariable, static_cast<std::uint32_t>(into.variables.size())};
    into.variables.push_back(std::move(variable));
    if (!are_results) into.body.push_back(access(call, Opcode::St, formal[i].type, one, symbol.symbol));
    made.push_back(std::move(symbol));
  }
  return made;
}

/// A jump of the lanes that the call's guard holds off, past all that the call becomes.
Instruction jump_past(const Instruction& call) {
  Instruction jump;
  jump.opcode = Opcode::Bra;
  jump.guard = {call.guard.reg, !call.guard.negated};
  jump.place = call.place;
  jump.source = call.source;
  jump.mnemonic = call.mnemonic;
  jump.operands.emplace_back();
  jump.operands[0].kind = Kind::Label;
  return jump;
}

/// The callee's instructions, branch tables and source lines. A return becomes a jump to the end.
void append_body(ptx::Function& into, const Instruction& call, const ptx::Function& callee,
                 const Shift& shift) {
  const bool is_call = call.opcode == Opcode::Call;
  const auto end = shift.labels + static_cast<std::uint32_t>(callee.body.size());
  const auto lines = static_cast<std::uint32_t>(into.source_lines.size());
  for (ptx::BranchTable table : callee.branch_tables) {
    for (std::uint32_t& target : table.targets) target += shift.labels;
    into.branch_tables.push_back(std::move(table));
  }
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
      instruction.operands.assign(1, {});
      instruction.operands[0].kind = Kind::Label;
      instruction.operands[0].index = end;
    }
    into.body.push_back(std::move(instruction));
  }
}

/// Reads results that the callee left in variables into the caller's registers.
void read_results(ptx::Function& into, const Instruction& call, const ptx::Function& callee,
                  const std::vector<Operand>& results, const std::vector<Operand>& returned) {
  for (std::size_t i = 0; i < returned.size(); ++i) {
    const ptx::Variable& formal = callee.returns[i];
    if (formal.space == ptx::StateSpace::Reg || results[i].kind != Kind::Register) continue;
    into.body.push_back(access(call, Opcode::Ld, formal.type, results[i], returned[i].symbol));
  }
}

void Inliner::splice(ptx::Function& into, const Instruction& call, const Callee& to,
                     const ptx::Function& callee) {
  std::optional<std::size_t> skip;
  if (call.guard.reg != ptx::kNone) {
    skip = into.body.size();
    into.body.push_back(jump_past(call));
  }
  Instruction plain = call;
  plain.guard = {};
  const auto registers = static_cast<std::uint32_t>(into.registers.size());
  into.registers.insert(into.registers.end(), callee.registers.begin(), callee.registers.end());
  const auto variables = static_cast<std::uint32_t>(into.variables.size());
  into.variables.insert(into.variables.end(), callee.variables.begin(), callee.variables.end());
  const std::vector<Operand> parameters =
      arguments_of(into, plain, callee.parameters, to.arguments, registers, false);
  // Results that lie in variables are named before, registers are copied behind.
  ptx::Function scratch;
  scratch.variables = std::move(into.variables);
  const std::vector<Operand> returned =
      arguments_of(scratch, plain, callee.returns, to.results, registers, true);
  into.variables = std::move(scratch.variables);
  const auto first = static_cast<std::uint32_t>(into.body.size());
  const auto tables = static_cast<std::uint32_t>(into.branch_tables.size());
  const Shift shift{registers, variables, first, tables, &parameters, &returned};
  append_body(into, call, callee, shift);
  for (Instruction& instruction : scratch.body) into.body.push_back(std::move(instruction));
  if (call.opcode == Opcode::Call) read_results(into, plain, callee, to.results, returned);
  if (skip) into.body[*skip].operands[0].index = static_cast<std::uint32_t>(into.body.size());
}

}  // namespace

ptx::Function inline_calls(const ptx::Module& module, const ptx::Function& function, Refusals& refusals) {
  return Inliner(refusals).flattened(module, function);
}

}  // namespace heddle::lower
