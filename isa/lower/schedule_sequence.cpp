#include "isa/lower/schedule_sequence.h"

#include <algorithm>
#include <tuple>

#include "isa/lower/dependencies.h"

namespace heddle::lower {

namespace {

constexpr std::size_t kPredicates = ir::kPredicateTrue;
constexpr std::size_t kMargin = 2;            // for pairs that do not fit the gaps
constexpr unsigned kLatencyWorthHiding = 20;  // more than that of arithmetic

class Sequence {
 public:
  Sequence(const ir::Kernel& kernel, Pc begin, Pc end, const LiveKeys& live_behind, const OrderLimits& limits)
      : count_(end - begin), dependencies_(dependencies_of(kernel, begin, end)), limits_(limits) {
    number_registers(kernel, begin, end);
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
  using Number = std::uint32_t;  // numbers the registers that the sequence names

  struct Read {
    Number number = 0;
    unsigned times = 0;
  };
  struct Row {
    std::vector<Read> reads;
    std::vector<Number> writes;
    unsigned height = 0;  ///< How long it takes from here to the end of all that needs it.
    bool takes_long = false;
    bool is_guarded = false;
  };

  void number_registers(const ir::Kernel& kernel, Pc begin, Pc end) {
    for (Pc pc = begin; pc < end; ++pc) {
      for (const bool written : {false, true})
        each_key(kernel.instructions[pc], written, [&](Key key) { keys_.push_back(key); });
    }
    std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
    reads_.assign(keys_.size(), 0);
  }

  [[nodiscard]] Number number_of(Key key) const {
    return static_cast<Number>(std::lower_bound(keys_.begin(), keys_.end(), key) - keys_.begin());
  }

  void add(const ir::Instruction& instruction) {
    Row& row = rows_.emplace_back();
    row.is_guarded = !instruction.guard.always();
    each_key(instruction, false, [&](Key key) {
      const Number number = number_of(key);
      ++reads_[number];
      const auto found = std::find_if(row.reads.begin(), row.reads.end(),
                                      [&](const Read& read) { return read.number == number; });
      if (found == row.reads.end()) {
        row.reads.push_back({number, 1});
      } else {
        ++found->times;
      }
    });
    each_key(instruction, true, [&](Key key) { row.writes.push_back(number_of(key)); });
  }

  /// What is live in front of the sequence follows from what is live behind it; what it does not name, is so
  /// all the time.
  void find_live(const LiveKeys& live_behind) {
    is_live_behind_.assign(keys_.size(), false);
    for (const Key key : live_behind) {
      const Number number = number_of(key);
      if (number < keys_.size() && keys_[number] == key) {
        is_live_behind_[number] = true;
      } else {
        ++live_[is_predicate(key) ? 1 : 0];
      }
    }
    is_live_ = is_live_behind_;
    for (std::uint32_t i = count_; i-- > 0;) {
      if (!rows_[i].is_guarded) {
        for (const Number number : rows_[i].writes) is_live_[number] = false;
      }
      for (const Read& read : rows_[i].reads) is_live_[read.number] = true;
    }
    for (Number number = 0; number < keys_.size(); ++number) {
      if (is_live_[number]) ++live_[is_predicate(keys_[number]) ? 1 : 0];
    }
  }

  void find_heights() {
    for (std::uint32_t i = count_; i-- > 0;) {
      for (const Dependency& one : dependencies_.later[i]) {
        rows_[i].height = std::max(rows_[i].height, rows_[one.later].height + one.latency);
        rows_[i].takes_long |= one.latency >= kLatencyWorthHiding;
      }
    }
  }

  [[nodiscard]] bool is_wanted(Number number) const { return is_live_behind_[number] || reads_[number] > 0; }

  /// How many more registers, or predicates, hold values behind the instruction than before it; 0 if fewer
  /// do.
  [[nodiscard]] int growth(const Row& row, bool of_predicates) const {
    int change = 0;
    for (const Read& read : row.reads) {
      if (is_predicate(keys_[read.number]) != of_predicates) continue;
      if (reads_[read.number] == read.times && !is_live_behind_[read.number]) --change;
    }
    for (const Number number : row.writes) {
      if (is_predicate(keys_[number]) != of_predicates) continue;
      if (is_wanted(number) && !is_live_[number]) ++change;
    }
    return std::max(change, 0);
  }

  /// Chooses among the instructions that nothing holds back. While there is room it takes, of those that need
  /// not wait, the one with the longest way behind it; else the one that needs the fewest more registers.
  std::uint32_t take(unsigned now) {
    const bool is_short_of_predicates = live_[1] + kMargin >= kPredicates;
    const bool is_tight = live_[0] + kMargin >= limits_.registers;
    const bool is_tight_for_arithmetic = live_[0] + kMargin >= limits_.of_arithmetic;
    const auto rank = [&](std::uint32_t i) {
      const Row& row = rows_[i];
      const bool is_held = is_tight || (is_tight_for_arithmetic && !row.takes_long);
      const int predicates = is_short_of_predicates ? growth(row, true) : 0;
      const int registers = is_held ? growth(row, false) : 0;
      const unsigned wait = ready_at_[i] > now ? ready_at_[i] - now : 0;
      return std::tuple(predicates, registers, wait, ~row.height, i);
    };
    std::size_t best = 0;
    auto best_rank = rank(free_[0]);
    for (std::size_t i = 1; i < free_.size(); ++i) {
      const auto other = rank(free_[i]);
      if (!(other < best_rank)) continue;
      best = i;
      best_rank = other;
    }
    const std::uint32_t taken = free_[best];
    free_[best] = free_.back();
    free_.pop_back();
    return taken;
  }

  void set_live(Number number, bool is_live) {
    if (is_live_[number] == is_live) return;
    is_live_[number] = is_live;
    live_[is_predicate(keys_[number]) ? 1 : 0] += is_live ? std::size_t{1} : ~std::size_t{0};
  }

  void issue(std::uint32_t i, unsigned now) {
    for (const Read& read : rows_[i].reads) {
      reads_[read.number] -= read.times;
      if (!is_wanted(read.number)) set_live(read.number, false);
    }
    for (const Number number : rows_[i].writes) {
      if (is_wanted(number)) set_live(number, true);
    }
    for (const Dependency& one : dependencies_.later[i]) {
      ready_at_[one.later] = std::max(ready_at_[one.later], now + one.latency);
      if (--dependencies_.earlier[one.later] == 0) free_.push_back(one.later);
    }
  }

  std::uint32_t count_;
  Dependencies dependencies_;
  const OrderLimits& limits_;
  std::vector<Key> keys_;        // by number, in ascending order
  std::vector<Row> rows_;        // by place
  std::vector<unsigned> reads_;  // by number: that are still to come
  std::vector<bool> is_live_;    // by number
  std::vector<bool> is_live_behind_;
  std::size_t live_[2] = {0, 0};    // how many general registers and predicates are
  std::vector<unsigned> ready_at_;  // by place
  std::vector<std::uint32_t> free_;
};

}  // namespace

std::vector<std::uint32_t> order_of(const ir::Kernel& kernel, Pc begin, Pc end, const LiveKeys& live_behind,
                                    const OrderLimits& limits) {
  return Sequence(kernel, begin, end, live_behind, limits).run();
}

}  // namespace heddle::lower
