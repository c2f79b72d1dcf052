#include "isa/lower/schedule.h"

#include <algorithm>
#include <map>
#include <set>

#include "isa/cfg/flow_graph.h"
#include "isa/cfg/liveness.h"
#include "isa/ir/registers.h"
#include "isa/lower/dependencies.h"

namespace heddle::lower {

namespace {

/// A sequence of this many instructions is ordered at once at most, so that time stays in proportion.
constexpr Pc kMostAtOnce = 512;

constexpr unsigned kFreeRegisters = 32;  // as many as a thread has where an SM is full of them
constexpr unsigned kOccupancyStep = 8;   // registers are handed out in such units

constexpr std::size_t kPredicates = ir::kPredicateTrue;

/// A general register or a predicate.
using Key = std::uint64_t;

constexpr Key kPredicateKeys = Key{1} << 32;

constexpr bool is_predicate(Key key) { return key >= kPredicateKeys; }

using RegisterSet = std::set<Key>;

std::size_t predicates_in(const RegisterSet& live) {
  return static_cast<std::size_t>(std::distance(live.lower_bound(kPredicateKeys), live.end()));
}

/// Nothing of uniform registers.
Key key_of(ir::RegisterFile file, ir::RegisterIndex index) {
  return file == ir::RegisterFile::Predicate ? kPredicateKeys + index : index;
}

bool counts(ir::RegisterFile file) {
  return file == ir::RegisterFile::General || file == ir::RegisterFile::Predicate;
}

template <typename Visit>
void each_register(const ir::Instruction& instruction, bool written, Visit visit) {
  for (const ir::RegisterRun& run : ir::registers_of(instruction)) {
    if (!counts(run.file) || (run.use == ir::RegisterRun::Use::Written) != written) continue;
    for (ir::RegisterIndex i = 0; i < run.count; ++i) visit(key_of(run.file, run.first + i));
  }
}

RegisterSet registers_of(const cfg::Liveness& liveness, const std::vector<cfg::RegisterNumber>& numbers) {
  RegisterSet made;
  for (const cfg::RegisterNumber number : numbers) {
    const ir::RegisterName& name = liveness.registers[number];
    if (counts(name.file)) made.insert(key_of(name.file, name.index));
  }
  return made;
}

/// The sets of registers that are live behind each instruction of [begin, end), from the last one on.
template <typename Visit>
void walk_back(const ir::Kernel& kernel, Pc begin, Pc end, RegisterSet live, Visit visit) {
  for (Pc pc = end; pc-- > begin;) {
    visit(pc, live);
    const ir::Instruction& instruction = kernel.instructions[pc];
    if (instruction.guard.always()) each_register(instruction, true, [&](Key index) { live.erase(index); });
    each_register(instruction, false, [&](Key index) { live.insert(index); });
  }
}

/// Orders one sequence.
class Sequence {
 public:
  Sequence(const ir::Kernel& kernel, Pc begin, Pc end, RegisterSet live_in, const RegisterSet& live_out,
           std::size_t limit)
      : kernel_(kernel),
        begin_(begin),
        count_(end - begin),
        dependencies_(dependencies_of(kernel, begin, end)),
        live_(std::move(live_in)),
        live_out_(live_out),
        limit_(limit) {}

  /// The places of the instructions in their new order.
  std::vector<std::uint32_t> run() {
    find_heights();
    count_reads();
    ready_at_.assign(count_, 0);
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (dependencies_.earlier[i] == 0) free_.push_back(i);
    }
    std::vector<std::uint32_t> order;
    for (unsigned now = 0; !free_.empty(); ++now) {
      const std::uint32_t taken = take(now);
      now = std::max(now, ready_at_[taken]);
      order.push_back(taken);
      issue(taken, now);
    }
    return order;
  }

 private:
  /// How long it takes from an instruction to the end of all that needs it.
  void find_heights() {
    heights_.assign(count_, 0);
    for (std::uint32_t i = count_; i-- > 0;) {
      for (const Dependency& one : dependencies_.later[i])
        heights_[i] = std::max(heights_[i], heights_[one.later] + one.latency);
    }
  }

  void count_reads() {
    for (std::uint32_t i = 0; i < count_; ++i)
      each_register(at(i), false, [&](Key index) { ++reads_[index]; });
  }

  [[nodiscard]] const ir::Instruction& at(std::uint32_t i) const { return kernel_.instructions[begin_ + i]; }

  /// How many more registers, or predicates, hold values behind the instruction than before it.
  [[nodiscard]] int growth(std::uint32_t i, bool of_predicates) const {
    int change = 0;
    std::map<Key, unsigned> own;
    each_register(at(i), false, [&](Key index) { ++own[index]; });
    for (const auto& [index, times] : own) {
      if (is_predicate(index) != of_predicates) continue;
      if (reads_.at(index) == times && live_out_.count(index) == 0) --change;
    }
    each_register(at(i), true, [&](Key index) {
      if (is_predicate(index) != of_predicates) return;
      const auto found = reads_.find(index);
      const bool is_wanted = live_out_.count(index) != 0 || (found != reads_.end() && found->second > 0);
      if (is_wanted && live_.count(index) == 0) ++change;
    });
    return change;
  }

