// Works out what an instruction asks of the load/store unit's shared stage: its passes over the banks of
// shared memory, or its lines of global memory and its turns at the tags of L1. That is counted, too.
#pragma once

#include <cstdint>

#include "isa/stream/warp_source.h"
#include "sim/config/gpu_spec.h"
#include "sim/memory/bank_conflicts.h"
#include "sim/memory/coalescer.h"
#include "sim/memory/l1_cache.h"
#include "sim/memory/tag_banks.h"
#include "sim/sm/lsu_counters.h"
#include "sim/sm/mio_queues.h"

namespace heddle::sim {

/// Fills in an instruction's MioEntry when it issues. The load/store unit owns it.
class AddressUnit {
 public:
  /// All of these outlive it.
  AddressUnit(const GpuSpec& spec, const L1Cache& l1, LsuCounters& counters);

  /// Fills in what the entry, which has its owner, will ask.
  void describe(MioEntry& entry, const stream::WarpStep& step);

 private:
  void describe_copy(MioEntry& entry, const stream::WarpStep& step);
  void describe_lines(MioEntry& entry, const stream::WarpStep& step);
  BankPasses shared_passes(const stream::StaticOp& op, const stream::WarpStep& step);
  [[nodiscard]] std::uint64_t excess_sectors(const stream::WarpStep& step, const stream::StaticOp& op,
                                             std::uint64_t sectors) const;

  const SharedMemorySpec& shared_;
  LineGeometry geometry_;
  TagBanks tag_banks_;
  PassesOfShapes passes_;
  const L1Cache& l1_;
  LsuCounters& counters_;
};

}  // namespace heddle::sim
