#include "isa/lower/spill.h"

#include <algorithm>

#include "isa/lower/spill_rewrite.h"
#include "isa/lower/spill_slots.h"

namespace heddle::lower {

namespace {

using ir::Opcode;
using ir::Operand;

std::vector<bool> marks_of(const std::vector<std::uint32_t>& units, std::size_t count) {
  std::vector<bool> marks(count, false);
  for (const std::uint32_t unit : units) marks[unit] = true;
  return marks;
}

Operand register_operand(ir::RegisterIndex index) { return {Operand::Kind::Register, index}; }

void set_width(ir::Instruction& instruction, unsigned words) {
  if (words == 2) instruction.modifiers.set(ir::Modifier::WidthB64);
  if (words == 4) instruction.modifiers.set(ir::Modifier::WidthB128);
}

/// Spills values of general registers, or makes them again.
class MemorySpiller {
 public:
  MemorySpiller(ir::Kernel& kernel, const Webs& webs, const SpillUnits& units,
                const std::vector<std::uint32_t>& spilled, Numbering& numbering, const SpillArea& area,
                Allocation& counts)
      : kernel_(kernel),
        webs_(webs),
        units_(units),
        is_spilled_(marks_of(spilled, units.count())),
        numbering_(numbering),
        area_(area),
        counts_(counts),
        slots_(kernel, webs, units, without_made_again(units, spilled)),
        edit_(kernel),
        maker_of_(webs.list.size(), kNoMaker) {}

  /// How many bytes of local memory they take.
  std::uint32_t run() {
    find_makers();
    for (Pc pc = 0; pc < kernel_.instructions.size(); ++pc) rewrite(pc);
    for (const Pc pc : makers_) edit_.remove(pc);
    edit_.apply();
    return static_cast<std::uint32_t>(round_up(4 * std::uint64_t{slots_.words()}, 16));
  }

 private:
  static constexpr Pc kNoMaker = ~Pc{0};

  static std::vector<std::uint32_t> without_made_again(const SpillUnits& units,
                                                       std::vector<std::uint32_t> spilled) {
    std::erase_if(spilled, [&](std::uint32_t unit) { return units.is_rematerializable(unit); });
    return spilled;
  }

  [[nodiscard]] bool is_made_again(Web web) const {
    const std::uint32_t unit = units_.of(web);
    return is_spilled_[unit] && units_.is_rematerializable(unit);
  }

  void find_makers() {
    for (Pc pc = 0; pc < kernel_.instructions.size(); ++pc) {
      for (const Access& access : webs_.accesses.of(pc)) {
        if (access.is_written && is_made_again(access.number)) maker_of_[access.number] = pc;
      }
    }
    for (const Pc pc : maker_of_) {
      if (pc != kNoMaker) makers_.push_back(pc);
    }
    std::sort(makers_.begin(), makers_.end());
    makers_.erase(std::unique(makers_.begin(), makers_.end()), makers_.end());
  }

  void rewrite(Pc pc) {
    if (std::binary_search(makers_.begin(), makers_.end(), pc)) return;
    std::vector<ReplacedRun> runs = replaced_runs(kernel_, webs_, units_, is_spilled_, pc, numbering_);
    if (runs.empty()) return;
    ir::Instruction& instruction = kernel_.instructions[pc];
    const bool has_guard = keeps_guard(instruction);
    for (ReplacedRun& run : runs) {
      if (!run.is_written()) {
        is_made_again(run.webs[0]) ? make_again(pc, run) : load(pc, run);
      } else {
        // Where the guard is gone behind the instruction, all is stored, and what it has left was there
        // before.
        if (!has_guard) load(pc, run);
        store(pc, run, has_guard ? instruction.guard : ir::Guard{});
      }
    }
    rename_runs(instruction, runs);
  }

  /// As many words of the run from `at` on as one load or store can move.
  [[nodiscard]] unsigned words_at_once(const ReplacedRun& run, std::size_t at) const {
    for (const unsigned words : {4U, 2U}) {
      if (at % words != 0 || at + words > run.webs.size()) continue;
      const std::uint32_t first = slots_.word_of(run.webs[at]);
      bool is_whole = first % words == 0;
      for (unsigned i = 1; i < words; ++i)
        is_whole = is_whole && slots_.word_of(run.webs[at + i]) == first + i;
      if (is_whole) return words;
    }
    return 1;
  }

