// How many registers values need at once, and which of them leave their registers if these are too many.
#pragma once

#include <utility>
#include <vector>

#include "isa/lower/allocate_numbering.h"
#include "isa/lower/allocate_webs.h"

namespace heddle::lower {

/// Calls visit(pc, live) for each instruction, each block from its end, `live` being the webs of one file
/// that are live behind the instruction.
template <typename Visitor>
void for_each_live_set(const Webs& webs, ir::RegisterFile file, Visitor visit) {
  WebSet live(webs.list.size());
  for (std::size_t block = 0; block < webs.graph.blocks.size(); ++block) {
    live.clear();
    for (const Web web : webs.live_out[block]) {
      if (webs.list[web].name.file == file) live.insert(web);
    }
    for (Pc pc = webs.graph.blocks[block].end; pc-- > webs.graph.blocks[block].begin;) {
      visit(pc, std::as_const(live));
      for (const Access& access : webs.accesses.of(pc)) {
        if (access.file == file && access.is_written && access.starts) live.erase(access.number);
      }
      for (const Access& access : webs.accesses.of(pc)) {
        if (access.file == file && !access.is_written) live.insert(access.number);
      }
    }
  }
}

/// The most registers of the file that hold values at any one time; alignment may ask for more.
unsigned most_pressure(const Webs& webs, ir::RegisterFile file);

/// Webs that spill together, because some instruction takes them as one run.
class SpillUnits {
 public:
  SpillUnits(const ir::Kernel& kernel, const Webs& webs, const Numbering& numbering);

  [[nodiscard]] std::uint32_t of(Web web) const { return unit_of_[web]; }
  [[nodiscard]] std::size_t count() const { return costs_.size(); }
  /// The cost of spilling the unit: how many more instructions are executed for its reads and writes.
  [[nodiscard]] double cost(std::uint32_t unit) const { return costs_[unit]; }
  /// Physical registers, sums of warpgroups' products, and what is momentary cannot.
  [[nodiscard]] bool can_spill(std::uint32_t unit) const { return can_spill_[unit]; }
  /// Each of its words is written once, by an instruction that can be executed again anywhere.
  [[nodiscard]] bool is_rematerializable(std::uint32_t unit) const { return is_rematerializable_[unit]; }

 private:
  void find_units(const ir::Kernel& kernel, const Webs& webs);
  void find_costs(const ir::Kernel& kernel, const Webs& webs);

  std::vector<std::uint32_t> unit_of_;  // by web
  std::vector<double> costs_;           // by unit, as the following two
  std::vector<bool> can_spill_;
  std::vector<bool> is_rematerializable_;
};

/// Which units leave their registers.
struct SpillChoice {
  std::vector<std::uint32_t> units;
  bool is_enough = true;  ///< Else some instruction needs more by itself.
};

/// Units whose spilling leaves no more than `most` values of the file at any one time. They are those that
/// cost little and are in the way at many places.
SpillChoice choose_spills(const Webs& webs, const SpillUnits& units, ir::RegisterFile file, unsigned most);

/// Whether the instruction computes the same wherever it stands: from numbers, constants, and special
/// registers that stay as they are.
bool is_computable_anywhere(const ir::Instruction& instruction);

}  // namespace heddle::lower
