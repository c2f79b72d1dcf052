#include "isa/lower/schedule_sequence.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "isa/lower/dependencies.h"

namespace heddle::lower {

namespace {

constexpr std::size_t kPredicates = ir::kPredicateTrue;
constexpr std::size_t kMargin = 2;            // for pairs that do not fit the gaps
constexpr unsigned kLatencyWorthHiding = 20;  // more than that of arithmetic
constexpr unsigned kOrderOnly = 1;            // the latency of a dependency that hands on no value

class Sequence {
 public:
  Sequence(const ir::Kernel& kernel, Pc begin, Pc end, const LiveKeys& live_behind, const OrderLimits& limits)
      : count_(end - begin), dependencies_(dependencies_of(kernel, begin, end)), limits_(limits) {
    for (Pc pc = begin; pc < end; ++pc) add(kernel.instructions[pc]);
    find_live(live_behind);
    find_heights();
  }

  std::vector<std::uint32_t> run() {
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
  using Number = std::uint32_t;  // numbers the values

  /// What a register holds from one write to the next. A register that a loop carries holds nothing between
  /// the last read of the old value and the write of the new one.
  struct Value {
    bool is_predicate = false;
    bool is_live = false;
    bool is_live_behind = false;
    unsigned reads = 0;  ///< That are still to come.
  };
  struct Read {
    Number number = 0;
    unsigned times = 0;
  };
  struct Row {
    std::vector<Read> reads;
    std::vector<Number> writes;
    unsigned height = 0;  ///< How long it takes from here to the end of all that needs it.
    bool takes_long = false;
    bool leads_to_long = false;  ///< It takes long, or what needs its result does.
  };

  Number add_value(Key key, bool is_live) {
    values_.push_back({is_predicate(key), is_live});
    if (is_live) ++live_[is_predicate(key) ? 1 : 0];
    return current_[key] = static_cast<Number>(values_.size() - 1);
  }

  /// What is read before it is written is live in front of the sequence.
  Number current(Key key) {
    const auto found = current_.find(key);
    return found == current_.end() ? add_value(key, true) : found->second;
  }

  void add_read(Row& row, Key key) {
    const Number number = current(key);
    ++values_[number].reads;
    const auto found = std::find_if(row.reads.begin(), row.reads.end(),
                                    [&](const Read& read) { return read.number == number; });
    if (found == row.reads.end()) {
      row.reads.push_back({number, 1});
    } else {
      ++found->times;
    }
  }

  void add(const ir::Instruction& instruction) {
    Row& row = rows_.emplace_back();
    each_key(instruction, false, [&](Key key) { add_read(row, key); });
    each_key(instruction, true, [&](Key key) {
      // What is written under a guard is the old value, or a part of it.
      const bool keeps = !instruction.guard.always();
      if (keeps) add_read(row, key);
      row.writes.push_back(keeps ? current(key) : add_value(key, false));
    });
  }

  /// What the sequence does not name, is live all the time.
  void find_live(const LiveKeys& live_behind) {
    for (const Key key : live_behind) {
      const auto found = current_.find(key);
      if (found == current_.end()) {
        ++live_[is_predicate(key) ? 1 : 0];
      } else {
        values_[found->second].is_live_behind = true;
      }
    }
  }

  void find_heights() {
    for (std::uint32_t i = count_; i-- > 0;) {
      for (const Dependency& one : dependencies_.later[i]) {
        rows_[i].height = std::max(rows_[i].height, rows_[one.later].height + one.latency);
        rows_[i].takes_long |= one.latency >= kLatencyWorthHiding;
        rows_[i].leads_to_long |= one.latency > kOrderOnly && rows_[one.later].leads_to_long;
      }
      rows_[i].leads_to_long |= rows_[i].takes_long;
    }
  }

  [[nodiscard]] static bool is_wanted(const Value& value) { return value.is_live_behind || value.reads > 0; }

  /// How many more registers, or predicates, hold values behind the instruction than before it; 0 if fewer
  /// do.
  [[nodiscard]] int growth(const Row& row, bool of_predicates) const {
    int change = 0;
    for (const Read& read : row.reads) {
      const Value& value = values_[read.number];
      if (value.is_predicate != of_predicates) continue;
      if (value.reads == read.times && !value.is_live_behind) --change;
    }
    for (const Number number : row.writes) {
      const Value& value = values_[number];
      if (value.is_predicate == of_predicates && is_wanted(value) && !value.is_live) ++change;
    }
    return std::max(change, 0);
  }

  [[nodiscard]] unsigned wait_of(std::uint32_t i, unsigned now) const {
    return ready_at_[i] > now ? ready_at_[i] - now : 0;
  }

  /// The place in free_ of the instruction with the least rank.
  template <typename RankOf>
  [[nodiscard]] std::size_t least(RankOf rank) const {
    std::size_t best = 0;
    auto best_rank = rank(free_[0]);
    for (std::size_t i = 1; i < free_.size(); ++i) {
      const auto other = rank(free_[i]);
      if (!(other < best_rank)) continue;
      best = i;
      best_rank = other;
    }
    return best;
  }

  /// Chooses among the instructions that nothing holds back. While there is room it takes, of those that need
  /// not wait, the one with the longest way behind it; else the one that needs the fewest more registers.
  /// Where that one would wait for a load, what leads to another load goes first, so that both are under way
  /// together.
  std::uint32_t take(unsigned now) {
    const bool is_short_of_predicates = live_[1] + kMargin >= kPredicates;
    const bool is_tight = live_[0] + kMargin >= limits_.registers;
    const bool is_tight_for_arithmetic = live_[0] + kMargin >= limits_.of_arithmetic;
    std::size_t best = least([&](std::uint32_t i) {
      const Row& row = rows_[i];
      const bool is_held = is_tight || (is_tight_for_arithmetic && !row.takes_long);
      const int predicates = is_short_of_predicates ? growth(row, true) : 0;
      const int registers = is_held ? growth(row, false) : 0;
      return std::tuple(predicates, registers, wait_of(i, now), ~row.height, i);
    });
    if (!is_tight && wait_of(free_[best], now) > kLatencyWorthHiding) {
      const std::size_t other = least([&](std::uint32_t i) {
        const Row& row = rows_[i];
        const int predicates = is_short_of_predicates ? growth(row, true) : 0;
        return std::tuple(!row.leads_to_long, predicates, wait_of(i, now), ~row.height, i);
      });
      if (rows_[free_[other]].leads_to_long && wait_of(free_[other], now) < kLatencyWorthHiding) best = other;
    }
    const std::uint32_t taken = free_[best];
    free_[best] = free_.back();
    free_.pop_back();
    return taken;
  }

  void set_live(Value& value, bool is_live) {
    if (value.is_live == is_live) return;
    value.is_live = is_live;
    live_[value.is_predicate ? 1 : 0] += is_live ? std::size_t{1} : ~std::size_t{0};
  }

  void issue(std::uint32_t i, unsigned now) {
    for (const Read& read : rows_[i].reads) {
      Value& value = values_[read.number];
      value.reads -= read.times;
      if (!is_wanted(value)) set_live(value, false);
    }
    for (const Number number : rows_[i].writes) {
      if (is_wanted(values_[number])) set_live(values_[number], true);
    }
    for (const Dependency& one : dependencies_.later[i]) {
      ready_at_[one.later] = std::max(ready_at_[one.later], now + one.latency);
      if (--dependencies_.earlier[one.later] == 0) free_.push_back(one.later);
    }
  }

  std::uint32_t count_;
  Dependencies dependencies_;
  const OrderLimits& limits_;
  std::vector<Row> rows_;  // by place
  std::vector<Value> values_;
  std::unordered_map<Key, Number> current_;  // of each register, while rows are added
  std::size_t live_[2] = {0, 0};             // how many general registers and predicates are
  std::vector<unsigned> ready_at_;           // by place
  std::vector<std::uint32_t> free_;
};

}  // namespace

std::vector<std::uint32_t> order_of(const ir::Kernel& kernel, Pc begin, Pc end, const LiveKeys& live_behind,
                                    const OrderLimits& limits) {
  return Sequence(kernel, begin, end, live_behind, limits).run();
}

}  // namespace heddle::lower
