#include "isa/lower/variance.h"

#include <algorithm>
#include <set>

#include "isa/cfg/dominators.h"
#include "isa/ir/registers.h"
#include "isa/ir/special_register.h"

namespace heddle::lower {

namespace {

bool is_same_for_warp(const ir::Instruction& instruction) {
  switch (static_cast<ir::SpecialRegister>(instruction.operands[1].index)) {
    case ir::SpecialRegister::CtaidX:
    case ir::SpecialRegister::CtaidY:
    case ir::SpecialRegister::CtaidZ:
    case ir::SpecialRegister::ClusterRank:
    case ir::SpecialRegister::SmId:
    case ir::SpecialRegister::SharedSize:
    case ir::SpecialRegister::Zero:
      return true;
    default:
      return false;
  }
}

/// Whether what it writes can differ from lane to lane where what it reads does not.
bool varies(const ir::Instruction& instruction) {
  switch (ir::info(instruction.opcode).action) {
    case ir::Action::Lanes:
    case ir::Action::LoadConstant:
    case ir::Action::PackPredicates:
    case ir::Action::UnpackPredicates:
      return false;
    case ir::Action::SpecialRegister:
      return !is_same_for_warp(instruction);
    default:
      return true;
  }
}

class Variance {
 public:
  Variance(const ir::Kernel& kernel, const cfg::FlowGraph& graph,
           const std::vector<cfg::BlockIndex>& postdominators)
      : kernel_(kernel),
        graph_(graph),
        postdominators_(postdominators),
        is_divergent_(graph.blocks.size()),
        is_apart_(graph.blocks.size()),
        calls_(std::ranges::any_of(kernel.instructions, [](const ir::Instruction& one) {
          return ir::info(one.opcode).action == ir::Action::Call;
        })) {}

  std::vector<bool> run() {
    do {
      changes_ = false;
      for (cfg::BlockIndex block = 0; block < graph_.blocks.size(); ++block) look_at(block);
    } while (changes_);
    return is_divergent_;
  }

 private:
  void look_at(cfg::BlockIndex index) {
    const cfg::BasicBlock& block = graph_.blocks[index];
    for (Pc pc = block.begin; pc < block.end; ++pc) {
      const ir::Instruction& instruction = kernel_.instructions[pc];
      if (is_apart_[index] || varies(instruction) || reads_varying(instruction)) note_results(instruction);
    }
    if (block.begin == block.end || block.successors.size() < 2 || is_divergent_[index]) return;
    if (!reads_varying(kernel_.instructions[block.end - 1])) return;
    is_divergent_[index] = changes_ = true;
    const std::vector<bool> between = blocks_between(graph_, index, postdominators_[index]);
    for (cfg::BlockIndex one = 0; one < between.size(); ++one)
      is_apart_[one] = is_apart_[one] || between[one];
  }

  /// What a function is passed can differ by where it is called from, so nothing is looked at there.
  [[nodiscard]] bool reads_varying(const ir::Instruction& instruction) const {
    if (calls_) return true;
    for (const ir::RegisterRun& run : ir::registers_of(instruction)) {
      if (run.use == ir::RegisterRun::Use::Written) continue;
      for (ir::RegisterIndex i = 0; i < run.count; ++i) {
        if (varying_.count({run.file, run.first + i}) != 0) return true;
      }
    }
    return false;
  }

  void note_results(const ir::Instruction& instruction) {
    for (const ir::RegisterRun& run : ir::registers_of(instruction)) {
      if (run.use != ir::RegisterRun::Use::Written) continue;
      for (ir::RegisterIndex i = 0; i < run.count; ++i)
        changes_ |= varying_.insert({run.file, run.first + i}).second;
    }
  }

  const ir::Kernel& kernel_;
  const cfg::FlowGraph& graph_;
  const std::vector<cfg::BlockIndex>& postdominators_;
  std::vector<bool> is_divergent_;
  std::vector<bool> is_apart_;  // lanes may be on different ways there
  bool calls_;
  std::set<ir::RegisterName> varying_;
  bool changes_ = false;
};

}  // namespace

std::vector<bool> divergent_branches(const ir::Kernel& kernel, const cfg::FlowGraph& graph,
                                     const std::vector<cfg::BlockIndex>& postdominators) {
  return Variance(kernel, graph, postdominators).run();
}

std::vector<bool> blocks_between(const cfg::FlowGraph& graph, cfg::BlockIndex from, cfg::BlockIndex to) {
  std::vector<bool> between(graph.blocks.size());
  std::vector<cfg::BlockIndex> open = graph.blocks[from].successors;
  while (!open.empty()) {
    const cfg::BlockIndex block = open.back();
    open.pop_back();
    if (block == to || between[block]) continue;
    between[block] = true;
    const auto& successors = graph.blocks[block].successors;
    open.insert(open.end(), successors.begin(), successors.end());
  }
  return between;
}

}  // namespace heddle::lower
