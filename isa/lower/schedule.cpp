#include "isa/lower/schedule.h"

#include <algorithm>
#include <utility>

#include "isa/cfg/flow_graph.h"
#include "isa/cfg/liveness.h"
#include "isa/lower/allocate_budget.h"
#include "isa/lower/dependencies.h"
#include "isa/lower/order_marks.h"
#include "isa/lower/schedule_sequence.h"

namespace heddle::lower {

namespace {

/// A sequence of this many instructions is ordered at once at most, so that time stays in proportion.
constexpr Pc kMostAtOnce = 512;

constexpr unsigned kFreeRegisters = 32;  // as many as a thread has where an SM is full of them
// That rest or keep banks apart: ptxas takes four to five more than hold values at once (tests/isa/compiled).
constexpr unsigned kIdle = 4;

LiveKeys keys_of(const cfg::Liveness& liveness, const std::vector<cfg::RegisterNumber>& numbers) {
  LiveKeys made;
  for (const cfg::RegisterNumber number : numbers) {
    const ir::RegisterName& name = liveness.registers[number];
    if (counts_for_order(name.file)) made.insert(key_of(name.file, name.index));
  }
  return made;
}

/// The sets of registers that are live behind each instruction of [begin, end), from the last one on.
template <typename Visit>
void walk_back(const ir::Kernel& kernel, Pc begin, Pc end, LiveKeys live, Visit visit) {
  for (Pc pc = end; pc-- > begin;) {
    visit(pc, live);
    const ir::Instruction& instruction = kernel.instructions[pc];
    if (instruction.guard.always()) each_key(instruction, true, [&](Key key) { live.erase(key); });
    each_key(instruction, false, [&](Key key) { live.insert(key); });
  }
}

/// Orders the sequences of one block.
class Block {
 public:
  Block(ir::Kernel& kernel, const cfg::BasicBlock& block, const LiveKeys& live_out, const OrderLimits& limits)
      : kernel_(kernel), block_(block), live_out_(live_out), limits_(limits) {}

  void run() {
    find_sequences();
    std::vector<LiveKeys> behind(sequences_.size());
    std::size_t next = sequences_.size();
    walk_back(kernel_, block_.begin, block_.end, live_out_, [&](Pc pc, const LiveKeys& live) {
      if (next != 0 && sequences_[next - 1].second == pc + 1) behind[--next] = live;
    });
    for (std::size_t i = 0; i < sequences_.size(); ++i)
      order(sequences_[i].first, sequences_[i].second, behind[i]);
  }

 private:
  void find_sequences() {
    for (Pc begin = block_.begin; begin < block_.end;) {
      Pc end = begin;
      while (end < block_.end && end - begin < kMostAtOnce && !is_fixed(kernel_.instructions[end])) ++end;
      if (end - begin > 1) sequences_.emplace_back(begin, end);
      begin = std::max(end, begin + 1);
    }
  }

  void order(Pc begin, Pc end, const LiveKeys& live_behind) {
    const std::vector<std::uint32_t> places = order_of(kernel_, begin, end, live_behind, limits_);
    std::vector<ir::Instruction> instructions;
    std::vector<ir::SourcePlace> sources;
    for (const std::uint32_t place : places) {
      instructions.push_back(kernel_.instructions[begin + place]);
      sources.push_back(kernel_.sources[begin + place]);
    }
    std::copy(instructions.begin(), instructions.end(), kernel_.instructions.begin() + begin);
    std::copy(sources.begin(), sources.end(), kernel_.sources.begin() + begin);
  }

  ir::Kernel& kernel_;
  const cfg::BasicBlock& block_;
  const LiveKeys& live_out_;
  const OrderLimits& limits_;
  std::vector<std::pair<Pc, Pc>> sequences_;
};

}  // namespace

void order_for_latency(ir::Kernel& kernel) {
  const cfg::FlowGraph graph = cfg::make_flow_graph(kernel);
  const cfg::Liveness liveness = cfg::make_liveness(kernel, graph);
  std::size_t pressure = 0;
  std::vector<LiveKeys> live_out;
  for (cfg::BlockIndex i = 0; i < graph.blocks.size(); ++i) {
    live_out.push_back(keys_of(liveness, liveness.live_out[i]));
    const cfg::BasicBlock& block = graph.blocks[i];
    walk_back(kernel, block.begin, block.end, live_out.back(), [&](Pc, const LiveKeys& live) {
      pressure = std::max(pressure, live.size() - predicates_in(live));
    });
  }
  const std::size_t next_step = (pressure + kRegisterUnit) / kRegisterUnit * kRegisterUnit;
  const std::size_t most = std::max<std::size_t>(next_step, kFreeRegisters) - kReservedRegisters;
  const OrderLimits limits{most, pressure - std::min<std::size_t>(pressure, kIdle)};
  for (cfg::BlockIndex i = 0; i < graph.blocks.size(); ++i) {
    if (graph.blocks[i].begin == graph.blocks[i].end) continue;
    Block(kernel, graph.blocks[i], live_out[i], limits).run();
  }
  remove_order_marks(kernel);
}

}  // namespace heddle::lower
