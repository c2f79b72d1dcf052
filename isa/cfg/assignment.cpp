#include "isa/cfg/assignment.h"

#include <array>
#include <bitset>
#include <functional>
#include <queue>

#include "isa/cfg/flow_graph.h"
#include "isa/ir/register_use.h"

namespace heddle::cfg {

namespace {

using Slots = std::bitset<ir::kSlots>;

Slots to_set(const ir::SlotList& list) {
  Slots set;
  for (const ir::RegisterSlot slot : list) set.set(slot);
  return set;
}

Slots with_sums(Slots set, const ir::SlotRange& sums) {
  for (unsigned i = 0; i < sums.count; ++i) set.set(std::size_t{sums.first} + i);
  return set;
}

/// The registers and predicates that are known to be written, while a block is read from its beginning.
class Written {
 public:
  explicit Written(const Slots& on_entry) : always_(on_entry) {}

  /// Adds the instruction's writes. False if it may read something that is not written.
  bool step(const ir::Instruction& instruction);

  [[nodiscard]] const Slots& always() const { return always_; }

 private:
  Slots& under(ir::Guard guard) { return under_guard_[2U * guard.predicate + (guard.negated ? 1 : 0)]; }
  void write(const Slots& slots, ir::Guard guard);
  void forget_guards(const Slots& written);
  void forget(ir::RegisterIndex predicate) {
    under({predicate, false}).reset();
    under({predicate, true}).reset();
  }

  Slots always_;
  // by predicate and sense of the guard: what is written if that guard holds now
  std::array<Slots, 32> under_guard_;
};

bool Written::step(const ir::Instruction& instruction) {
  const ir::Guard guard = instruction.guard;
  if (guard.never()) return true;
  const ir::RegisterUse use = ir::needed_use(instruction);
  const Slots known = guard.always() ? always_ : always_ | under(guard);
  const Slots reads = with_sums(to_set(use.reads), use.reads_sums ? use.sums : ir::SlotRange{});
  const bool reads_written = (reads & ~known).none();
  write(with_sums(to_set(use.writes), use.sums), guard);
  return reads_written;
}

/// A register that is written under a guard and under its opposite is written in any case.
void Written::write(const Slots& slots, ir::Guard guard) {
  if (guard.always()) {
    always_ |= slots;
  } else {
    under(guard) |= slots;
    always_ |= under(guard) & under({guard.predicate, !guard.negated});
  }
  forget_guards(slots);
}

void Written::forget_guards(const Slots& written) {
  for (ir::RegisterIndex i = 0; i < ir::kPredicateTrue; ++i) {
    if (written.test(std::size_t{ir::kGuardSlots} + i)) forget(i);
    if (written.test(std::size_t{ir::kUniformPredicateSlots} + i))
      forget(ir::kFirstUniformPredicate + i);
  }
}

/// What each block writes on every path through it. It does not depend on reads, so it is computed once.
std::vector<Slots> written_by_blocks(const ir::Kernel& kernel, const FlowGraph& graph) {
  std::vector<Slots> written;
  for (const BasicBlock& block : graph.blocks) {
    Written state{Slots{}};
    for (Pc pc = block.begin; pc < block.end; ++pc) state.step(kernel.instructions[pc]);
    written.push_back(state.always());
  }
  return written;
}

/// Blocks that still have to be visited, each once, in program order. So mostly all predecessors of a block
/// are visited before it.
class VisitList {
 public:
  explicit VisitList(std::size_t blocks) : is_listed_(blocks, false) {}

  void add(BlockIndex block) {
    if (is_listed_[block]) return;
    is_listed_[block] = true;
    queue_.push(block);
  }
  BlockIndex take() {
    const BlockIndex block = queue_.top();
    queue_.pop();
    is_listed_[block] = false;
    return block;
  }
  [[nodiscard]] bool empty() const { return queue_.empty(); }

 private:
  std::vector<bool> is_listed_;
  std::priority_queue<BlockIndex, std::vector<BlockIndex>, std::greater<>> queue_;
};

/// What is written at the beginning of each block on every path to it. Everything if no path leads there.
std::vector<Slots> written_on_entry(const FlowGraph& graph, const std::vector<Slots>& written) {
  std::vector<Slots> on_entry(graph.blocks.size(), ~Slots{});
  on_entry[0].reset();
  VisitList to_visit(graph.blocks.size());
  to_visit.add(0);
  while (!to_visit.empty()) {
    const BlockIndex block = to_visit.take();
    const Slots on_exit = on_entry[block] | written[block];
    for (const BlockIndex next : graph.blocks[block].successors) {
      if ((on_entry[next] & ~on_exit).none()) continue;
      on_entry[next] &= on_exit;
      to_visit.add(next);
    }
  }
  return on_entry;
}

}  // namespace

bool may_read_unwritten(const ir::Kernel& kernel) {
  if (kernel.instructions.empty()) return false;
  const FlowGraph graph = make_flow_graph(kernel, Excursions::Followed);
  const std::vector<Slots> on_entry = written_on_entry(graph, written_by_blocks(kernel, graph));
  for (BlockIndex block = 0; block < graph.blocks.size(); ++block) {
    Written state(on_entry[block]);
    for (Pc pc = graph.blocks[block].begin; pc < graph.blocks[block].end; ++pc) {
      if (!state.step(kernel.instructions[pc])) return true;
    }
  }
  return false;
}

}  // namespace heddle::cfg
