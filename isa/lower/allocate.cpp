#include "isa/lower/allocate.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "isa/base/diagnostic.h"
#include "isa/base/quoted.h"
#include "isa/ir/operand_rules.h"
#include "isa/lower/allocate_budget.h"
#include "isa/lower/allocate_colour.h"
#include "isa/lower/allocate_rename.h"
#include "isa/lower/allocate_spread.h"
#include "isa/lower/coalesce.h"
#include "isa/lower/spill.h"

namespace heddle::lower {

namespace {

using ir::RegisterFile;

constexpr RegisterFile kFiles[] = {RegisterFile::Predicate, RegisterFile::UniformPredicate,
                                   RegisterFile::Uniform, RegisterFile::General};

/// Allocates in rounds: whatever changes the kernel's instructions begins a new one.
class Allocator {
 public:
  Allocator(ir::Kernel& kernel, const AllocationLimits& limits)
      : kernel_(kernel),
        reserved_(limits.policy == RegisterPolicy::AsPtxas ? kReservedRegisters : 0),
        most_{std::min(limits.registers, ir::kMaxRegister + 1U) - std::min(limits.registers, reserved_),
              std::min(limits.uniforms, ir::kMaxUniform + 1U),
              std::min<unsigned>(limits.predicates, ir::kPredicateTrue),
              std::min<unsigned>(limits.predicates, ir::kPredicateTrue)},
        policy_(limits.policy),
        numbering_(kernel),
        area_(area_of(kernel, limits)) {}

  /// Nothing if the registers are not enough.
  std::optional<Allocation> run() {
    while (true) {
      const Webs webs(kernel_);
      const Round round = attempt(webs);
      if (round == Round::Failed) return std::nullopt;
      if (round == Round::Done) return finish();
    }
  }

 private:
  enum class Round : std::uint8_t { Done, Changed, Failed };

  /// Bundles and their registers, file by file.
  struct Plan {
    Bundles bundles;
    std::vector<int> register_of;  ///< By bundle.
    unsigned registers = 0;        ///< General ones.
    /// For each bundle of one file that has no place: its webs and those that interfere.
    std::vector<std::vector<Web>> failing;
  };

  static SpillArea area_of(const ir::Kernel& kernel, const AllocationLimits& limits);
  Round attempt(const Webs& webs);
  Round relieve(const Webs& webs);
  bool spill(const Webs& webs, const SpillUnits& units, const std::vector<std::uint32_t>& chosen,
             RegisterFile file);
  Round spill_for(const Webs& webs, const Plan& plan);
  Plan make_plan(const Webs& webs, const Interference& interference, Bundles bundles);
  Colouring place(const Webs& webs, RegisterFile file, ColouringProblem& problem, Bundles& bundles) const;
  void colour(const Webs& webs, const Interference& interference, RegisterFile file, Plan& plan);
  void put_in(const Webs& webs, const Interference& interference, Plan& plan);
  Allocation finish();

