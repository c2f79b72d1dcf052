// The slices of L2: their ports, and the tags of what they hold. With L2 disabled, ports alone.
//
// What an access finds there depends on the accesses before it and on nothing else: when DRAM sends what was
// missing only tells when the SM has it. So slices can be asked side by side, before DRAM is.
//
// With two partitions, a load whose line has its home in the other one asks the near partition for a copy
// first. If there is none, it goes on to the line's home, and leaves a copy. So what SMs of both partitions
// read takes room in both. Stores and atomics go to the line's home and invalidate the copy. Two slices that
// keep copies of each other's lines are a pair.
//
// What passes from one partition to the other takes a port of the home's slice for that, as wide as the link
// between the partitions is for one slice. A far store takes its turn at the near slice, too, and at the home
// as if it were near; a far load at the near slice alone. A far atomic takes its turn at the home alone, and
// passes no such port. That is a choice: with it copies of what L2 holds are within 10 % of what was measured
// on A100 and H200, by threads that come and go and by threads that stay (V20).
//
// The home's slice has an atomic unit behind its port: it updates the addresses while the port serves others.
// The times of a histogram whose merging holds 16 slices up are, to 1 %, proportional to what is merged,
// whatever else passes these slices (V8).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "isa/base/divisor.h"
#include "isa/base/host_prefetch.h"
#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"
#include "sim/memory/address_map.h"
#include "sim/memory/policies/prefetcher.h"
#include "sim/memory/prefetch_marks.h"
#include "sim/memory/tag_array.h"
#include "sim/memory/tick.h"

namespace heddle::sim {

/// The sectors of one L2 line that a request asks for.
struct L2Access {
  std::uint64_t line = 0;  ///< The line's number: address / l2.line_bytes.
  AddressMap::Home home;
  Cycle arrival = 0;
  std::uint32_t sectors = 0;
  std::uint32_t atomic_lanes = 0;      ///< As in MemoryRequest.
  std::uint32_t atomic_addresses = 0;  ///< How many addresses of this line an atomic names.
  bool is_store = false;
  bool is_far = false;  ///< The SM belongs to the other partition.

  // Atomics do both.
  [[nodiscard]] bool reads() const { return !is_store || atomic_lanes != 0; }
  [[nodiscard]] bool writes() const { return is_store || atomic_lanes != 0; }
};

/// Sectors of a line that DRAM is to read or write; none if there are none.
struct DramAccess {
  std::uint64_t row = 0;
  std::uint32_t channel = 0;
  std::uint32_t sectors = 0;
};

/// What became of an access at the slices.
struct L2Visit {
  /// An entry of tags; null if none was asked for.
  struct Entry {
    TagArray::Line* line = nullptr;
    bool is_new = false;   ///< Made for this access: its `filled_at` is still the victim's.
    DramAccess displaced;  ///< The dirty sectors of the victim.
  };

  Cycle start = 0;         ///< When the first slice begins to serve it.
  Cycle home_start = 0;    ///< When the line's home does.
  Cycle update_start = 0;  ///< When the home's atomic unit does, if it is an atomic.
  Entry copy;              ///< The entry of the near partition's copy of the line, if that was looked up.
  Entry home;              ///< The entry of the line itself.
  Tick free_at = 0;        ///< When the last of the ports that it passes has done it.
  std::uint32_t hit_sectors = 0;
  std::uint32_t far_sectors = 0;  ///< Sectors that passed from one partition to the other.
  DramAccess missing;             ///< What the home misses and DRAM has to read.
};

/// All slices of a device's L2. It tells where an access hits and when the ports serve it; L2AndDram, which
/// owns it, asks DRAM for what is missing and makes the replies.
class L2Slices {
 public:
  explicit L2Slices(const GpuSpec& spec);

  /// Puts the lines of bytes that were copied to device memory into L2, as far as they fit. They are not
  /// dirty. That is a choice: nothing is published about where copy engines leave data. Victims are written
  /// to DRAM while nobody waits for it.
  void copy_from_host(Addr begin, std::uint64_t bytes);
  /// What each slice holds; none without L2.
  [[nodiscard]] const std::vector<TagArray>& tags() const { return tags_; }
  /// Sets the tags as another L2 of such a GPU has had them, whatever the time was there. Nothing may be on
  /// its way.
  void set_tags(std::vector<TagArray> tags);

  [[nodiscard]] const AddressMap& map() const { return map_; }

  /// The number of the slice's pair, below pair_count(). Without partitions, each slice is a pair by itself.
  [[nodiscard]] std::size_t pair_of(std::size_t slice) const {
    return slice < pairs_ ? slice : slice - pairs_;
  }
  [[nodiscard]] std::size_t pair_count() const { return pairs_; }

  /// Calls come in the order of requests for each pair; those for different pairs may come side by side.
  /// `used`, if it is there, receives how many prefetched sectors it is the first to ask for.
  L2Visit visit(const L2Access& access, PrefetchEvent* used = nullptr);

  // -- prefetching -----------------------------------------------------------------------------------------
  /// Notes what becomes of prefetched sectors.
  void watch_prefetches();
  void forget_prefetches_of(std::uint8_t grid);
  /// Fetches sectors that nobody has asked for into the line's home. `missing` and `home` of the visit say
  /// which of them DRAM has to send. The lookup takes no turn at the port, a choice.
  L2Visit prefetch(const PrefetchedLine& wanted, const PrefetchOrigin& origin);

  /// Prefetches, into the host's caches, what the access will look up, in two steps. It changes no result.
  void host_prefetch(const L2Access& access, PrefetchStep step) const;

  /// When all ports have done what has come, from `arrival` on.
  [[nodiscard]] Tick free_at(Cycle arrival) const;

 private:
  void load_copy(const L2Access& access, L2Visit& visit, PrefetchEvent* used);
  void ask_home(const L2Access& access, std::uint32_t sectors, L2Visit& visit, PrefetchEvent* used);
  void reach_home(const L2Access& access, L2Visit& visit);
  void bypass(const L2Access& access, L2Visit& visit) const;
  Cycle take_port(std::size_t port, Cycle arrival, Tick busy, L2Visit& visit);
  [[nodiscard]] Tick update_time(const L2Access& access) const;
  L2Visit::Entry entry_for(const AddressMap::Home& place);
  [[nodiscard]] AddressMap::Home copy_of(const AddressMap::Home& home) const;
  [[nodiscard]] std::size_t update_unit(const AddressMap::Home& home) const {
    return l2_.slices + home.slice;
  }
  [[nodiscard]] std::size_t far_port(const AddressMap::Home& home) const {
    return 2 * std::size_t{l2_.slices} + home.slice;
  }
  [[nodiscard]] std::uint32_t widened(std::uint32_t sectors) const;
  [[nodiscard]] DramAccess dram_access(std::uint64_t line, std::uint32_t sectors) const;

  L2Spec l2_;
  std::uint32_t sector_bytes_;
  std::uint32_t sectors_per_line_;
  std::uint32_t sectors_per_fetch_;
  Divisor line_bytes_;
  AddressMap map_;
  std::size_t pairs_;
  Tick ticks_per_sector_;
  Tick ticks_per_far_sector_;
  Tick ticks_per_address_;
  // By slice, then their units for updates, and with two partitions the far ports.
  std::vector<Tick> port_free_;
  std::vector<TagArray> tags_;        // one a slice; none if there is no L2
  std::vector<PrefetchMarks> marks_;  // the same; none if there is no prefetcher
};

}  // namespace heddle::sim
