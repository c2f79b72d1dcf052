#include "isa/cfg/polling.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "isa/cfg/flow_graph.h"
#include "isa/ir/register_use.h"

namespace heddle::cfg {

namespace {

using ir::Action;
using Definitions = std::vector<Pc>;

bool touches_global(const ir::Instruction& instruction) {
  const auto& roles = ir::info(instruction.opcode).operands;
  return std::find(roles.begin(), roles.end(), ir::OperandRole::GlobalAddress) != roles.end();
}

/// A result comes back from global memory.
bool reads_global(const ir::Instruction& instruction) {
  const Action action = ir::info(instruction.opcode).action;
  return touches_global(instruction) && (action == Action::Load || action == Action::Atomic);
}

/// What lanes say to others of their block by other ways than registers.
bool tells(const ir::Instruction& instruction) {
  const Action action = ir::info(instruction.opcode).action;
  if (touches_global(instruction)) return false;
  return action == Action::Store || action == Action::Atomic || action == Action::BarrierReduce;
}

bool listens(const ir::Instruction& instruction) {
  const Action action = ir::info(instruction.opcode).action;
  if (touches_global(instruction)) return false;
  return action == Action::Load || action == Action::Atomic || action == Action::BarrierResult;
}

/// Whose guard or sources say where lanes go on.
bool decides(const ir::Instruction& instruction) {
  const Action action = ir::info(instruction.opcode).action;
  return ir::is_jump(action) || action == Action::Exit || action == Action::Leave;
}

bool writes(const ir::RegisterUse& use, ir::RegisterSlot slot) {
  return std::find(use.writes.begin(), use.writes.end(), slot) != use.writes.end() ||
         (slot >= use.sums.first && slot < use.sums.first + use.sums.count);
}

/// One loop: the blocks from which its back edge can be reached without passing its head.
class Loop {
 public:
  Loop(const ir::Kernel& kernel, const std::vector<ir::RegisterUse>& uses, const FlowGraph& graph,
       BlockIndex latch, BlockIndex head)
      : kernel_(kernel), uses_(uses), graph_(graph), has_block_(graph.blocks.size(), false) {
    has_block_[head] = true;
    std::vector<BlockIndex> open;
    add(latch, open);
    while (!open.empty()) {
      const BlockIndex block = open.back();
      open.pop_back();
      for (const BlockIndex before : graph.blocks[block].predecessors) add(before, open);
    }
    for (Pc pc = 0; pc < uses.size(); ++pc) {
      if (!has(pc)) continue;
      body_.push_back(pc);
      written_.insert(uses[pc].writes.begin(), uses[pc].writes.end());
      for (unsigned i = 0; i < uses[pc].sums.count; ++i) {
        written_.insert(static_cast<ir::RegisterSlot>(uses[pc].sums.first + i));
      }
    }
  }

  [[nodiscard]] std::vector<Pc> polls() {
    std::vector<Pc> sources;
    const auto is_global_read = [&](Pc pc) { return reads_global(kernel_.instructions[pc]); };
    if (std::none_of(body_.begin(), body_.end(), is_global_read)) return sources;
    find_definitions();
    for (const Pc pc : body_) {
      if (is_global_read(pc) && !has_moving_address(pc) && steers({pc})) sources.push_back(pc);
    }
    return sources;
  }

 private:
  [[nodiscard]] bool has(Pc pc) const { return has_block_[graph_.block_of[pc]]; }

  void add(BlockIndex block, std::vector<BlockIndex>& open) {
    if (has_block_[block]) return;
    has_block_[block] = true;
    open.push_back(block);
  }

  /// The instructions of the loop that may come directly before.
  [[nodiscard]] Definitions before(Pc pc) const {
    const BlockIndex block = graph_.block_of[pc];
    if (pc != graph_.blocks[block].begin) return {pc - 1};
    Definitions ends;
    for (const BlockIndex each : graph_.blocks[block].predecessors) {
      if (has_block_[each] && graph_.blocks[each].end != graph_.blocks[each].begin) {
        ends.push_back(graph_.blocks[each].end - 1);
      }
    }
    return ends;
  }

  /// What in the loop may have written what `pc` finds in `slot`.
  [[nodiscard]] Definitions reaching(Pc pc, ir::RegisterSlot slot) const {
    Definitions found;
    if (!written_.contains(slot)) return found;
    std::vector<bool> seen(uses_.size(), false);
    Definitions open = before(pc);
    while (!open.empty()) {
      const Pc at = open.back();
      open.pop_back();
      if (seen[at]) continue;
      seen[at] = true;
      const bool is_written = writes(uses_[at], slot);
      if (is_written) found.push_back(at);
      if (is_written && kernel_.instructions[at].guard.always()) continue;
      const Definitions more = before(at);
      open.insert(open.end(), more.begin(), more.end());
    }
    return found;
  }

