#include "isa/lower/pressure.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "isa/ir/special_register.h"
#include "isa/lower/allocate_disjoint_sets.h"
#include "isa/lower/allocate_flow.h"

namespace heddle::lower {

namespace {

// In executions of an ordinary instruction. A spilled value is stored and loaded; what is computed again is
// not stored.
constexpr double kLoadCost = 4;
constexpr double kStoreCost = 2;
constexpr double kAgainCost = 1;
constexpr double kSpecialRegisterCost = 3;

constexpr double kTripsOfLoop = 10;
constexpr unsigned kDeepest = 6;

/// How many values there are behind the instruction, and before it, if those in `out` do not count.
template <typename IsOut>
unsigned need_at(const Webs& webs, Pc pc, ir::RegisterFile file, const WebSet& live, std::size_t live_count,
                 IsOut is_out) {
  std::size_t behind = live_count;
  std::size_t before = live_count;
  const std::span<const Access> accesses = webs.accesses.of(pc);
  for (auto access = accesses.begin(); access != accesses.end(); ++access) {
    if (access->file != file) continue;
    const bool was_met = std::any_of(accesses.begin(), access, [&](const Access& other) {
      return other.number == access->number && other.is_written == access->is_written;
    });
    if (was_met) continue;
    // What is spilled needs a register all the same where it is read or written.
    const bool counts_live = live.has(access->number) && !is_out(access->number);
    if (access->is_written) {
      behind += counts_live ? 0 : 1;
      before -= counts_live && access->starts ? 1 : 0;
    } else {
      const bool is_written_too = std::any_of(accesses.begin(), accesses.end(), [&](const Access& other) {
        return other.number == access->number && other.is_written && other.starts;
      });
      before += counts_live && !is_written_too ? 0 : 1;
    }
  }
  return static_cast<unsigned>(std::max(behind, before));
}

}  // namespace

unsigned most_pressure(const Webs& webs, ir::RegisterFile file) {
  unsigned most = 0;
  for_each_live_set(webs, file, [&](Pc pc, const WebSet& live) {
    most = std::max(most, need_at(webs, pc, file, live, live.list().size(), [](Web) { return false; }));
  });
  return most;
}

bool is_computable_anywhere(const ir::Instruction& instruction) {
  if (!instruction.guard.always()) return false;
  const auto reads_launch_or_data = [&](const ir::Operand& operand) {
    return operand.kind == ir::Operand::Kind::Constant;
  };
  const ir::Operand& source = instruction.operands[1];
  switch (instruction.opcode) {
    case ir::Opcode::Mov:
    case ir::Opcode::Mov64:
    case ir::Opcode::Umov:
    case ir::Opcode::Umov64:
      return source.kind == ir::Operand::Kind::Immediate || source.kind == ir::Operand::Kind::Target ||
             reads_launch_or_data(source);
    case ir::Opcode::Ldc:
    case ir::Opcode::Uldc:
    case ir::Opcode::Ldcu:
      return reads_launch_or_data(source);
    case ir::Opcode::S2r:
    case ir::Opcode::S2ur:
    case ir::Opcode::Cs2r:
    case ir::Opcode::Cs2r32:
      return source.index != static_cast<ir::RegisterIndex>(ir::SpecialRegister::ClockLo) &&
             source.index != static_cast<ir::RegisterIndex>(ir::SpecialRegister::ClockHi) &&
             source.index != static_cast<ir::RegisterIndex>(ir::SpecialRegister::TimerLo) &&
             source.index != static_cast<ir::RegisterIndex>(ir::SpecialRegister::TimerHi);
    default:
      return false;
  }
}

SpillUnits::SpillUnits(const ir::Kernel& kernel, const Webs& webs, const Numbering& numbering) {
  find_units(kernel, webs);
  for (Web web = 0; web < webs.list.size(); ++web) {
    if (webs.list[web].is_fixed() || numbering.is_momentary(webs.list[web].name))
      can_spill_[unit_of_[web]] = false;
  }
  find_costs(kernel, webs);
}

void SpillUnits::find_units(const ir::Kernel& kernel, const Webs& webs) {
  DisjointSets sets(webs.list.size());
  std::vector<Web> sums;
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) {
    const std::span<const Access> accesses = webs.accesses.of(pc);
    const ir::RegisterRuns runs = ir::registers_of(kernel.instructions[pc]);
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      if (accesses[i].place != 0) sets.unite(accesses[i - 1].number, accesses[i].number);
      if ((runs.begin() + accesses[i].run)->are_sums) sums.push_back(accesses[i].number);
    }
  }
  std::vector<std::uint32_t> number_of(webs.list.size(), ~0U);
  for (Web web = 0; web < webs.list.size(); ++web) {
    std::uint32_t& number = number_of[sets.find(web)];
    if (number == ~0U) {
      number = static_cast<std::uint32_t>(costs_.size());
      costs_.push_back(0);
      can_spill_.push_back(true);
      is_rematerializable_.push_back(true);
    }
    unit_of_.push_back(number);
  }
  for (const Web web : sums) can_spill_[unit_of_[web]] = false;
}

