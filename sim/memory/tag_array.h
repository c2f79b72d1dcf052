// The tags of a sectored, set-associative cache. It holds no data: the simulator needs to know where data is,
// not what it is.
//
// The victim of a new line is the least recently used line of the set, or of some that are drawn from the set
// at random. The latter is how L1 of NVIDIA's GPUs behaves where it is too small: which line it replaces is
// not published, but a pointer chase a little longer than L1 still hits a part of the time
// (tests/validation/v11_*.yaml). Other policies lie in sim/memory/policies.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "isa/base/aligned_vector.h"
#include "isa/base/divisor.h"
#include "isa/base/host_prefetch.h"
#include "isa/base/types.h"
#include "sim/memory/policies/replacement.h"

namespace heddle::sim {

/// The tags of L1, of a slice of L2, or of a cache of constants or code. Its cache owns it; find() and
/// insert() change the order of use.
class TagArray {
 public:
  /// The entry of a line.
  struct Line {
    std::uint64_t number = kNone;
    std::uint32_t valid = 0;  ///< Sectors present.
    std::uint32_t dirty = 0;  ///< Sectors present that memory does not have yet; see write().
    Cycle filled_at = 0;      ///< When the last sector to come arrives.
  };

  /// At most 65535 ways. The victim is the least recently used line of so many `draws` from the set, or of
  /// the whole set if `draws` is 0.
  TagArray(std::uint64_t bytes, std::uint32_t line_bytes, std::uint32_t ways, std::uint32_t draws = 0);
  /// Another policy chooses the victim. Null: it is the least recently used line of the whole set.
  void set_replacement(std::unique_ptr<Replacement> policy) { policy_.held = std::move(policy); }

  /// The entry of the line whose number (address / line size) is `number`, or null. Counts as a use.
  Line* find(std::uint64_t number);
  /// The same, but it does not count as a use.
  Line* look_at(std::uint64_t number);
  /// Counts a use of the line that look_at() has found.
  void use(std::uint64_t number, const Line& line) {
    use(place_of(number).first, static_cast<std::size_t>(&line - lines_.data()));
  }

  /// Makes room for a line that is not there. `evicted` receives the victim, if it was dirty. The entry's
  /// `filled_at` stays the victim's until the caller has filled it.
  Line& insert(std::uint64_t number, std::optional<Line>& evicted);
  /// The same for an array without dirty lines, whose victims need not be looked at. `sectors` are valid from
  /// the beginning.
  Line& insert(std::uint64_t number, std::uint32_t sectors = 0);

  /// The sectors of a line, as find() or insert() have given it, are there, and memory does not have them.
  static void write(Line& line, std::uint32_t sectors) {
    line.valid |= sectors;
    line.dirty |= sectors;
  }

  /// How many sectors memory does not have yet.
  [[nodiscard]] std::uint64_t dirty_sectors() const {
    std::uint64_t sectors = 0;
    for (const Line& line : lines_) sectors += bit_count(line.dirty);
    return sectors;
  }

  /// Drops all lines.
  void invalidate() {
    std::fill(lines_.begin(), lines_.end(), Line{});
    unused_ = sets() * ways_;
  }

  /// Forgets arrival times: all that was on its way has come.
  void settle() {
    for (Line& line : lines_) line.filled_at = 0;
  }

  /// Prefetches, into the host's caches, what find() or insert() will need, in two steps: what they search,
  /// then the entry that they will come to, unless it is drawn. It changes no result.
  void host_prefetch(std::uint64_t number, PrefetchStep step) const;

  [[nodiscard]] std::uint64_t sets() const { return sets_.value(); }
  [[nodiscard]] std::uint32_t ways() const { return ways_; }
  /// Entries have places, below capacity(), for what others note beside them.
  [[nodiscard]] std::size_t capacity() const { return lines_.size(); }
  [[nodiscard]] std::size_t place_of(const Line& line) const {
    return static_cast<std::size_t>(&line - lines_.data());
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  static constexpr std::uint16_t kNoAge = 65535;  // more than that of any way

  /// Copied with the array.
  struct PolicyPointer {
    std::unique_ptr<Replacement> held;

    PolicyPointer() = default;
    PolicyPointer(const PolicyPointer& other) : held(other.held ? other.held->copy() : nullptr) {}
    PolicyPointer(PolicyPointer&&) = default;
    PolicyPointer& operator=(const PolicyPointer& other) { return *this = PolicyPointer(other); }
    PolicyPointer& operator=(PolicyPointer&&) = default;
    ~PolicyPointer() = default;
  };

  /// Where a line would be: the first way of its set, and what tells it apart there, as far as 16 bits can.
  struct Place {
    std::size_t first;
    std::uint16_t tag;
  };

  [[nodiscard]] Place place_of(std::uint64_t number) const;
  [[nodiscard]] std::size_t way_of(std::uint64_t number, const Place& place) const;
  [[nodiscard]] std::size_t oldest(std::size_t first) const;
  std::size_t choose_way(std::size_t first);
  std::size_t ask_policy(std::size_t first);
  Line& put(std::uint64_t number, std::uint32_t sectors, const Place& place, std::size_t way);
  void use(std::size_t first, std::size_t way);

  Divisor sets_;
  std::uint32_t ways_;
  std::uint32_t stride_;  // from one set to the next: so many ways that all are searched in whole steps
  std::uint32_t draws_;
  PolicyPointer policy_;      // none: the array itself decides
  std::uint64_t random_ = 0;  // where the generator of draws stands
  std::uint64_t unused_;      // ways that have had no line yet; with draws or a policy only
  // Three columns of one table, way by way within a set. They are kept short, for they are what a simulation
  // of a whole GPU touches at random: a search reads the first alone, and the whole number only where it may
  // be right.
  AlignedVector<std::uint16_t> tags_;  // low bits of the line's number divided by the sets
  AlignedVector<std::uint16_t> ages_;  // how many ways of the set have been used since; kNoAge beside ways
  std::vector<Line> lines_;
};

}  // namespace heddle::sim