  void find_definitions() {
    definitions_.assign(uses_.size(), {});
    users_.assign(uses_.size(), {});
    for (const Pc pc : body_) {
      std::set<Pc> all;
      const auto read = [&](ir::RegisterSlot slot) {
        const Definitions reach = reaching(pc, slot);
        all.insert(reach.begin(), reach.end());
      };
      for (const ir::RegisterSlot slot : uses_[pc].reads) read(slot);
      if (uses_[pc].reads_sums) read(uses_[pc].sums.first);
      definitions_[pc].assign(all.begin(), all.end());
      for (const Pc each : all) users_[each].push_back(pc);
    }
  }

  /// All that `from` leads to, along `edges`; with themselves only if they lead back to themselves.
  [[nodiscard]] std::vector<bool> closure(const Definitions& from,
                                          const std::vector<Definitions>& edges) const {
    std::vector<bool> reached(uses_.size(), false);
    Definitions open = from;
    while (!open.empty()) {
      const Pc pc = open.back();
      open.pop_back();
      for (const Pc next : edges[pc]) {
        if (reached[next]) continue;
        reached[next] = true;
        open.push_back(next);
      }
    }
    return reached;
  }

  /// What in the loop may have written the address.
  [[nodiscard]] Definitions address_of(Pc pc) const {
    const ir::Instruction& instruction = kernel_.instructions[pc];
    const ir::OpcodeInfo& row = ir::info(instruction.opcode);
    Definitions address;
    for (std::size_t i = 0; i < row.operand_count; ++i) {
      const std::uint8_t index = instruction.operands[i].index;
      if (row.operands[i] != ir::OperandRole::GlobalAddress || index == ir::kRegisterZero) continue;
      for (unsigned word = 0; word < 2; ++word) {
        const auto slot = static_cast<ir::RegisterSlot>(ir::kFirstRegister + index + word);
        const Definitions reach = reaching(pc, slot);
        address.insert(address.end(), reach.begin(), reach.end());
      }
    }
    return address;
  }

  /// Of what an address is made from, that which is made from what it was the round before.
  [[nodiscard]] Definitions recurrences(const Definitions& address) const {
    std::vector<bool> made_from = closure(address, definitions_);
    for (const Pc each : address) made_from[each] = true;
    Definitions found;
    std::copy_if(body_.begin(), body_.end(), std::back_inserter(found),
                 [&](Pc each) { return made_from[each] && closure({each}, definitions_)[each]; });
    return found;
  }

  /// Whether it is done in each round that comes to it: under no guard, or under a guard whose opposite does
  /// it, too.
  [[nodiscard]] bool is_sure(Pc pc, const Definitions& all) const {
    const ir::Guard& guard = kernel_.instructions[pc].guard;
    return guard.always() || std::any_of(all.begin(), all.end(), [&](Pc other) {
             const ir::Guard& opposite = kernel_.instructions[other].guard;
             return opposite.predicate == guard.predicate && opposite.negated != guard.negated;
           });
  }

  /// Whether there is no way round the loop on which the address stays the same.
  [[nodiscard]] bool has_moving_address(Pc pc) const {
    const Definitions moves = recurrences(address_of(pc));
    std::vector<bool> seen(uses_.size(), false);
    for (const Pc move : moves) seen[move] = is_sure(move, moves);
    if (seen[pc]) return true;
    Definitions open = before(pc);
    while (!open.empty()) {
      const Pc at = open.back();
      open.pop_back();
      if (at == pc) return false;
      if (seen[at]) continue;
      seen[at] = true;
      const Definitions more = before(at);
      open.insert(open.end(), more.begin(), more.end());
    }
    return true;
  }

  /// Whether lanes go one way or the other by what an instruction gives.
  [[nodiscard]] bool steers(Definitions from) const {
    std::vector<bool> depends = closure(from, users_);
    const auto any = [&](auto holds) {
      return std::any_of(body_.begin(), body_.end(),
                         [&](Pc pc) { return depends[pc] && holds(kernel_.instructions[pc]); });
    };
    if (any(decides)) return true;
    if (!any(tells)) return false;
    for (const Pc pc : body_) {
      if (listens(kernel_.instructions[pc])) from.push_back(pc);
    }
    depends = closure(from, users_);
    return any(decides);
  }

  const ir::Kernel& kernel_;
  const std::vector<ir::RegisterUse>& uses_;
  const FlowGraph& graph_;
  std::vector<bool> has_block_;
  std::vector<Pc> body_;
  std::set<ir::RegisterSlot> written_;
  std::vector<Definitions> definitions_;  // by Pc: of what it reads, those in the loop
  std::vector<Definitions> users_;        // the other way round
};

}  // namespace

std::vector<Pc> polling_accesses(const ir::Kernel& kernel) {
  const FlowGraph graph = make_flow_graph(kernel);
  std::vector<ir::RegisterUse> uses;
  for (const ir::Instruction& instruction : kernel.instructions)
    uses.push_back(ir::register_use(instruction));
  std::set<Pc> all;
  for (BlockIndex latch = 0; latch < graph.blocks.size(); ++latch) {
    for (const BlockIndex head : graph.blocks[latch].successors) {
      if (head > latch) continue;
      const std::vector<Pc> polls = Loop(kernel, uses, graph, latch, head).polls();
      all.insert(polls.begin(), polls.end());
    }
  }
  return {all.begin(), all.end()};
}

}  // namespace heddle::cfg