  /// Of those that nothing holds back: while there is room the one with the longest way behind it, of those
  /// that need not wait; else the one that frees the most.
  std::uint32_t take(unsigned now) {
    const std::size_t predicates = predicates_in(live_);
    const bool is_tight = live_.size() - predicates + kMargin >= limit_;
    const bool is_short_of_predicates = predicates + kMargin >= kPredicates;
    const auto better = [&](std::uint32_t a, std::uint32_t b) {
      for (const bool of_predicates : {true, false}) {
        if (!(of_predicates ? is_short_of_predicates : is_tight)) continue;
        const int more_a = growth(a, of_predicates);
        const int more_b = growth(b, of_predicates);
        if (more_a != more_b && (more_a > 0 || more_b > 0)) return more_a < more_b;
      }
      const unsigned wait_a = ready_at_[a] > now ? ready_at_[a] - now : 0;
      const unsigned wait_b = ready_at_[b] > now ? ready_at_[b] - now : 0;
      if (wait_a != wait_b) return wait_a < wait_b;
      if (heights_[a] != heights_[b]) return heights_[a] > heights_[b];
      return a < b;
    };
    const auto best = std::min_element(free_.begin(), free_.end(), better);
    const std::uint32_t taken = *best;
    free_.erase(best);
    return taken;
  }

  void issue(std::uint32_t i, unsigned now) {
    each_register(at(i), false, [&](Key index) {
      if (--reads_[index] == 0 && live_out_.count(index) == 0) live_.erase(index);
    });
    each_register(at(i), true, [&](Key index) {
      const auto found = reads_.find(index);
      if (live_out_.count(index) != 0 || (found != reads_.end() && found->second > 0)) live_.insert(index);
    });
    for (const Dependency& one : dependencies_.later[i]) {
      ready_at_[one.later] = std::max(ready_at_[one.later], now + one.latency);
      if (--dependencies_.earlier[one.later] == 0) free_.push_back(one.later);
    }
  }

  static constexpr std::size_t kMargin = 2;  // for pairs that do not fit the gaps

  const ir::Kernel& kernel_;
  Pc begin_;
  std::uint32_t count_;
  Dependencies dependencies_;
  RegisterSet live_;
  const RegisterSet& live_out_;
  std::size_t limit_;
  std::vector<unsigned> heights_;
  std::vector<unsigned> ready_at_;
  std::vector<std::uint32_t> free_;
  std::map<Key, unsigned> reads_;  // that are still to come
};

/// Orders the sequences of one block, the last of them first.
class Block {
 public:
  Block(ir::Kernel& kernel, const cfg::BasicBlock& block, RegisterSet live_out, std::size_t limit)
      : kernel_(kernel), block_(block), live_out_(std::move(live_out)), limit_(limit) {}

  void run() {
    std::vector<RegisterSet> live_behind(block_.end - block_.begin);
    RegisterSet first;
    walk_back(kernel_, block_.begin, block_.end, live_out_,
              [&](Pc pc, const RegisterSet& live) { live_behind[pc - block_.begin] = live; });
    for (Pc begin = block_.begin; begin < block_.end;) {
      Pc end = begin;
      while (end < block_.end && end - begin < kMostAtOnce && !is_fixed(kernel_.instructions[end])) ++end;
      if (end - begin > 1)
        order(begin, end,
              begin == block_.begin ? live_in(live_behind) : live_behind[begin - 1 - block_.begin],
              live_behind[end - 1 - block_.begin]);
      begin = std::max(end, begin + 1);
    }
  }

 private:
  [[nodiscard]] RegisterSet live_in(const std::vector<RegisterSet>& live_behind) const {
    RegisterSet live = live_behind.front();
    const ir::Instruction& instruction = kernel_.instructions[block_.begin];
    if (instruction.guard.always()) each_register(instruction, true, [&](Key index) { live.erase(index); });
    each_register(instruction, false, [&](Key index) { live.insert(index); });
    return live;
  }

  void order(Pc begin, Pc end, const RegisterSet& live_before, const RegisterSet& live_behind) {
    const std::vector<std::uint32_t> places =
        Sequence(kernel_, begin, end, live_before, live_behind, limit_).run();
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
  RegisterSet live_out_;
  std::size_t limit_;
};

}  // namespace

void order_for_latency(ir::Kernel& kernel) {
  const cfg::FlowGraph graph = cfg::make_flow_graph(kernel);
  const cfg::Liveness liveness = cfg::make_liveness(kernel, graph);
  std::size_t pressure = 0;
  std::vector<RegisterSet> live_out;
  for (cfg::BlockIndex i = 0; i < graph.blocks.size(); ++i) {
    live_out.push_back(registers_of(liveness, liveness.live_out[i]));
    const cfg::BasicBlock& block = graph.blocks[i];
    walk_back(kernel, block.begin, block.end, live_out.back(), [&](Pc, const RegisterSet& live) {
      pressure = std::max(pressure, live.size() - predicates_in(live));
    });
  }
  const std::size_t next_step = (pressure + kOccupancyStep) / kOccupancyStep * kOccupancyStep;
  const std::size_t limit = std::max<std::size_t>(next_step, kFreeRegisters);
  for (cfg::BlockIndex i = 0; i < graph.blocks.size(); ++i) {
    if (graph.blocks[i].begin == graph.blocks[i].end) continue;
    Block(kernel, graph.blocks[i], std::move(live_out[i]), limit).run();
  }
}

}  // namespace heddle::lower
