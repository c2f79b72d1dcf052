// The memory that all SMs share: L2 slices and DRAM channels.
//
//   SM --request_latency--> slice --(hit)--> SM
//                             `--(miss)--> channel --> slice --> SM
//
// Unloaded, a hit costs l2.latency and a miss dram.latency from issue to use; slices and channels that are
// busy add their queues. Stores need no data from DRAM; dirty sectors reach it when their line is evicted.
// Atomics are carried out in the slice, lanes that name one address in turn, atomic_interval cycles each. A
// fence is answered when all slices have served what came before it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isa/base/divisor.h"
#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"
#include "sim/memory/l2_contents.h"
#include "sim/memory/memory_counters.h"
#include "sim/memory/request.h"
#include "sim/memory/tag_array.h"

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

  /// Says that the request will be served soon. Only the host's speed can tell.
  void announce(const MemoryRequest& request) const;

  [[nodiscard]] const MemoryCounters& counters() const { return counters_; }

 private:
  /// Time in units of 1/4096 cycle: bandwidths are no whole number of cycles a sector.
  using Tick = std::uint64_t;

  [[nodiscard]] std::size_t slice_of(std::uint64_t line_number) const;
  Cycle take_slice(std::size_t slice, Cycle arrival, unsigned sectors, std::uint32_t atomic_lanes);
  Cycle load(std::uint32_t sectors, std::uint64_t number, std::size_t slice, Cycle start);
  void store(std::uint32_t sectors, std::uint64_t number, std::size_t slice, Cycle start);
  [[nodiscard]] Cycle fence(Cycle arrival) const;
  Cycle update(std::uint32_t sectors, std::uint64_t number, std::size_t slice, Cycle start);
  Cycle fetch(TagArray::Line& line, std::uint32_t sectors, Cycle start);
  TagArray::Line& line_for(std::uint64_t number, std::size_t slice, Cycle start);
  void warm(const L2Contents::Copy& copy);
  Cycle read_dram(std::uint64_t number, Cycle arrival, unsigned sectors);
  void write_dram(std::uint64_t number, Cycle arrival, unsigned sectors);
  Cycle take_channel(std::uint64_t number, Cycle arrival, unsigned sectors);

  L2Spec l2_;
  std::uint32_t sector_bytes_;
  std::uint32_t sectors_per_line_;
  Divisor line_bytes_;
  Divisor slices_;
  Divisor channels_;
  Cycle hit_latency_;     // slice to SM
  Cycle miss_latency_;    // slice to SM by way of DRAM
  Cycle atomic_latency_;  // what an update takes longer than a load
  Tick ticks_per_l2_sector_;
  Tick ticks_per_dram_sector_;
  std::vector<Tick> slice_free_;
  std::vector<Tick> channel_free_;
  std::vector<TagArray> tags_;  // one a slice; none if there is no L2
  MemoryCounters counters_;
};

}  // namespace heddle::sim
