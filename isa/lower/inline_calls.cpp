#include "isa/lower/inline_calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/lower/expansion.h"
#include "isa/lower/library.h"
#include "isa/lower/moved_labels.h"
#include "isa/lower/operand_counts.h"
#include "isa/lower/pass_arguments.h"
#include "isa/lower/ptx_statements.h"
#include "isa/lower/splice.h"
#include "isa/lower/split_wide_registers.h"

namespace heddle::lower {

namespace {

using ptx::Instruction;
using ptx::Opcode;

/// Inlined functions may be called from many places; a program of more instructions is a mistake, or one too
/// many.
constexpr std::size_t kMostInstructions = 2'000'000;

/// assert() of CUDA, which prints and ends the launch.
bool is_failed_assertion(const ptx::Module& module, const Instruction& instruction) {
  if (instruction.opcode != Opcode::Call) return false;
  const std::uint32_t callee = direct_callee(instruction);
  if (callee == ptx::kNone) return false;
  const ptx::Function& function = module.functions[callee];
  return !function.has_body && function.name == "__assertfail";
}

/// What `append` adds is jumped past by the lanes that the instruction's guard holds off.
template <typename Append>
void append_under_guard(ptx::Function& into, const Instruction& instruction, const Append& append) {
  const std::size_t skip = into.body.size();
  const bool is_guarded = instruction.guard.reg != ptx::kNone;
  if (is_guarded) {
    const ptx::Guard opposite{instruction.guard.reg, !instruction.guard.negated};
    into.body.push_back(Statements(instruction).jump(0, opposite));
  }
  append();
  if (is_guarded) into.body[skip].operands[0].index = static_cast<std::uint32_t>(into.body.size());
}

}  // namespace

const ptx::Function& Inliner::flattened(const ptx::Module& module, const ptx::Function& function) {
  const auto found = done_.find(&function);
  if (found != done_.end()) return found->second;
  ptx::Function made = has_wide_registers(function) ? flatten(module, with_split_registers(function))
                                                    : flatten(module, function);
  return done_.emplace(&function, std::move(made)).first->second;
}

/// Whether the call is of a function that keeps its own place.
bool Inliner::stays(const ptx::Module& module, const Instruction& call) const {
  if (call.opcode != Opcode::Call || &module != &module_) return false;
  const std::uint32_t direct = direct_callee(call);
  return direct == ptx::kNone || graph_.is_linked(direct);
}

Inliner::Callee Inliner::callee_of(const ptx::Module& module, const Instruction& instruction) {
  if (instruction.opcode != Opcode::Call) {
    const auto name = library_function(instruction);
    if (!name) return {};
    const auto& functions = library().functions;
    const auto found = std::ranges::find(functions, *name, &ptx::Function::name);
    if (found == functions.end()) return {};
    return {&library(), &*found};
  }
  const ptx::Function& function = module.functions[direct_callee(instruction)];
  if (function.has_body) return {&module, &function};
  refusals_.add(instruction.place,
                fmt::format("call of '{}', which has no body, is not supported", function.name));
  return {};
}

/// The body of the function that stands for a rare instruction. False where none does.
bool Inliner::expand(ptx::Function& into, const Instruction& instruction) {
  const auto expansion = expansion_of(instruction, target_);
  if (!expansion) return false;
  auto& module = expansions_[expansion->text];
  if (!module)
    module = std::make_unique<const ptx::Module>(ptx::read_module(expansion->text, "expansion.ptx"));
  const ptx::Function& function = flattened(*module, module->functions.front());
  append_under_guard(into, instruction, [&] {
    splice(into, instruction, function, expansion->results, expansion->arguments);
  });
  return true;
}

/// What an instruction of the function becomes: itself, or what it calls.
void Inliner::append(ptx::Function& into, const ptx::Module& module, const ptx::Function& function,
                     const Instruction& instruction) {
  if (!has_its_operands(instruction)) {
    refusals_.add(instruction.place,
                  fmt::format("{}: another number of operands is expected", instruction.mnemonic));
    return;
  }
  if (instruction.opcode != Opcode::Call && expand(into, instruction)) return;
  if (is_failed_assertion(module, instruction)) {
    into.body.push_back(Statements(instruction).make(Opcode::Trap, {}, {}));
    into.body.back().guard = instruction.guard;
    return;
  }
  const bool is_linked = stays(module, instruction);
  const Callee callee = is_linked ? Callee{} : callee_of(module, instruction);
  if (!is_linked && callee.function == nullptr) {
    if (instruction.opcode != Opcode::Call) into.body.push_back(instruction);
    return;
  }
  append_under_guard(into, instruction, [&] {
    if (is_linked) {
      append_call(into, module, instruction, graph_.callees(function, instruction));
    } else {
      splice(into, instruction, flattened(*callee.module, *callee.function));
    }
  });
}

ptx::Function Inliner::flatten(const ptx::Module& module, const ptx::Function& function) {
  ptx::Function made = function;
  made.body.clear();
  Moved starts;                    // by the function's own instruction: where it is now
  std::vector<std::uint32_t> own;     // the instructions that are the function's own
  for (const Instruction& instruction : function.body) {
    starts.push_back(static_cast<std::uint32_t>(made.body.size()));
    append(made, module, function, instruction);
    const bool is_own = made.body.size() == starts.back() + 1 && instruction.opcode != Opcode::Call;
    if (is_own) own.push_back(starts.back());
    if (made.body.size() > kMostInstructions) {
      refusals_.add(instruction.place,
                    fmt::format("with all that it calls, the function has more than {} instructions",
                                kMostInstructions));
      break;
    }
  }
  starts.resize(function.body.size(), static_cast<std::uint32_t>(made.body.size()));
  starts.push_back(static_cast<std::uint32_t>(made.body.size()));
  // What was inlined has found its place, and stands behind the function's own tables and pragmas.
  for (const std::uint32_t at : own) move_labels(made.body[at], starts);
  move_tables(made, function.branch_tables.size(), function.pragmas.size(), starts);
  return made;
}

}  // namespace heddle::lower
