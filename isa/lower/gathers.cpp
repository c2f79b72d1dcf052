#include "isa/lower/gathers.h"

#include <algorithm>
#include <vector>

#include "isa/cfg/dominators.h"
#include "isa/cfg/flow_graph.h"
#include "isa/ir/registers.h"
#include "isa/lower/edit.h"
#include "isa/lower/variance.h"

namespace heddle::lower {

namespace {

/// The blocks in which the lanes of a warp may be on different ways.
std::vector<bool> blocks_apart(const ir::Kernel& kernel, const cfg::FlowGraph& graph) {
  const auto postdominators = cfg::immediate_postdominators(graph);
  const std::vector<bool> is_divergent = divergent_branches(kernel, graph, postdominators);
  std::vector<bool> apart(graph.blocks.size());
  for (cfg::BlockIndex block = 0; block < is_divergent.size(); ++block) {
    if (!is_divergent[block]) continue;
    const std::vector<bool> between = blocks_between(graph, block, postdominators[block]);
    for (cfg::BlockIndex one = 0; one < between.size(); ++one) apart[one] = apart[one] || between[one];
  }
  return apart;
}

bool is_gather(const ir::Instruction& instruction) {
  return instruction.opcode == ir::Opcode::Warpsync || instruction.opcode == ir::Opcode::WarpsyncAll;
}

bool writes(const ir::Instruction& instruction, ir::RegisterIndex index) {
  for (const ir::RegisterRun& run : ir::registers_of(instruction)) {
    if (run.use == ir::RegisterRun::Use::Written && run.file == ir::RegisterFile::General &&
        run.first <= index && index < run.first + run.count)
      return true;
  }
  return false;
}

/// The gathering of a block that still holds.
class Gathered {
 public:
  /// Whether the lanes that come to the instruction, a WARPSYNC, have been gathered by the last one.
  [[nodiscard]] bool covers(const ir::Instruction& instruction) const {
    return last_ != nullptr && last_->opcode == instruction.opcode &&
           last_->operands[0] == instruction.operands[0];
  }
  void see(const ir::Instruction& instruction) {
    if (is_gather(instruction)) {
      last_ = instruction.guard.always() ? &instruction : nullptr;
    } else if (last_ != nullptr && last_->operands[0].kind == ir::Operand::Kind::Register &&
               writes(instruction, last_->operands[0].index)) {
      last_ = nullptr;
    }
  }

 private:
  const ir::Instruction* last_ = nullptr;
};

}  // namespace

void remove_gathers(ir::Kernel& kernel) {
  if (std::none_of(kernel.instructions.begin(), kernel.instructions.end(), is_gather)) return;
  const cfg::FlowGraph graph = cfg::make_flow_graph(kernel);
  const std::vector<bool> apart = blocks_apart(kernel, graph);
  KernelEdit edit(kernel);
  for (cfg::BlockIndex index = 0; index < graph.blocks.size(); ++index) {
    Gathered gathered;
    for (Pc pc = graph.blocks[index].begin; pc < graph.blocks[index].end; ++pc) {
      const ir::Instruction& instruction = kernel.instructions[pc];
      if (is_gather(instruction) && (!apart[index] || gathered.covers(instruction))) {
        edit.remove(pc);
      } else {
        gathered.see(instruction);
      }
    }
  }
  edit.apply();
}

std::uint32_t count_barriers(const ir::Kernel& kernel) {
  std::uint32_t count = 0;
  for (const ir::Instruction& instruction : kernel.instructions) {
    if (!ir::is_block_barrier(ir::info(instruction.opcode).action)) continue;
    const ir::Operand& barrier = instruction.operands[0];
    const bool is_number = barrier.kind == ir::Operand::Kind::Immediate;
    count = std::max(count,
                     is_number ? static_cast<std::uint32_t>(barrier.value) + 1 : ir::kMaxBlockBarrier + 1U);
  }
  return count;
}

}  // namespace heddle::lower
