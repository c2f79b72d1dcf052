// What memory did in a run, as rates and shares. The names are those of Nsight Compute where it has them.
#pragma once

#include <cstdint>

#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"
#include "sim/figures/ratio.h"
#include "sim/ledger/sm_counters.h"

namespace heddle::sim {

/// The memory figures of a run.
struct MemoryFigures {
  MemoryCounters counters;
  Ratio sectors_per_load_request;
  Ratio sectors_per_store_request;
  std::uint64_t l1_load_sectors = 0;
  /// Share of the sectors that were loaded. Sectors that were already on their way do not count as hits. Not
  /// set if the GPU has no L1.
  Ratio l1_hit_rate;
  /// Share of the sectors that were loaded from L2. Stores do not count as hits here, unlike in Nsight
  /// Compute. Not set if the GPU has no L2.
  Ratio l2_hit_rate;
  std::uint64_t l2_sectors = 0;      ///< Loads, stores, atomics.
  std::uint64_t l2_far_sectors = 0;  ///< Sectors of loads and stores that passed between its partitions.
  /// Sector slots used at slices (two for a store to the other partition) / the slots of all slices in the
  /// run's cycles. Not set if the GPU has no L2.
  Ratio l2_utilization;
  /// Sectors that passed between partitions / the most that could have passed.
  double l2_fabric_utilization = 0;
  /// Bytes that DRAM moved until the end of the run / the most that it could have moved at its peak.
  double dram_utilization = 0;
  double dram_peak_gbps = 0;
  double l2_efficiency = 1;      ///< Share of the slices' peak that loads can reach.
  double dram_efficiency = 1;    ///< Share of the peak that streams can reach.
  Ratio shared_passes_per_load;  ///< 1 if lanes of 4 bytes have no bank conflict.
  Ratio shared_passes_per_store;
  /// Share of the active cycles in which L1 and shared memory are busy.
  double l1_data_pipe_utilization = 0;
  double bank_conflict_share = 0;  ///< Share of the active cycles that repeated passes take.
};

/// The figures of a run with this many cycles.
MemoryFigures memory_figures(const SmCounters& total, Cycle cycles, const GpuSpec& spec);

}  // namespace heddle::sim
