#include "isa/lower/allocate_liveness.h"

#include <algorithm>

namespace heddle::lower {

namespace {

using cfg::BlockIndex;
using Number = std::uint32_t;

constexpr BlockIndex kNoBlock = ~BlockIndex{0};

/// Walks a block from its end. Says of each register for which lanes its value is needed: none, all, or those
/// for which a predicate holds.
class BackwardWalk {
 public:
  explicit BackwardWalk(Accesses& accesses) : accesses_(accesses), states_(accesses.registers().size()) {}

  /// Registers that are not named by set_live() are `otherwise` at the end of the block.
  void begin(bool otherwise) {
    ++walk_;
    otherwise_ = otherwise ? Need::All : Need::None;
    touched_.clear();
  }
  void set_live(Number number) { state(number).need = Need::All; }

  void run(const cfg::BasicBlock& block) {
    for (Pc pc = block.end; pc-- > block.begin;) step(pc);
  }

  /// The registers that were named or met.
  [[nodiscard]] const std::vector<Number>& touched() const { return touched_; }
  [[nodiscard]] bool is_live(Number number) { return state(number).need != Need::None; }

 private:
  enum class Need : std::uint8_t { None, All, Some };
  struct State {
    std::uint32_t walk = 0;
    Need need = Need::None;
    bool negated = false;
    Number predicate = 0;         // whose value decides, of Need::Some,
    std::uint32_t value = 0;      // as long as it is this one
    std::uint32_t own_value = 0;  // for a predicate: how many writes were met
  };

  State& state(Number number) {
    State& found = states_[number];
    if (found.walk != walk_) {
      found = {walk_, otherwise_, false, 0, 0, 0};
      touched_.push_back(number);
    }
    return found;
  }

  void step(Pc pc) {
    const Condition& condition = accesses_.condition(pc);
    const std::span<Access> accesses = accesses_.of(pc);
    for (const Access& access : accesses) {
      if (access.is_written) ++state(access.number).own_value;
    }
    for (Access& access : accesses) {
      if (access.is_written) access.starts = write(access.number, condition);
    }
    for (const Access& access : accesses) {
      if (!access.is_written)
        read(access.number, access.number == condition.predicate ? Condition{} : condition);
    }
  }

  /// Whether what decides has changed since the need was noted.
  bool is_stale(const State& of) { return state(of.predicate).own_value != of.value; }

  void refresh(Number number) {
    State& of = state(number);
    if (of.need == Need::Some && is_stale(of)) of.need = Need::All;
  }

  bool is_same(const State& of, const Condition& condition) const {
    return of.need == Need::Some && of.predicate == condition.predicate && of.negated == condition.negated;
  }

  void note(Number number, const Condition& condition, bool negated) {
    const std::uint32_t value = state(condition.predicate).own_value;
    State& of = state(number);
    of.need = Need::Some;
    of.predicate = condition.predicate;
    of.negated = negated;
    of.value = value;
  }

  /// Whether nobody needs the value before.
  bool write(Number number, const Condition& condition) {
    refresh(number);
    State& of = state(number);
    if (condition.always || is_same(of, condition)) {
      of.need = Need::None;
    } else if (of.need == Need::All && condition.predicate != Condition::kNone) {
      note(number, condition, !condition.negated);
    }
    return state(number).need == Need::None;
  }

  void read(Number number, const Condition& condition) {
    refresh(number);
    const State& of = state(number);
    if (condition.predicate == Condition::kNone) {
      state(number).need = Need::All;
    } else if (of.need == Need::None) {
      note(number, condition, condition.negated);
    } else if (!is_same(of, condition)) {
      state(number).need = Need::All;
    }
  }