void SpillUnits::find_costs(const ir::Kernel& kernel, const Webs& webs) {
  const std::vector<unsigned> depths = loop_depths(webs.graph);
  std::vector<double> loads(costs_.size(), 0);
  std::vector<double> stores(costs_.size(), 0);
  std::vector<double> again(costs_.size(), kAgainCost);
  std::vector<std::uint8_t> writes(webs.list.size(), 0);
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) {
    const double often = std::pow(kTripsOfLoop, std::min(depths[webs.graph.block_of[pc]], kDeepest));
    const bool is_anywhere = is_computable_anywhere(kernel.instructions[pc]);
    for (const Access& access : webs.accesses.of(pc)) {
      const std::uint32_t unit = unit_of_[access.number];
      if (access.place == 0) (access.is_written ? stores : loads)[unit] += often;
      if (!access.is_written) continue;
      const bool is_only = writes[access.number]++ == 0;
      writes[access.number] = 1;
      if (!is_anywhere || !is_only || !access.starts) is_rematerializable_[unit] = false;
      if (ir::info(kernel.instructions[pc].opcode).action == ir::Action::SpecialRegister)
        again[unit] = kSpecialRegisterCost;
    }
  }
  for (Web web = 0; web < webs.list.size(); ++web) {
    if (writes[web] == 0) is_rematerializable_[unit_of_[web]] = false;
  }
  for (std::size_t unit = 0; unit < costs_.size(); ++unit) {
    costs_[unit] = is_rematerializable_[unit] ? loads[unit] * again[unit]
                                              : loads[unit] * kLoadCost + stores[unit] * kStoreCost;
  }
}

namespace {

class SpillChooser {
 public:
  SpillChooser(const Webs& webs, const SpillUnits& units, ir::RegisterFile file, unsigned most)
      : webs_(webs),
        units_(units),
        file_(file),
        most_(most),
        in_the_way_(units.count(), 0),
        is_spilled_(units.count(), false) {}

  SpillChoice run() {
    for_each_live_set(webs_, file_, [this](Pc pc, const WebSet& live) {
      if (need(pc, live, live.list().size()) <= most_) return;
      for (const Web web : live.list()) ++in_the_way_[units_.of(web)];
    });
    for_each_live_set(webs_, file_, [this](Pc pc, const WebSet& live) { relieve(pc, live); });
    return std::move(chosen_);
  }

 private:
  [[nodiscard]] bool is_out(Web web) const { return is_spilled_[units_.of(web)]; }
  [[nodiscard]] unsigned need(Pc pc, const WebSet& live, std::size_t count) const {
    return need_at(webs_, pc, file_, live, count, [this](Web web) { return is_out(web); });
  }

  void relieve(Pc pc, const WebSet& live) {
    if (live.list().size() + webs_.accesses.of(pc).size() <= most_) return;
    const auto out = [this](Web web) { return is_out(web); };
    auto count = live.list().size() -
                 static_cast<std::size_t>(std::count_if(live.list().begin(), live.list().end(), out));
    while (need(pc, live, count) > most_) {
      const std::uint32_t unit = cheapest(pc, live);
      if (unit == kNone) {
        chosen_.is_enough = false;
        return;
      }
      is_spilled_[unit] = true;
      chosen_.units.push_back(unit);
      count -= static_cast<std::size_t>(std::count_if(live.list().begin(), live.list().end(),
                                                      [&](Web web) { return units_.of(web) == unit; }));
    }
  }

  /// The cheapest unit to spill among those that are live and that the instruction does not need.
  [[nodiscard]] std::uint32_t cheapest(Pc pc, const WebSet& live) const {
    std::uint32_t best = kNone;
    double least = std::numeric_limits<double>::infinity();
    for (const Web web : live.list()) {
      const std::uint32_t unit = units_.of(web);
      if (!units_.can_spill(unit) || is_spilled_[unit] || is_named(pc, web)) continue;
      const double price = units_.cost(unit) / (in_the_way_[unit] + 1.0);
      if (price > least || (price == least && unit >= best)) continue;
      least = price;
      best = unit;
    }
    return best;
  }

  [[nodiscard]] bool is_named(Pc pc, Web web) const {
    const std::span<const Access> accesses = webs_.accesses.of(pc);
    return std::any_of(accesses.begin(), accesses.end(),
                       [web](const Access& access) { return access.number == web; });
  }

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  const Webs& webs_;
  const SpillUnits& units_;
  ir::RegisterFile file_;
  unsigned most_;
  std::vector<unsigned> in_the_way_;  // by unit: at how many places there is too much
  std::vector<bool> is_spilled_;      // by unit
  SpillChoice chosen_;
};

}  // namespace

SpillChoice choose_spills(const Webs& webs, const SpillUnits& units, ir::RegisterFile file, unsigned most) {
  return SpillChooser(webs, units, file, most).run();
}

}  // namespace heddle::lower
