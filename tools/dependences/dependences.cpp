#include "tools/dependences/dependences.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "isa/cfg/flow_graph.h"
#include "isa/ir/register_use.h"

namespace heddle::dependences {

namespace {

/// A value that lies in a register, or may: who wrote it, and how long ago at least.
struct Value {
  Pc producer = 0;
  unsigned age = 0;         ///< Cycles since it issued, at most kFarthest.
  bool is_awaited = false;  ///< Its barrier has been waited for.

  friend bool operator==(const Value&, const Value&) = default;
};

/// What lies where, by slot. Several values, where paths meet or writes are guarded; by producer.
using Values = std::map<ir::RegisterSlot, std::vector<Value>>;

/// Adds what comes from another path. Whether anything has changed.
bool merge(const Values& from, Values& into) {
  bool has_changed = false;
  for (const auto& [slot, values] : from) {
    std::vector<Value>& here = into[slot];
    for (const Value& value : values) {
      const auto same = std::find_if(here.begin(), here.end(),
                                     [&](const Value& each) { return each.producer == value.producer; });
      if (same == here.end()) {
        here.push_back(value);
        has_changed = true;
        continue;
      }
      const Value before = *same;
      same->age = std::min(same->age, value.age);
      same->is_awaited = same->is_awaited && value.is_awaited;
      has_changed = has_changed || !(*same == before);
    }
  }
  return has_changed;
}

class Analysis {
 public:
  Analysis(const ir::Kernel& kernel, const sim::ClassTimings& timings, Census& census)
      : kernel_(kernel), timings_(timings), census_(census), graph_(cfg::make_flow_graph(kernel)) {}

  void run() {
    std::vector<Values> at_begin(graph_.blocks.size());
    std::vector<cfg::BlockIndex> open = {0};
    std::vector<bool> is_reached(graph_.blocks.size());
    while (!open.empty()) {
      const cfg::BlockIndex index = open.back();
      open.pop_back();
      is_reached[index] = true;
      const Values after = walk(index, at_begin[index], false);
      for (const cfg::BlockIndex next : graph_.blocks[index].successors) {
        if (merge(after, at_begin[next]) || !is_reached[next]) open.push_back(next);
      }
    }
    for (cfg::BlockIndex index = 0; index < graph_.blocks.size(); ++index) {
      if (is_reached[index]) walk(index, at_begin[index], true);
    }
  }

 private:
  /// Through a block. Returns what lies where behind it.
  Values walk(cfg::BlockIndex index, Values values, bool counts) {
    const cfg::BasicBlock& block = graph_.blocks[index];
    for (Pc pc = block.begin; pc < block.end; ++pc) {
      const ir::RegisterUse use = ir::register_use(kernel_.instructions[pc]);
      await(pc, values);
      if (counts) read(pc, use, values);
      write(pc, use, values);
      pass(std::max<unsigned>(control(pc).stall, 1), values);
    }
    return values;
  }

  /// Barriers that the instruction waits for; DEPBAR names one, too.
  void await(Pc pc, Values& values) const {
    const ir::Instruction& instruction = kernel_.instructions[pc];
    unsigned mask = control(pc).wait_mask;
    if (ir::info(instruction.opcode).action == ir::Action::AwaitCopies)
      mask |= 1U << instruction.operands[0].index;
    if (mask == 0) return;
    // By class: how long ago the youngest that is waited for has issued.
    std::map<ir::TimingClass, unsigned> awaited;
    for (auto& [slot, list] : values) {
      for (Value& value : list) {
        if ((mask >> control(value.producer).write_barrier & 1) == 0) continue;
        value.is_awaited = true;
        const auto found = awaited.try_emplace(class_of(value.producer), value.age).first;
        found->second = std::min(found->second, value.age);
      }
    }
    for (auto& [slot, list] : values) {
      for (Value& value : list) {
        const auto found = awaited.find(class_of(value.producer));
        if (is_told_later(value) && found != awaited.end() && value.age >= found->second)
          value.is_awaited = true;
      }
    }
  }

