// Which sectors of a cache a prefetcher has brought that nobody has asked for since. Without a prefetcher
// there are no marks, and nobody asks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "isa/base/types.h"

namespace heddle::sim {

/// The grid and the instruction whose access made the prefetcher ask.
struct PrefetchOrigin {
  Pc pc = 0;
  std::uint8_t grid = 0;  ///< Its slot.

  friend bool operator==(const PrefetchOrigin&, const PrefetchOrigin&) = default;
};

/// What has become of sectors that were prefetched. All that were issued count as unused until they are
/// useful or late.
struct PrefetchEvent {
  PrefetchOrigin origin;
  std::uint32_t issued = 0;
  std::uint32_t useful = 0;  ///< They were there when they were asked for.
  std::uint32_t late = 0;    ///< They were on their way.
};

/// The marks of one cache's sectors, beside its tags. The cache owns them.
class PrefetchMarks {
 public:
  /// For a cache of so many lines, which are named by their places.
  explicit PrefetchMarks(std::size_t lines = 0) : marks_(lines) {}

  [[nodiscard]] bool is_on() const { return !marks_.empty(); }

  /// Removes the marks of the grid of this slot: nothing more is counted for it.
  void forget_grid(std::uint8_t grid) {
    for (Mark& mark : marks_) {
      if (mark.origin.grid == grid) mark = {};
    }
  }
  /// Removes the marks of a place to which another line has come.
  void forget(std::size_t place) { marks_[place] = {}; }
  /// Removes the marks of sectors that have come because they were asked for.
  void unmark(std::size_t place, std::uint32_t sectors) { marks_[place].sectors &= ~sectors; }
  /// Marks sectors that have come without. What another origin's prefetches have brought there counts as
  /// unused.
  void mark(std::size_t place, std::uint32_t sectors, const PrefetchOrigin& origin) {
    Mark& mark = marks_[place];
    if (mark.origin != origin) mark = {0, origin};
    mark.sectors |= sectors;
  }
  /// Removes the marks of sectors that are asked for. Returns how many there were.
  PrefetchEvent take(std::size_t place, std::uint32_t sectors) {
    Mark& mark = marks_[place];
    const std::uint32_t used = mark.sectors & sectors;
    mark.sectors &= ~sectors;
    return {mark.origin, 0, bit_count(used), 0};
  }

 private:
  /// The sectors of a line that have a mark, and who made the prefetcher ask.
  struct Mark {
    std::uint32_t sectors = 0;
    PrefetchOrigin origin;
  };

  std::vector<Mark> marks_;
};

}  // namespace heddle::sim
