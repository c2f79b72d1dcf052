#include "isa/cfg/polling.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
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

bool copies_to_shared(const ir::Instruction& instruction) {
  return ir::info(instruction.opcode).action == Action::Copy;
}

/// What lies in global memory comes to registers, or to shared memory.
bool reads_global(const ir::Instruction& instruction) {
  const Action action = ir::info(instruction.opcode).action;
  return touches_global(instruction) &&
         (action == Action::Load || action == Action::Atomic || copies_to_shared(instruction));
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

/// One loop: the blocks from which its back edges can be reached without passing its head, and what they
/// call.
class Loop {
 public:
  Loop(const ir::Kernel& kernel, const std::vector<ir::RegisterUse>& uses, const FlowGraph& graph,
       BlockIndex head, const std::vector<BlockIndex>& latches)
      : kernel_(kernel),
        uses_(uses),
        graph_(graph),
        has_block_(graph.blocks.size(), false),
        seen_(uses.size()),
        definitions_(uses.size()) {
    has_block_[head] = true;
    std::vector<BlockIndex> open;
    for (const BlockIndex latch : latches) add(latch, open);
    while (!open.empty()) {
      const BlockIndex block = open.back();
      open.pop_back();
      for (const BlockIndex before : graph.blocks[block].predecessors) add(before, open);
    }
    add_callees();
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
    Definitions reads = those([](const ir::Instruction& each) { return reads_global(each); });
    if (reads.empty()) return {};
    const std::vector<bool> steering = sources_of(those(decides));
    const std::vector<bool> telling = sources_of(those(tells));
    const Definitions listeners = those(listens);
    const bool is_heard =
        std::any_of(listeners.begin(), listeners.end(), [&](Pc listener) { return steering[listener]; });
    const auto is_told = [&](Pc pc) { return telling[pc] || copies_to_shared(kernel_.instructions[pc]); };
    std::erase_if(
        reads, [&](Pc pc) { return !(steering[pc] || (is_heard && is_told(pc))) || has_moving_address(pc); });
    return reads;
  }

 private:
  [[nodiscard]] bool has(Pc pc) const { return has_block_[graph_.block_of[pc]]; }

  void add(BlockIndex block, std::vector<BlockIndex>& open) {
    if (has_block_[block]) return;
    has_block_[block] = true;
    open.push_back(block);
  }

  [[nodiscard]] Action last_action(BlockIndex block) const {
    const BasicBlock& place = graph_.blocks[block];
    return place.end == place.begin ? Action::Nop
                                    : ir::info(kernel_.instructions[place.end - 1].opcode).action;
  }

  /// What is called is part of the loop, up to where it returns.
  void add_callees() {
    std::vector<BlockIndex> called;
    for (BlockIndex block = 0; block < graph_.blocks.size(); ++block) {
      if (!has_block_[block] || last_action(block) != Action::Call) continue;
      for (const BlockIndex to : graph_.blocks[block].successors) {
        if (graph_.blocks[to].begin != graph_.blocks[block].end) add(to, called);
      }
    }
    for (std::size_t next = 0; next < called.size(); ++next) {
      const BlockIndex block = called[next];
      if (last_action(block) == Action::Return) returns_.push_back(graph_.blocks[block].end - 1);
      for (const BlockIndex to : graph_.blocks[block].successors) add(to, called);
    }
  }

  /// The instructions of the loop that may come directly before.
  [[nodiscard]] Definitions before(Pc pc) const {
    const BlockIndex block = graph_.block_of[pc];
    if (pc != graph_.blocks[block].begin) return {pc - 1};
    Definitions ends;
    find_ends(block, ends);
    return ends;
  }

  /// Where the loop's blocks before this one end; of one without instructions, those before it; behind a
  /// call, also where what was called returns.
  void find_ends(BlockIndex block, Definitions& ends) const {
    for (const BlockIndex each : graph_.blocks[block].predecessors) {
      if (!has_block_[each]) continue;
      if (graph_.blocks[each].end == graph_.blocks[each].begin) {
        find_ends(each, ends);
        continue;
      }
      ends.push_back(graph_.blocks[each].end - 1);
      const bool is_behind = graph_.blocks[each].end == graph_.blocks[block].begin;
      if (is_behind && last_action(each) == Action::Call)
        ends.insert(ends.end(), returns_.begin(), returns_.end());
    }
  }

  /// What in the loop may have written what `pc` finds in `slot`.
  [[nodiscard]] Definitions reaching(Pc pc, ir::RegisterSlot slot) {
    Definitions found;
    if (!written_.contains(slot)) return found;
    const std::uint32_t walk = ++walks_;
    Definitions open = before(pc);
    while (!open.empty()) {
      const Pc at = open.back();
      open.pop_back();
      if (seen_[at] == walk) continue;
      seen_[at] = walk;
      const bool is_written = writes(uses_[at], slot);
      if (is_written) found.push_back(at);
      if (is_written && kernel_.instructions[at].guard.always()) continue;
      const Definitions more = before(at);
      open.insert(open.end(), more.begin(), more.end());
    }
    return found;
  }

  /// What in the loop may have written what `pc` reads.
  const Definitions& definitions(Pc pc) {
    std::optional<Definitions>& known = definitions_[pc];
    if (known) return *known;
    std::set<Pc> all;
    const auto read = [&](ir::RegisterSlot slot) {
      const Definitions reach = reaching(pc, slot);
      all.insert(reach.begin(), reach.end());
    };
    for (const ir::RegisterSlot slot : uses_[pc].reads) read(slot);
    if (uses_[pc].reads_sums) read(uses_[pc].sums.first);
    return known.emplace(all.begin(), all.end());
  }

  /// All that these are made from; with themselves only if they are made from what they were before.
  [[nodiscard]] std::vector<bool> sources_of(Definitions open) {
    std::vector<bool> reached(uses_.size(), false);
    while (!open.empty()) {
      const Pc pc = open.back();
      open.pop_back();
      for (const Pc source : definitions(pc)) {
        if (reached[source]) continue;
        reached[source] = true;
        open.push_back(source);
      }
    }
    return reached;
  }

  /// The loop's instructions of a kind.
  template <typename Holds>
  [[nodiscard]] Definitions those(Holds holds) const {
    Definitions found;
    std::copy_if(body_.begin(), body_.end(), std::back_inserter(found),
                 [&](Pc pc) { return holds(kernel_.instructions[pc]); });
    return found;
  }

  /// What in the loop may have written the address.
  [[nodiscard]] Definitions address_of(Pc pc) {
    const ir::Instruction& instruction = kernel_.instructions[pc];
    const ir::OpcodeInfo& row = ir::info(instruction.opcode);
    Definitions address;
    for (std::size_t i = 0; i < row.operand_count; ++i) {
      if (row.operands[i] != ir::OperandRole::GlobalAddress) continue;
      for (const ir::RegisterSlot slot : ir::address_use(instruction, i)) {
        const Definitions reach = reaching(pc, slot);
        address.insert(address.end(), reach.begin(), reach.end());
      }
    }
    return address;
  }

  /// Of what an address is made from, that which is made from what it was the round before.
  [[nodiscard]] Definitions recurrences(const Definitions& address) {
    std::vector<bool> made_from = sources_of(address);
    for (const Pc each : address) made_from[each] = true;
    Definitions found;
    std::copy_if(body_.begin(), body_.end(), std::back_inserter(found),
                 [&](Pc each) { return made_from[each] && sources_of({each})[each]; });
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
  [[nodiscard]] bool has_moving_address(Pc pc) {
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

  const ir::Kernel& kernel_;
  const std::vector<ir::RegisterUse>& uses_;
  const FlowGraph& graph_;
  std::vector<bool> has_block_;
  std::vector<Pc> body_;
  std::set<ir::RegisterSlot> written_;
  std::vector<std::uint32_t> seen_;  // by Pc: in which walk last
  std::uint32_t walks_ = 0;
  std::vector<Pc> returns_;                              // of what the loop calls
  std::vector<std::optional<Definitions>> definitions_;  // by Pc, as far as somebody has asked
};

}  // namespace

std::vector<Pc> polling_accesses(const ir::Kernel& kernel) {
  const FlowGraph graph = make_flow_graph(kernel);
  std::vector<ir::RegisterUse> uses;
  for (const ir::Instruction& instruction : kernel.instructions)
    uses.push_back(ir::register_use(instruction));
  std::map<BlockIndex, std::vector<BlockIndex>> latches;  // by the head of their loop
  for (BlockIndex latch = 0; latch < graph.blocks.size(); ++latch) {
    for (const BlockIndex head : graph.blocks[latch].successors) {
      if (head <= latch) latches[head].push_back(latch);
    }
  }
  std::set<Pc> all;
  for (const auto& [head, ends] : latches) {
    const std::vector<Pc> polls = Loop(kernel, uses, graph, head, ends).polls();
    all.insert(polls.begin(), polls.end());
  }
  return {all.begin(), all.end()};
}

}  // namespace heddle::cfg
