// The memory that all SMs share: L2 slices and DRAM channels.
//
//   SM --request_latency--> slice --(hit)--> SM
//                             `--(miss)--> channel --> slice --> SM
//
// Unloaded, a hit costs l2.latency and a miss dram.latency from issue to use; slices and channels that are
// busy add their queues. Stores need no data from DRAM; dirty sectors reach it when their line is evicted.
// Atomics are carried out in the slice, lanes that name one address in turn, atomic_interval cycles each. A
// fence is answered when all slices have served what came before it.
//
// With two partitions, a load whose line has its home in the other one asks the near partition for a copy
// first. If there is none, it goes on to the line's home, far_latency there and back, and leaves a copy. So
// what SMs of both partitions read takes room in both. What writes goes to the line's home and takes away the
// copy. Queues are kept in the order in which requests come from the SMs: the way between the partitions is
// time that a reply takes longer, not a later place in the queues at its end. It has no bandwidth of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isa/base/divisor.h"
#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"
#include "sim/memory/address_map.h"
#include "sim/memory/dram_channel.h"
#include "sim/memory/l2_contents.h"
#include "sim/memory/memory_counters.h"
#include "sim/memory/request.h"
#include "sim/memory/tag_array.h"
#include "sim/memory/tick.h"

namespace heddle::sim {

class SharedMemorySystem {
 public:
  explicit SharedMemorySystem(const GpuSpec& spec);

  /// L2 holds what is there, `contents` nothing any more. Before the first request.
  void take(L2Contents& contents);
  /// The other way round, after the last one.
  void leave(L2Contents& contents);

  /// Serves one request; calls must come in the order (time, SM, sequence). Nothing is returned for a store.
  std::optional<MemoryReply> serve(const MemoryRequest& request);

  /// No reply comes sooner than this after its request has left the SM.
  [[nodiscard]] Cycle shortest_way() const {
    return l2_.request_latency + (l2_.enabled ? hit_latency_ : miss_latency_);
  }

  /// Says that the request will be served soon, in two steps. Only the host's speed can tell.
  void announce(const MemoryRequest& request, Reach reach) const;

  [[nodiscard]] const MemoryCounters& counters() const { return counters_; }

 private:
  /// The sectors of one L2 line that a request asks for.
  struct Access {
    std::uint64_t line;
    std::uint32_t sectors;
    AddressMap::Home home;
    bool is_far;
  };

  Cycle take_port(std::size_t port, Cycle arrival, unsigned sectors, std::uint32_t atomic_lanes);
  Cycle load(const Access& access, Cycle arrival);
  Cycle load_copy(const Access& access, Cycle start);
  void store(const Access& access, Cycle arrival);
  Cycle update(const Access& access, Cycle arrival, std::uint32_t atomic_lanes);
  [[nodiscard]] Cycle fence(Cycle arrival) const;
  Cycle reach_home(const Access& access, Cycle arrival, std::uint32_t atomic_lanes);
  [[nodiscard]] AddressMap::Home copy_of(const AddressMap::Home& home) const;
  [[nodiscard]] std::size_t far_port(const AddressMap::Home& home) const { return l2_.slices + home.slice; }
  [[nodiscard]] std::uint32_t widened(std::uint32_t sectors) const;
  Cycle fetch(std::uint64_t number, TagArray::Line& line, std::uint32_t sectors, Cycle start);
  TagArray::Line& line_for(const AddressMap::Home& place, Cycle start);
  void warm(const L2Contents::Copy& copy);
  Cycle read_dram(std::uint64_t number, Cycle arrival, unsigned sectors);
  void write_dram(std::uint64_t number, Cycle arrival, unsigned sectors);

  L2Spec l2_;
  std::uint32_t sector_bytes_;
  std::uint32_t sectors_per_line_;
  std::uint32_t sectors_per_fetch_;
  Divisor line_bytes_;
  AddressMap map_;
  Cycle hit_latency_;     // slice to SM
  Cycle miss_latency_;    // slice to SM by way of DRAM
  Cycle atomic_latency_;  // what an update takes longer than a load
  Tick ticks_per_l2_sector_;
  std::vector<Tick> port_free_;  // by slice, and with two partitions again for what comes from the other one
  DramTiming dram_timing_;
  std::vector<DramChannel> channels_;
  std::vector<TagArray> tags_;  // one a slice; none if there is no L2
  MemoryCounters counters_;
};

}  // namespace heddle::sim
