#include "isa/lower/call_graph.h"

#include <algorithm>

#include "isa/cfg/components.h"

namespace heddle::lower {

namespace {

using ptx::Opcode;
using ptx::Operand;
using ptx::SymbolRef;
using Kind = Operand::Kind;

void note_taken(const Operand& operand, std::vector<bool>& is_taken) {
  if (operand.symbol.kind == SymbolRef::Kind::Function) is_taken[operand.symbol.index] = true;
  for (const Operand& element : operand.elements) note_taken(element, is_taken);
}

/// The function that a call names is not taken by that.
void note_taken(const ptx::Instruction& instruction, std::vector<bool>& is_taken) {
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const bool is_callee = instruction.opcode == Opcode::Call && i == 1;
    if (!is_callee) note_taken(instruction.operands[i], is_taken);
  }
}

std::vector<bool> taken_functions(const ptx::Module& module) {
  std::vector<bool> is_taken(module.functions.size());
  for (const ptx::Variable& variable : module.variables) {
    for (const ptx::InitialValue& value : variable.initial) {
      if (value.symbol.kind == SymbolRef::Kind::Function) is_taken[value.symbol.index] = true;
    }
  }
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Instruction& instruction : function.body) note_taken(instruction, is_taken);
  }
  return is_taken;
}

}  // namespace

std::uint64_t function_address(std::uint32_t function) { return 16 * (std::uint64_t{function} + 1); }

std::uint32_t direct_callee(const ptx::Instruction& call) {
  const Operand& named = call.operands[1];
  const bool is_direct = named.kind == Kind::Symbol && named.symbol.kind == SymbolRef::Kind::Function;
  return is_direct ? named.symbol.index : ptx::kNone;
}

bool have_same_sizes(const std::vector<ptx::Variable>& one, const std::vector<ptx::Variable>& other) {
  return std::ranges::equal(one, other, {}, &ptx::Variable::bytes, &ptx::Variable::bytes);
}

CallGraph::CallGraph(const ptx::Module& module, const ptx::Function& entry)
    : module_(module),
      is_taken_(taken_functions(module)),
      is_reached_(module.functions.size()),
      is_linked_(module.functions.size()),
      called_(module.functions.size()) {
  std::vector<std::uint32_t> open;
  visit(entry, open);
  while (!open.empty()) {
    const std::uint32_t function = open.back();
    open.pop_back();
    if (is_reached_[function]) continue;
    is_reached_[function] = true;
    visit(module.functions[function], called_[function]);
    open.insert(open.end(), called_[function].begin(), called_[function].end());
  }
  find_recursive();
}

std::vector<std::uint32_t> CallGraph::callees(const ptx::Function& function,
                                              const ptx::Instruction& call) const {
  const std::uint32_t direct = direct_callee(call);
  if (direct != ptx::kNone) return {direct};
  const Operand* look = call.operands.size() > 3 ? &call.operands[3] : nullptr;
  std::vector<std::uint32_t> found;
  if (look != nullptr && look->kind == Kind::CallTable) {
    found = function.call_tables[look->index].targets;
  } else if (look != nullptr && look->kind == Kind::Prototype) {
    const ptx::Prototype& prototype = function.prototypes[look->index];
    for (std::uint32_t i = 0; i < module_.functions.size(); ++i) {
      const ptx::Function& one = module_.functions[i];
      if (is_taken_[i] && have_same_sizes(one.parameters, prototype.parameters) &&
          have_same_sizes(one.returns, prototype.returns))
        found.push_back(i);
    }
  }
  std::erase_if(found, [&](std::uint32_t one) {
    return !module_.functions[one].has_body || module_.functions[one].is_entry;
  });
  return found;
}

/// Adds what the function calls to `reached`; what it calls indirectly is linked.
void CallGraph::visit(const ptx::Function& function, std::vector<std::uint32_t>& reached) {
  for (const ptx::Instruction& instruction : function.body) {
    if (instruction.opcode != Opcode::Call) continue;
    const bool is_indirect = direct_callee(instruction) == ptx::kNone;
    for (const std::uint32_t callee : callees(function, instruction)) {
      reached.push_back(callee);
      if (is_indirect) is_linked_[callee] = true;
    }
  }
}

void CallGraph::find_recursive() {
  cfg::Edges calls;
  for (const std::vector<std::uint32_t>& called : called_) {
    for (const std::uint32_t callee : called) calls.add(callee);
    calls.finish_node();
  }
  const cfg::Components found = cfg::components(calls);
  for (std::uint32_t i = 0; i < called_.size(); ++i)
    is_linked_[i] = is_linked_[i] || found.is_cycle[found.of[i]];
}

std::vector<std::uint32_t> CallGraph::linked() const {
  std::vector<std::uint32_t> list;
  for (std::uint32_t i = 0; i < is_linked_.size(); ++i) {
    if (is_linked_[i]) list.push_back(i);
  }
  return list;
}

}  // namespace heddle::lower
