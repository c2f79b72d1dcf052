// Path exploration by variable: from each read that its block has not written before, backwards up to the
// blocks that write (Boissinot et al., "Fast liveness checking for SSA-form programs", 2008, describe it as
// the classical way).
#include "isa/cfg/liveness.h"

#include <algorithm>
#include <set>

namespace heddle::cfg {

namespace {

constexpr BlockIndex kNoBlock = ~BlockIndex{0};

std::vector<ir::RegisterName> registers_in(const ir::Kernel& kernel) {
  std::vector<ir::RegisterName> names;
  for (const ir::Instruction& instruction : kernel.instructions) {
    for (const ir::RegisterRun& run : ir::registers_of(instruction)) {
      for (unsigned i = 0; i < run.count; ++i) names.push_back({run.file, run.first + i});
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// Calls visit(register) for what the instruction reads: the guard in any case, the rest if the guard can
/// hold.
template <typename Visitor>
void for_each_read(const ir::Instruction& instruction, Visitor visit) {
  for (const ir::RegisterRun& run : ir::registers_of(instruction)) {
    const bool is_guard = run.use == ir::RegisterRun::Use::Guard;
    const bool is_read = run.use == ir::RegisterRun::Use::Read && !instruction.guard.never();
    for (unsigned i = 0; i < run.count && (is_guard || is_read); ++i)
      visit(ir::RegisterName{run.file, run.first + i});
  }
}

/// Likewise for what holds a new value behind the instruction, whatever the guard.
template <typename Visitor>
void for_each_kill(const ir::Instruction& instruction, Visitor visit) {
  if (!instruction.guard.always()) return;
  for (const ir::RegisterRun& run : ir::registers_of(instruction)) {
    if (run.use != ir::RegisterRun::Use::Written) continue;
    for (unsigned i = 0; i < run.count; ++i) visit(ir::RegisterName{run.file, run.first + i});
  }
}

/// By register: the blocks that read it before they have written it, and those that write it.
struct Blocks {
  std::vector<std::vector<BlockIndex>> reading;
  std::vector<std::vector<BlockIndex>> killing;
};

void add_once(std::vector<BlockIndex>& blocks, BlockIndex block) {
  if (blocks.empty() || blocks.back() != block) blocks.push_back(block);
}

Blocks blocks_of(const ir::Kernel& kernel, const FlowGraph& graph, const Liveness& liveness) {
  Blocks found;
  found.reading.resize(liveness.registers.size());
  found.killing.resize(liveness.registers.size());
  for (BlockIndex block = 0; block < graph.blocks.size(); ++block) {
    for (Pc pc = graph.blocks[block].begin; pc < graph.blocks[block].end; ++pc) {
      for_each_read(kernel.instructions[pc], [&](ir::RegisterName name) {
        const RegisterNumber number = liveness.number_of(name);
        const std::vector<BlockIndex>& killing = found.killing[number];
        if (killing.empty() || killing.back() != block) add_once(found.reading[number], block);
      });
      for_each_kill(kernel.instructions[pc],
                    [&](ir::RegisterName name) { add_once(found.killing[liveness.number_of(name)], block); });
    }
  }
  return found;
}

/// Finds where one register after the other is live. Marks say for which register a block was met last, so
/// that none has to be taken away.
class Explorer {
 public:
  Explorer(const FlowGraph& graph, const Blocks& blocks, Liveness& liveness)
      : graph_(graph),
        blocks_(blocks),
        liveness_(liveness),
        kills_(graph.blocks.size(), kNoBlock),
        is_live_in_(graph.blocks.size(), kNoBlock),
        is_live_out_(graph.blocks.size(), kNoBlock) {}

  void run() {
    for (RegisterNumber number = 0; number < liveness_.registers.size(); ++number) explore(number);
  }

 private:
  void explore(RegisterNumber number) {
    for (const BlockIndex block : blocks_.killing[number]) kills_[block] = number;
    for (const BlockIndex block : blocks_.reading[number]) enter(block, number);
    while (!to_visit_.empty()) {
      const BlockIndex block = to_visit_.back();
      to_visit_.pop_back();
      for (const BlockIndex before : graph_.blocks[block].predecessors) leave(before, number);
    }
  }

  void enter(BlockIndex block, RegisterNumber number) {
    if (is_live_in_[block] == number) return;
    is_live_in_[block] = number;
    liveness_.live_in[block].push_back(number);
    to_visit_.push_back(block);
  }

  void leave(BlockIndex block, RegisterNumber number) {
    if (is_live_out_[block] == number) return;
    is_live_out_[block] = number;
    liveness_.live_out[block].push_back(number);
    if (kills_[block] != number) enter(block, number);
  }

  const FlowGraph& graph_;
  const Blocks& blocks_;
  Liveness& liveness_;
  std::vector<RegisterNumber> kills_;  // by block, as the following two
  std::vector<RegisterNumber> is_live_in_;
  std::vector<RegisterNumber> is_live_out_;
  std::vector<BlockIndex> to_visit_;
};

}  // namespace

RegisterNumber Liveness::number_of(ir::RegisterName name) const {
  const auto found = std::lower_bound(registers.begin(), registers.end(), name);
  return static_cast<RegisterNumber>(found - registers.begin());
}

Liveness make_liveness(const ir::Kernel& kernel, const FlowGraph& graph) {
  Liveness liveness;
  liveness.registers = registers_in(kernel);
  liveness.live_in.resize(graph.blocks.size());
  liveness.live_out.resize(graph.blocks.size());
  const Blocks blocks = blocks_of(kernel, graph, liveness);
  Explorer(graph, blocks, liveness).run();
  return liveness;
}

std::vector<RegisterNumber> live_before(const ir::Kernel& kernel, const FlowGraph& graph,
                                        const Liveness& liveness, Pc pc) {
  const BlockIndex block = graph.block_of[pc];
  std::set<RegisterNumber> live(liveness.live_out[block].begin(), liveness.live_out[block].end());
  for (Pc at = graph.blocks[block].end; at-- > pc;) {
    const ir::Instruction& instruction = kernel.instructions[at];
    for_each_kill(instruction, [&](ir::RegisterName name) { live.erase(liveness.number_of(name)); });
    for_each_read(instruction, [&](ir::RegisterName name) { live.insert(liveness.number_of(name)); });
  }
  return {live.begin(), live.end()};
}

}  // namespace heddle::cfg
