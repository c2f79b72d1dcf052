// The tags of a sectored, set-associative cache with least-recently-used replacement. It holds no data: the
// simulator needs to know where data is, not what it is.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/base/types.h"

namespace heddle::sim {

class TagArray {
 public:
  struct Line {
    Addr line = 0;
    std::uint32_t valid = 0;   ///< Sectors present; an entry without any is free.
    std::uint32_t dirty = 0;   ///< Of those, the ones that memory does not have yet.
    std::uint64_t last_use = 0;
    Cycle filled_at = 0;       ///< When the last sector to come arrives.
  };

  TagArray(std::uint64_t bytes, std::uint32_t line_bytes, std::uint32_t ways);

  /// The entry of the line whose number (address / line size) is `number`, or null. Counts as a use.
  Line* find(std::uint64_t number);

  /// Makes room for a line that is not there. `evicted` receives what was thrown out, if anything.
  Line& insert(std::uint64_t number, std::optional<Line>& evicted);

  [[nodiscard]] std::uint64_t sets() const { return sets_; }

 private:
  [[nodiscard]] Line* set_of(std::uint64_t number) { return &lines_[number % sets_ * ways_]; }

  std::uint64_t sets_;
  std::uint32_t ways_;
  std::uint64_t uses_ = 0;
  std::vector<Line> lines_;
};

}  // namespace heddle::sim