  ir::Kernel& kernel_;
  unsigned reserved_;           // general registers that ptxas reserves
  std::vector<unsigned> most_;  // by file
  RegisterPolicy policy_;
  Numbering numbering_;
  SpillArea area_;
  Allocation counts_;
  unsigned failed_colourings_ = 0;
  unsigned slack_ = 0;  // general registers that pressure leaves free, for the sake of alignment
};

/// The stack grows down from the end of local memory, so that there is room below it if local memory grows.
SpillArea Allocator::area_of(const ir::Kernel& kernel, const AllocationLimits& limits) {
  constexpr ir::RegisterIndex kStackPointer = 1;
  if (limits.frame_offset) return {kStackPointer, *limits.frame_offset};
  const std::uint32_t stack = ir::launch_bank_layout(kernel.param_base).stack;
  for (const ir::Instruction& instruction : kernel.instructions) {
    for (const ir::Operand& operand : instruction.operands) {
      const bool is_stack = operand.kind == ir::Operand::Kind::Constant && operand.bank == ir::kLaunchBank &&
                            operand.value == stack;
      if (is_stack) return {ir::kRegisterZero, 0};
    }
  }
  return {ir::kRegisterZero, static_cast<std::uint32_t>(round_up(kernel.local_bytes, 16))};
}

Allocator::Round Allocator::attempt(const Webs& webs) {
  if (const Round round = relieve(webs); round != Round::Done) return round;
  const Interference interference(kernel_, webs);
  Bundles bundles(webs, interference, most_);
  const std::vector<NamedRun> failing = join_runs(bundles, named_runs(kernel_, webs));
  if (!failing.empty()) {
    // Registers of their own do not help those that have them already: there are too few.
    const bool is_hopeless = std::any_of(failing.begin(), failing.end(), [this](const NamedRun& run) {
      return numbering_.is_momentary({run.run.file, run.run.first});
    });
    if (is_hopeless) return Round::Failed;
    counts_.copies_inserted += separate_runs(kernel_, failing, numbering_);
    return Round::Changed;
  }
  Bundles joined = bundles;
  const bool has_joined = join_copies(joined, webs, interference.copies());
  Plan plan = make_plan(webs, interference, std::move(joined));
  // Copies that vanish must not cost a register.
  const bool is_fewest = plan.registers <= most_pressure(webs, RegisterFile::General);
  const bool is_tight = !plan.failing.empty() || (policy_ == RegisterPolicy::Fewest && !is_fewest);
  if (has_joined && is_tight) {
    Plan apart = make_plan(webs, interference, std::move(bundles));
    const bool is_better = apart.failing.size() != plan.failing.size()
                               ? apart.failing.size() < plan.failing.size()
                               : apart.registers < plan.registers;
    if (is_better) plan = std::move(apart);
  }
  if (!plan.failing.empty()) return spill_for(webs, plan);
  put_in(webs, interference, plan);
  return Round::Done;
}

/// Spills where more values are live than there are registers.
Allocator::Round Allocator::relieve(const Webs& webs) {
  std::optional<SpillUnits> units;
  for (const RegisterFile file : kFiles) {
    const unsigned most = most_[static_cast<std::size_t>(file)];
    const unsigned wanted = file == RegisterFile::General ? most - std::min(most, slack_) : most;
    if (most_pressure(webs, file) <= wanted) continue;
    if (!units) units.emplace(kernel_, webs, numbering_);
    const SpillChoice choice = choose_spills(webs, *units, file, wanted);
    if (!choice.is_enough && wanted == most) return Round::Failed;
    if (spill(webs, *units, choice.units, file)) return Round::Changed;
  }
  return Round::Done;
}

bool Allocator::spill(const Webs& webs, const SpillUnits& units, const std::vector<std::uint32_t>& chosen,
                      RegisterFile file) {
  if (chosen.empty()) return false;
  std::vector<std::uint32_t> made_again;
  std::vector<std::uint32_t> others;
  for (const std::uint32_t unit : chosen)
    (units.is_rematerializable(unit) ? made_again : others).push_back(unit);
  if (file == RegisterFile::General) {
    spill_to_memory(kernel_, webs, units, chosen, numbering_, area_, counts_);
  } else if (!made_again.empty()) {
    spill_to_memory(kernel_, webs, units, made_again, numbering_, area_, counts_);
  } else {
    spill_to_registers(kernel_, webs, units, others, numbering_, counts_);
  }
  return true;
}

/// For each bundle without a place, the cheapest of what stands in its way, itself included.
Allocator::Round Allocator::spill_for(const Webs& webs, const Plan& plan) {
  // When colouring has failed again and again, or by far, pressure goes down further than it must.
  constexpr unsigned kPatience = 3;
  constexpr std::size_t kMany = 12;
  if (++failed_colourings_ > kPatience || plan.failing.size() > kMany)
    slack_ += 1 + static_cast<unsigned>(std::min<std::size_t>(plan.failing.size() / kMany, most_[0] / 8));
  const SpillUnits units(kernel_, webs, numbering_);
  std::vector<std::uint32_t> chosen;
  for (const std::vector<Web>& in_the_way : plan.failing) {
    std::uint32_t best = ~std::uint32_t{0};
    for (const Web web : in_the_way) {
      const std::uint32_t unit = units.of(web);
      const bool is_better = best == ~std::uint32_t{0} || units.cost(unit) < units.cost(best);
      if (units.can_spill(unit) && is_better) best = unit;
    }
    if (best != ~std::uint32_t{0} && std::find(chosen.begin(), chosen.end(), best) == chosen.end())
      chosen.push_back(best);
  }
  const RegisterFile file = webs.list[plan.failing[0][0]].name.file;
  return spill(webs, units, chosen, file) ? Round::Changed : Round::Failed;
}

Allocator::Plan Allocator::make_plan(const Webs& webs, const Interference& interference, Bundles bundles) {
  Plan plan{std::move(bundles), {}, 0, {}};
  plan.register_of.assign(plan.bundles.list().size(), Colouring::kNowhere);
  for (const RegisterFile file : kFiles) {
    colour(webs, interference, file, plan);
    if (!plan.failing.empty()) break;
  }
  return plan;
}

Colouring Allocator::place(const Webs& webs, RegisterFile file, ColouringProblem& problem,
                           Bundles& bundles) const {
  const unsigned most = most_[static_cast<std::size_t>(file)];
  if (file != RegisterFile::General) return find_colouring(problem, most, most);
  const unsigned least = most_pressure(webs, file);
  if (policy_ == RegisterPolicy::AsPtxas) {
    problem.add_preferences(find_preferences(kernel_, webs), bundles);
    Colouring spread =
        spread_colouring(problem, std::min(register_budget(std::max(least, kStackPointer) + 1), most));
    if (spread.failing.empty()) return spread;
  }
  return find_colouring(problem, least, most);
}

void Allocator::colour(const Webs& webs, const Interference& interference, RegisterFile file, Plan& plan) {
  ColouringProblem problem(webs, plan.bundles, interference.copies(), file);
  const Colouring found = place(webs, file, problem, plan.bundles);
  if (file == RegisterFile::General) plan.registers = found.registers;
  for (std::size_t node = 0; node < problem.nodes().size(); ++node)
    plan.register_of[problem.nodes()[node].bundle] = found.first[node];
  for (const std::uint32_t node : found.failing) {
    const Bundle& bundle = plan.bundles.list()[problem.nodes()[node].bundle];
    std::vector<Web>& in_the_way = plan.failing.emplace_back();
    for (const Bundle::Member& member : bundle.members) in_the_way.push_back(member.shared);
    for (const Bundle::Member& member : bundle.members) {
      const std::vector<Web>& interfering = plan.bundles.interfering(member.shared);
      in_the_way.insert(in_the_way.end(), interfering.begin(), interfering.end());
    }
  }
}

void Allocator::put_in(const Webs& webs, const Interference& interference, Plan& plan) {
  const auto register_of = [&](Web web) {
    const WebInfo& info = webs.list[web];
    if (info.is_fixed()) return info.name.index;
    const std::uint32_t bundle = plan.bundles.bundle_of(web);
    const int first = plan.register_of[bundle] - plan.bundles.list()[bundle].first();
    return first_register(info.name.file) +
           static_cast<ir::RegisterIndex>(first + plan.bundles.place_of(web));
  };
  for (Pc pc = 0; pc < kernel_.instructions.size(); ++pc) {
    rename_registers(kernel_.instructions[pc], [&](ir::RegisterName name, unsigned, bool is_written) {
      return register_of(web_at(webs, pc, name, is_written));
    });
  }
  KernelEdit edit(kernel_);
  for (const Copy& copy : interference.copies()) {
    const bool is_nothing = std::all_of(copy.words.begin(), copy.words.end(), [&](const auto& word) {
      return register_of(word.first) == register_of(word.second);
    });
    if (!is_nothing) continue;
    edit.remove(copy.pc);
    ++counts_.copies_removed;
  }
  edit.apply();
}

Allocation Allocator::finish() {
  kernel_.local_bytes = static_cast<std::uint32_t>(
      counts_.spilled_bytes == 0 ? kernel_.local_bytes
                                 : round_up(kernel_.local_bytes, 16) + counts_.spilled_bytes);
  unsigned used = policy_ == RegisterPolicy::AsPtxas ? kStackPointer + 1 : 1;
  for (const ir::Instruction& instruction : kernel_.instructions)
    used = std::max(used, ir::registers_needed(instruction));
  kernel_.registers = used + reserved_;
  counts_.registers = kernel_.registers;
  return counts_;
}

/// A limit under which the kernel can be allocated, none or few of the lower ones being enough; 0 if there is
/// none.
unsigned sufficient_limit(const ir::Kernel& kernel, AllocationLimits limits) {
  const auto is_enough = [&](unsigned registers) {
    limits.registers = registers;
    ir::Kernel copy = kernel;
    return Allocator(copy, limits).run().has_value();
  };
  unsigned too_few = limits.registers;
  unsigned enough = ir::kMaxRegister + 1U;
  if (too_few >= enough || !is_enough(enough)) return 0;
  while (enough - too_few > 1) {
    const unsigned middle = (too_few + enough) / 2;
    (is_enough(middle) ? enough : too_few) = middle;
  }
  return enough;
}

}  // namespace

Allocation allocate_registers(ir::Kernel& kernel, const AllocationLimits& limits) {
  ir::Kernel allocated = kernel;
  if (const std::optional<Allocation> done = Allocator(allocated, limits).run()) {
    kernel = std::move(allocated);
    return *done;
  }
  const unsigned lowest = sufficient_limit(kernel, limits);
  if (lowest == 0)
    throw InputError({kernel.file, 0, 0}, fmt::format("kernel {} needs more registers than a thread can have",
                                                      quoted(kernel.name)));
  throw InputError({kernel.file, 0, 0},
                   fmt::format("kernel {} cannot do with {} registers; it needs at least {}",
                               quoted(kernel.name), limits.registers, lowest));
}

}  // namespace heddle::lower