  /// The load/store unit answers instructions of a class in their order: of several, the last one's barrier
  /// is enough, and the others have none.
  [[nodiscard]] bool is_told_later(const Value& value) const {
    return control(value.producer).write_barrier >= ir::kNoBarrier &&
           timings_.of(class_of(value.producer)).is_told_later;
  }

  void read(Pc pc, const ir::RegisterUse& use, const Values& values) {
    for (const ir::RegisterSlot slot : std::set<ir::RegisterSlot>(use.reads.begin(), use.reads.end())) {
      const auto found = values.find(slot);
      if (found == values.end()) continue;
      for (const Value& value : found->second) count(pc, slot, value);
    }
  }

  void count(Pc pc, ir::RegisterSlot slot, const Value& value) {
    if (control(value.producer).write_barrier < ir::kNoBarrier || is_told_later(value)) {
      if (value.is_awaited) {
        ++census_.guarded;
      } else {
        census_.unguarded.push_back(place_of(pc, value.producer));
      }
      return;
    }
    const Kind kind = {class_of(value.producer), class_of(pc), ir::is_guard_slot(slot)};
    Distances& all = census_.distances[kind];
    ++all.count;
    all.latency = latency_of(kind);
    if (value.age < all.latency) ++all.early;
    if (value.age > all.least) return;
    if (value.age < all.least) {
      all.at_least = 0;
      all.place = place_of(pc, value.producer);
    }
    all.least = value.age;
    ++all.at_least;
  }

  /// A guarded write may leave what was there.
  void write(Pc pc, const ir::RegisterUse& use, Values& values) const {
    const bool is_certain = kernel_.instructions[pc].guard.always();
    for (const ir::RegisterSlot slot : use.writes) {
      std::vector<Value>& here = values[slot];
      std::erase_if(here, [&](const Value& each) { return is_certain || each.producer == pc; });
      here.push_back({.producer = pc});
    }
  }

  /// Old values of fixed latency are forgotten: nobody comes too early for them.
  void pass(unsigned cycles, Values& values) const {
    for (auto& [slot, list] : values) {
      for (Value& value : list) value.age = std::min(value.age + cycles, kFarthest);
      std::erase_if(list, [this](const Value& each) {
        return each.age == kFarthest && control(each.producer).write_barrier >= ir::kNoBarrier &&
               !is_told_later(each);
      });
    }
  }

  [[nodiscard]] const ir::ControlCode& control(Pc pc) const { return kernel_.instructions[pc].control; }
  [[nodiscard]] ir::TimingClass class_of(Pc pc) const {
    return ir::info(kernel_.instructions[pc].opcode).timing_class;
  }

  /// Cycles from the producer's issue to the first in which the consumer may issue.
  [[nodiscard]] unsigned latency_of(const Kind& kind) const {
    const sim::ClassTiming& made = timings_.of(kind.producer);
    const sim::ReadyTime ready =
        kind.is_guard ? made.guard : made.result.across(timings_.of(kind.consumer).bypass);
    return static_cast<unsigned>(ready.cycle());
  }

  [[nodiscard]] std::string place_of(Pc consumer, Pc producer) const {
    const auto address = [this](Pc pc) {
      return pc < kernel_.addresses.size() ? kernel_.addresses[pc] : ir::kInstructionBytes * pc;
    };
    return fmt::format("{} {:#06x} of {:#06x}", kernel_.name, address(consumer), address(producer));
  }

  const ir::Kernel& kernel_;
  const sim::ClassTimings& timings_;
  Census& census_;
  cfg::FlowGraph graph_;
};

}  // namespace

std::uint64_t Census::checked() const {
  std::uint64_t sum = guarded + unguarded.size();
  for (const auto& [kind, all] : distances) sum += all.count;
  return sum;
}

std::uint64_t Census::early() const {
  std::uint64_t sum = 0;
  for (const auto& [kind, all] : distances) sum += all.early;
  return sum;
}

void add_dependences(const ir::Kernel& kernel, const sim::ClassTimings& timings, Census& census) {
  if (ir::has_control_codes(kernel)) Analysis(kernel, timings, census).run();
}

}  // namespace heddle::dependences