  Accesses& accesses_;
  std::vector<State> states_;
  std::uint32_t walk_ = 0;
  Need otherwise_ = Need::None;
  std::vector<Number> touched_;
};

/// By register.
struct Blocks {
  std::vector<std::vector<BlockIndex>> reading;  ///< Need its value from before.
  std::vector<std::vector<BlockIndex>> ending;   ///< End its life, whoever needs it behind them.
  std::vector<std::vector<BlockIndex>> writing;
};

void add_once(std::vector<BlockIndex>& blocks, BlockIndex block) {
  if (blocks.empty() || blocks.back() != block) blocks.push_back(block);
}

Blocks blocks_of(Accesses& accesses, const cfg::FlowGraph& graph) {
  const std::size_t registers = accesses.registers().size();
  Blocks found{decltype(Blocks::reading)(registers), decltype(Blocks::ending)(registers),
               decltype(Blocks::writing)(registers)};
  BackwardWalk walk(accesses);
  for (BlockIndex index = 0; index < graph.blocks.size(); ++index) {
    const cfg::BasicBlock& block = graph.blocks[index];
    walk.begin(false);
    walk.run(block);
    for (const Number number : walk.touched()) {
      if (walk.is_live(number)) found.reading[number].push_back(index);
    }
    walk.begin(true);
    walk.run(block);
    for (const Number number : walk.touched()) {
      if (!walk.is_live(number)) found.ending[number].push_back(index);
    }
    for (Pc pc = block.begin; pc < block.end; ++pc) {
      for (const Access& access : accesses.of(pc)) {
        if (access.is_written) add_once(found.writing[access.number], index);
      }
    }
  }
  return found;
}

/// One register after the other: from the blocks that read it backward, then from those that write it
/// forward.
class Explorer {
 public:
  Explorer(const Accesses& accesses, const cfg::FlowGraph& graph, const Blocks& blocks, LiveRegisters& live)
      : accesses_(accesses),
        graph_(graph),
        blocks_(blocks),
        live_(live),
        ends_(graph.blocks.size(), kNoBlock),
        is_in_(graph.blocks.size(), kNoBlock),
        is_out_(graph.blocks.size(), kNoBlock),
        is_reached_(graph.blocks.size(), kNoBlock) {}

  void explore(Number number) {
    found_.clear();
    for (const BlockIndex block : blocks_.ending[number]) ends_[block] = number;
    for (const BlockIndex block : blocks_.reading[number]) enter(block, number);
    while (!open_.empty()) {
      const BlockIndex block = pop();
      for (const BlockIndex before : graph_.blocks[block].predecessors) leave(before, number);
    }
    if (ir::is_virtual(accesses_.registers()[number].index)) reach(number);
    for (const BlockIndex block : found_) live_.in[block].push_back(number);
  }

 private:
  BlockIndex pop() {
    const BlockIndex block = open_.back();
    open_.pop_back();
    return block;
  }

  void enter(BlockIndex block, Number number) {
    if (is_in_[block] == number) return;
    is_in_[block] = number;
    found_.push_back(block);
    open_.push_back(block);
  }

  void leave(BlockIndex block, Number number) {
    if (is_out_[block] == number) return;
    is_out_[block] = number;
    if (ends_[block] != number) enter(block, number);
  }

  /// Keeps those blocks that a write leads to.
  void reach(Number number) {
    found_.clear();
    for (const BlockIndex block : blocks_.writing[number]) follow(block, number);
    while (!open_.empty()) follow(pop(), number);
  }

  void follow(BlockIndex block, Number number) {
    if (is_out_[block] != number) return;
    for (const BlockIndex next : graph_.blocks[block].successors) {
      if (is_in_[next] != number || is_reached_[next] == number) continue;
      is_reached_[next] = number;
      found_.push_back(next);
      open_.push_back(next);
    }
  }

  const Accesses& accesses_;
  const cfg::FlowGraph& graph_;
  const Blocks& blocks_;
  LiveRegisters& live_;
  std::vector<Number> ends_;  // by block the register for which it was noted last, as the following three
  std::vector<Number> is_in_;
  std::vector<Number> is_out_;
  std::vector<Number> is_reached_;
  std::vector<BlockIndex> found_;
  std::vector<BlockIndex> open_;
};

void note_starts(Accesses& accesses, const cfg::FlowGraph& graph, const LiveRegisters& live) {
  BackwardWalk walk(accesses);
  for (const cfg::BasicBlock& block : graph.blocks) {
    walk.begin(false);
    for (const BlockIndex next : block.successors) {
      for (const Number number : live.in[next]) walk.set_live(number);
    }
    walk.run(block);
  }
}

}  // namespace

LiveRegisters find_live_registers(Accesses& accesses, const cfg::FlowGraph& graph) {
  LiveRegisters live;
  live.in.resize(graph.blocks.size());
  const Blocks blocks = blocks_of(accesses, graph);
  Explorer explorer(accesses, graph, blocks, live);
  for (Number number = 0; number < accesses.registers().size(); ++number) explorer.explore(number);
  note_starts(accesses, graph, live);
  return live;
}

}  // namespace heddle::lower
