// The SM's first-level cache for global memory: sectored, write-through, filled when data arrive, with
// merging of misses to one sector and a limit on the requests in flight. What is stored stays there for loads
// if spec.write_allocate says so; what atomics change, which is in L2, does not.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/base/divisor.h"
#include "isa/base/host_prefetch.h"
#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"
#include "sim/memory/coalescer.h"
#include "sim/memory/memory_counters.h"
#include "sim/memory/prefetch_marks.h"
#include "sim/memory/tag_array.h"

namespace heddle::sim {

/// Names a load of the SM that waits for lines.
using LoadId = std::uint32_t;

/// The L1 data cache of one SM: tags of the lines, and an entry (MSHR) for each miss in flight. L1Path owns
/// it and asks it line by line; replies from L2 fill it.
class L1Cache {
 public:
  /// `bytes` is what the carve-out leaves of the unified storage; with none of it, or with spec.enabled
  /// false, every access is a request of its own.
  L1Cache(const L1Spec& spec, std::uint64_t bytes);

  /// What a lookup has found.
  struct Lookup {
    bool refused = false;     ///< No entry, or no place in one, is free: try again after the next fill.
    std::uint32_t waits = 0;  ///< Fills the load waits for; zero is a hit.
    std::uint32_t missing_sectors = 0;  ///< Sectors that it does not hold, on their way or not.
    std::uint32_t request_sectors = 0;  ///< Sectors to ask L2 for now; zero if nothing new is missing.
    std::uint32_t request_entry = 0;    ///< Names that request when it comes back.
  };

  /// Prefetches, into the host's caches, what the lookup of the line will need. It changes no result.
  void host_prefetch(Addr line) const {
    if (holds_data_) host_prefetch_number(line_bytes_.quotient(line));
  }

  /// Looks up one line of a load. A refused lookup changes nothing.
  Lookup load(const LineAccess& access, LoadId load, MemoryCounters& counters);

  // -- prefetching -----------------------------------------------------------------------------------------
  /// Notes what becomes of prefetched sectors, from the next resize() on.
  void watch_prefetches() { watches_prefetches_ = true; }
  /// Looks up sectors that nobody has asked for. Returns the request for those that are neither there nor on
  /// their way; none if no entry is free. `trigger` is the load that made the prefetcher ask.
  Lookup prefetch(std::uint64_t number, std::uint32_t sectors, LoadId trigger, const PrefetchOrigin& origin);
  /// Forgets what was prefetched for the grid of this slot.
  void forget_prefetches_of(std::uint8_t grid);
  /// What has become of prefetched sectors, for the owner to take and clear.
  [[nodiscard]] std::vector<PrefetchEvent>& prefetch_events() { return prefetch_events_; }

  /// Whether stores leave their sectors in L1.
  [[nodiscard]] bool keeps_stores() const { return holds_data_ && spec_.write_allocate; }
  /// Puts sectors of a line into L1 that a store writes whole.
  void store(Addr line, std::uint32_t sectors);
  /// Drops sectors that an atomic changes in L2. Fills that are on their way will not bring them.
  void drop(const LineAccess& access);

  /// Invalidates all lines. Fills that are on their way will bring nothing.
  void invalidate();
  /// Invalidates all lines and sets the size.
  void resize(std::uint64_t bytes);

  /// Prefetches, into the host's caches, what fill() will need for the request, in three steps: the entry
  /// names a set of lines, in which one will be filled. It changes no result.
  void host_prefetch_fill(std::uint32_t entry, PrefetchStep step) const;
  /// The number of the line that the request is for.
  [[nodiscard]] std::uint64_t line_of(std::uint32_t entry) const { return misses_[entry].number; }
  /// The place in which the last fill() has put a line that was not there; kNowhere if it has not.
  static constexpr std::size_t kNowhere = ~std::size_t{0};
  [[nodiscard]] std::size_t filled_place() const { return filled_place_; }
  /// The first of the loads that wait for the request, or the one that made a prefetcher ask.
  [[nodiscard]] LoadId first_waiter(std::uint32_t entry) const { return misses_[entry].first_waiter; }

  /// Fills the line of request `entry`, which has come back. Returns the loads that waited for it, each once
  /// for each wait.
  [[nodiscard]] const std::vector<LoadId>& fill(std::uint32_t entry);

 private:
  static constexpr std::uint32_t kNone = ~0U;

  /// A miss in flight: the sectors that were asked of L2, and the loads that wait for them (an MSHR).
  struct Miss {
    std::uint64_t number = 0;    // the line's number
    std::uint32_t sectors = 0;   // that it will bring
    std::uint32_t next = kNone;  // in its bucket
    LoadId first_waiter = 0;
    std::uint32_t prefetched = 0;  // sectors that nobody has asked for yet
    bool is_prefetch = false;      // first_waiter does not wait
    PrefetchOrigin origin;
    std::vector<LoadId> more_waiters;
  };

  /// Fibonacci hashing: lines in flight lie at power-of-two distances, which their low bits do not tell
  /// apart.
  [[nodiscard]] std::size_t bucket_number(std::uint64_t number) const {
    return number * 0x9e3779b97f4a7c15U >> bucket_shift_;
  }
  [[nodiscard]] std::uint32_t& bucket_of(std::uint64_t number) { return buckets_[bucket_number(number)]; }
  void host_prefetch_number(std::uint64_t number) const {
    prefetch_bytes(&buckets_[bucket_number(number)], sizeof(std::uint32_t));
    if (holds_data_) tags_.host_prefetch(number, PrefetchStep::Object);
  }
  static bool can_hold_data(const L1Spec& spec, std::uint64_t bytes);
  static TagArray make_tags(const L1Spec& spec, std::uint64_t bytes);
  bool can_merge(std::uint64_t number, std::uint32_t missing, std::uint32_t& left);
  TagArray::Line& have(std::uint64_t number, std::uint32_t sectors);
  Miss& take_entry(std::uint64_t number, std::uint32_t sectors, LoadId load, Lookup& result);
  void note_use(const TagArray::Line& line, std::uint32_t sectors);
  void note_late(Miss& miss, std::uint32_t sectors);
  void unlink(std::uint32_t entry);

  L1Spec spec_;
  Divisor line_bytes_;
  bool holds_data_;
  bool is_empty_ = true;  // tags_ hold nothing
  TagArray tags_;
  std::vector<Miss> misses_;
  std::vector<std::uint32_t> free_misses_;
  unsigned bucket_shift_;
  // first miss of the lines that share a bucket; a power of two, at least 2
  std::vector<std::uint32_t> buckets_;
  std::vector<LoadId> filled_;
  std::size_t filled_place_ = kNowhere;
  bool watches_prefetches_ = false;
  PrefetchMarks marks_;
  std::vector<PrefetchEvent> prefetch_events_;
};

}  // namespace heddle::sim
