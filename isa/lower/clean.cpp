#include "isa/lower/clean.h"

#include <algorithm>
#include <map>
#include <vector>

#include "isa/cfg/flow_graph.h"
#include "isa/ir/condition.h"
#include "isa/ir/registers.h"
#include "isa/lower/dependencies.h"
#include "isa/lower/edit.h"

namespace heddle::lower {

namespace {

bool has_effects(const ir::Instruction& instruction) {
  switch (ir::info(instruction.opcode).action) {
    case ir::Action::Lanes:
    case ir::Action::UniformLanes:
    case ir::Action::LoadConstant:
    case ir::Action::ToUniform:
      return false;
    case ir::Action::Load:
      return instruction.modifiers.has(ir::Modifier::StrengthStrong);
    // Whoever reads a clock without need wants the instruction.
    case ir::Action::SpecialRegister:
      return reads_clock(instruction);
    default:
      return true;
  }
}

class Uses {
 public:
  explicit Uses(const ir::Kernel& kernel) {
    for (const ir::Instruction& instruction : kernel.instructions) count(instruction, 1);
  }
  /// Adds `change` to the uses of each register that the instruction reads.
  void count(const ir::Instruction& instruction, int change) {
    for (const ir::RegisterRun& run : ir::registers_of(instruction)) {
      if (run.use == ir::RegisterRun::Use::Written) continue;
      for (ir::RegisterIndex i = 0; i < run.count; ++i) uses_[{run.file, run.first + i}] += change;
    }
  }
  [[nodiscard]] bool are_results_read(const ir::Instruction& instruction) const {
    for (const ir::RegisterRun& run : ir::registers_of(instruction)) {
      if (run.use != ir::RegisterRun::Use::Written) continue;
      for (ir::RegisterIndex i = 0; i < run.count; ++i) {
        const auto found = uses_.find({run.file, run.first + i});
        if (found != uses_.end() && found->second > 0) return true;
      }
    }
    return false;
  }

 private:
  std::map<ir::RegisterName, int> uses_;
};

bool is_plain_exit(const ir::Instruction& instruction) {
  return instruction.opcode == ir::Opcode::Exit && ir::is_unconditional(instruction);
}

}  // namespace

void remove_unused(ir::Kernel& kernel) {
  Uses uses(kernel);
  std::vector<bool> is_removed(kernel.instructions.size());
  // Backwards, what a removed instruction has read is mostly seen in the same round.
  for (bool changes = true; changes;) {
    changes = false;
    for (Pc pc = static_cast<Pc>(kernel.instructions.size()); pc-- > 0;) {
      const ir::Instruction& instruction = kernel.instructions[pc];
      if (is_removed[pc] || has_effects(instruction) || uses.are_results_read(instruction)) continue;
      is_removed[pc] = changes = true;
      uses.count(instruction, -1);
    }
  }
  KernelEdit edit(kernel);
  for (Pc pc = 0; pc < is_removed.size(); ++pc) {
    if (is_removed[pc]) edit.remove(pc);
  }
  edit.apply();
}

void shorten_exits(ir::Kernel& kernel) {
  for (ir::Instruction& instruction : kernel.instructions) {
    if (instruction.opcode != ir::Opcode::Bra) continue;
    if (!is_plain_exit(kernel.instructions[instruction.operands[1].value])) continue;
    ir::Instruction exit = kernel.instructions[instruction.operands[1].value];
    exit.guard = instruction.guard;
    exit.line = instruction.line;
    instruction = exit;
  }
  std::vector<bool> is_reached(kernel.instructions.size());
  const cfg::FlowGraph graph = cfg::make_flow_graph(kernel);
  std::vector<cfg::BlockIndex> open{0};
  while (!open.empty()) {
    const cfg::BasicBlock& block = graph.blocks[open.back()];
    open.pop_back();
    if (block.begin == block.end || is_reached[block.begin]) continue;
    std::fill(is_reached.begin() + block.begin, is_reached.begin() + block.end, true);
    open.insert(open.end(), block.successors.begin(), block.successors.end());
  }
  while (kernel.instructions.size() > 1 && !is_reached.back()) {
    kernel.instructions.pop_back();
    kernel.sources.pop_back();
    is_reached.pop_back();
  }
  KernelEdit edit(kernel);
  for (Pc pc = 0; pc < is_reached.size(); ++pc) {
    if (!is_reached[pc]) edit.remove(pc);
  }
  edit.apply();
}

void remove_empty_jumps(ir::Kernel& kernel) {
  KernelEdit edit(kernel);
  for (Pc pc = 0; pc + 1 < kernel.instructions.size(); ++pc) {
    const ir::Instruction& instruction = kernel.instructions[pc];
    if (instruction.opcode == ir::Opcode::Bra && instruction.operands[1].value == pc + 1) edit.remove(pc);
  }
  edit.apply();
}

}  // namespace heddle::lower
