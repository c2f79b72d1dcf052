// What memory did in a run, as rates and shares. Names are those of Nsight Compute where it has them.
#pragma once

#include <cstdint>

#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"
#include "sim/figures/ratio.h"
#include "sim/ledger/sm_counters.h"

namespace heddle::sim {

struct MemoryFigures {
  MemoryCounters counters;
  Ratio sectors_per_load_request;
  Ratio sectors_per_store_request;
  std::uint64_t l1_load_sectors = 0;
  /// Of the sectors loaded; those that were on their way already are no hits. Nothing where the GPU has no
  /// L1.
  Ratio l1_hit_rate;
  /// Of the sectors loaded from L2: stores are no hits here, as they are in Nsight Compute's. Nothing where
  /// the GPU has no L2.
  Ratio l2_hit_rate;
  std::uint64_t l2_sectors = 0;      ///< Loads, stores, atomics.
  std::uint64_t l2_far_sectors = 0;  ///< Those of loads and stores that passed between its partitions.
  /// Turns of sectors at slices, two for what is stored in the other partition / what all slices could have
  /// served in the run's cycles. Nothing where the GPU has no L2.
  Ratio l2_utilization;
  double l2_fabric_utilization = 0;  ///< Sectors that passed between partitions / what could have.
  /// Bytes that DRAM moved by the end of the run / what it could have moved at its peak in the run's cycles.
  double dram_utilization = 0;
  double dram_peak_gbps = 0;
  double l2_efficiency = 1;      ///< Share of what the slices could serve that loads reach.
  double dram_efficiency = 1;    ///< Share of the peak that streams reach.
  Ratio shared_passes_per_load;  ///< 1 where lanes of 4 bytes meet no bank conflict.
  Ratio shared_passes_per_store;
  /// Of the active cycles, those in which L1 and shared memory are busy.
  double l1_data_pipe_utilization = 0;
  double bank_conflict_share = 0;  ///< Of the active cycles, those in which they repeat passes.
};

/// Of a run of so many cycles.
MemoryFigures memory_figures(const SmCounters& total, Cycle cycles, const GpuSpec& spec);

}  // namespace heddle::sim
