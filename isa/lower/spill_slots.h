// Where spilled values lie in local memory.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/lower/pressure.h"

namespace heddle::lower {

/// Words of local memory for webs. Values that are never live at the same time share them; what a load or
/// store moves at once lies together and aligned.
class SpillSlots {
 public:
  /// For the webs of these units.
  SpillSlots(const ir::Kernel& kernel, const Webs& webs, const SpillUnits& units,
             const std::vector<std::uint32_t>& spilled);

  /// In words from the first one.
  [[nodiscard]] std::uint32_t word_of(Web web) const { return words_[web]; }
  [[nodiscard]] std::uint32_t words() const { return total_; }

 private:
  /// Webs that are spilled together: how many words they take, and where they are live.
  struct Unit {
    std::uint32_t words = 0;
    std::uint64_t first = ~std::uint64_t{0};  // where it is live, in the order of the text
    std::uint64_t last = 0;
  };

  void lay_out(const ir::Kernel& kernel, const Webs& webs, const SpillUnits& units);
  void find_lives(const Webs& webs, const SpillUnits& units);
  void place(const Webs& webs, const SpillUnits& units, const std::vector<std::uint32_t>& spilled);

  std::vector<std::uint32_t> words_;  // by web, at first within its unit
  std::vector<Unit> units_;           // by unit
  std::vector<bool> is_spilled_;      // by unit
  std::uint32_t total_ = 0;
};

}  // namespace heddle::lower
