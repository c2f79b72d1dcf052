#include "isa/lower/called_functions.h"

#include <algorithm>

namespace heddle::lower {

namespace {

constexpr std::uint32_t kNobody = ~std::uint32_t{0};

bool is_call(const ir::Instruction& instruction) {
  return ir::info(instruction.opcode).action == ir::Action::Call;
}

}  // namespace

CalledFunctions::CalledFunctions(const ir::Kernel& kernel, const cfg::FlowGraph& graph)
    : kernel_(kernel), graph_(graph), starts_{0}, function_of_(graph.blocks.size(), kNobody) {
  for (const ir::Instruction& instruction : kernel.instructions) {
    if (!is_call(instruction)) continue;
    const cfg::BlockIndex start = graph.block_of[instruction.operands[1].value];
    if (std::find(starts_.begin(), starts_.end(), start) == starts_.end()) starts_.push_back(start);
  }
  for (std::uint32_t i = 0; i < starts_.size(); ++i) find_blocks(i);
  find_reached();
}

void CalledFunctions::find_blocks(std::uint32_t function) {
  std::vector<cfg::BlockIndex> open{starts_[function]};
  while (!open.empty()) {
    const cfg::BlockIndex block = open.back();
    open.pop_back();
    if (function_of_[block] != kNobody) continue;
    function_of_[block] = function;
    const auto& successors = graph_.blocks[block].successors;
    open.insert(open.end(), successors.begin(), successors.end());
  }
}

std::vector<std::uint32_t> CalledFunctions::called_in(cfg::BlockIndex block) const {
  std::vector<std::uint32_t> called;
  for (Pc pc = graph_.blocks[block].begin; pc < graph_.blocks[block].end; ++pc) {
    const ir::Instruction& instruction = kernel_.instructions[pc];
    if (!is_call(instruction)) continue;
    const cfg::BlockIndex start = graph_.block_of[instruction.operands[1].value];
    called.push_back(
        static_cast<std::uint32_t>(std::find(starts_.begin(), starts_.end(), start) - starts_.begin()));
  }
  return called;
}

void CalledFunctions::find_reached() {
  std::vector<std::vector<std::uint32_t>> called(starts_.size());
  for (cfg::BlockIndex block = 0; block < graph_.blocks.size(); ++block) {
    if (function_of_[block] == kNobody) continue;
    const std::vector<std::uint32_t> here = called_in(block);
    called[function_of_[block]].insert(called[function_of_[block]].end(), here.begin(), here.end());
  }
  for (const std::vector<std::uint32_t>& first : called) {
    std::vector<bool> reached(starts_.size());
    std::vector<std::uint32_t> open = first;
    while (!open.empty()) {
      const std::uint32_t one = open.back();
      open.pop_back();
      if (reached[one]) continue;
      reached[one] = true;
      open.insert(open.end(), called[one].begin(), called[one].end());
    }
    reached_.push_back(std::move(reached));
  }
}

void CalledFunctions::add_reached(cfg::BlockIndex block, std::vector<bool>& reached) const {
  for (const std::uint32_t one : called_in(block)) {
    reached[one] = true;
    for (std::uint32_t i = 0; i < reached.size(); ++i) reached[i] = reached[i] || reached_[one][i];
  }
}

}  // namespace heddle::lower