  [[nodiscard]] Operand place_of(Web web) const {
    Operand address(Operand::Kind::Address, area_.base);
    address.value = area_.offset + 4 * std::uint64_t{slots_.word_of(web)};
    return address;
  }

  void load(Pc pc, const ReplacedRun& run) {
    for (std::size_t at = 0; at < run.webs.size();) {
      const unsigned words = words_at_once(run, at);
      ir::Instruction load;
      load.opcode = Opcode::Ldl;
      set_width(load, words);
      load.operands[0] = register_operand(run.fresh + static_cast<ir::RegisterIndex>(at));
      load.operands[1] = place_of(run.webs[at]);
      edit_.insert_before(pc, load);
      ++counts_.spill_loads;
      at += words;
    }
  }

  void store(Pc pc, const ReplacedRun& run, ir::Guard guard) {
    for (std::size_t at = 0; at < run.webs.size();) {
      const unsigned words = words_at_once(run, at);
      ir::Instruction store;
      store.opcode = Opcode::Stl;
      store.guard = guard;
      set_width(store, words);
      store.operands[0] = place_of(run.webs[at]);
      store.operands[1] = register_operand(run.fresh + static_cast<ir::RegisterIndex>(at));
      edit_.insert_after(pc, store);
      ++counts_.spill_stores;
      at += words;
    }
  }

  /// The instruction that makes a word, into the run if its words are those of the run, else beside it.
  void make_again(Pc pc, ReplacedRun& run) {
    for (std::size_t at = 0; at < run.webs.size();) {
      const Pc maker = maker_of_[run.webs[at]];
      std::vector<Web> made;
      for (const Access& access : webs_.accesses.of(maker)) {
        if (access.is_written) made.push_back(access.number);
      }
      const bool is_inside =
          at % made.size() == 0 && at + made.size() <= run.webs.size() &&
          std::equal(made.begin(), made.end(), run.webs.begin() + static_cast<std::ptrdiff_t>(at));
      if (is_inside) {
        insert_maker(pc, maker, run.fresh + static_cast<ir::RegisterIndex>(at));
        at += made.size();
        continue;
      }
      const ir::RegisterIndex aside =
          numbering_.fresh(run.run.file, static_cast<unsigned>(made.size()), Lifetime::Momentary);
      insert_maker(pc, maker, aside);
      const auto which = std::find(made.begin(), made.end(), run.webs[at]) - made.begin();
      insert_copy(pc, run, at, aside + static_cast<ir::RegisterIndex>(which));
      ++at;
    }
  }

  void insert_maker(Pc pc, Pc maker, ir::RegisterIndex into) {
    ir::Instruction again = kernel_.instructions[maker];
    again.operands[0].index = into;
    edit_.insert_before(pc, again);
    ++counts_.rematerialized;
  }

  void insert_copy(Pc pc, const ReplacedRun& run, std::size_t at, ir::RegisterIndex from) {
    const bool is_uniform = run.run.file == ir::RegisterFile::Uniform;
    const Operand::Kind kind = is_uniform ? Operand::Kind::Uniform : Operand::Kind::Register;
    ir::Instruction copy;
    copy.opcode = is_uniform ? Opcode::Umov : Opcode::Mov;
    copy.operands[0] = Operand(kind, run.fresh + static_cast<ir::RegisterIndex>(at));
    copy.operands[1] = Operand(kind, from);
    edit_.insert_before(pc, copy);
  }

  ir::Kernel& kernel_;
  const Webs& webs_;
  const SpillUnits& units_;
  std::vector<bool> is_spilled_;  // by unit
  Numbering& numbering_;
  SpillArea area_;
  Allocation& counts_;
  SpillSlots slots_;
  KernelEdit edit_;
  std::vector<Pc> maker_of_;  // by web that is made again
  std::vector<Pc> makers_;    // all of these, in ascending order
};

}  // namespace

void spill_to_memory(ir::Kernel& kernel, const Webs& webs, const SpillUnits& units,
                     const std::vector<std::uint32_t>& spilled, Numbering& numbering, SpillArea& area,
                     Allocation& counts) {
  const std::uint32_t bytes = MemorySpiller(kernel, webs, units, spilled, numbering, area, counts).run();
  area.offset += bytes;
  counts.spilled_bytes += bytes;
}

}  // namespace heddle::lower
