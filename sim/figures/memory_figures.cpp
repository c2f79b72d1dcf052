#include "sim/figures/memory_figures.h"

namespace heddle::sim {

namespace {

/// Share of the time in which SMs hold a block.
double bank_conflict_share(const SmCounters& total, const GpuSpec& spec) {
  const MemoryCounters& counters = total.memory;
  const std::uint64_t cycles = counters.shared_load_bank_conflicts + counters.shared_store_bank_conflicts +
                               counters.shared_atomic_bank_conflicts * spec.sm.shared.atomic_interval;
  return quotient(cycles, total.active_cycles);
}

}  // namespace

MemoryFigures memory_figures(const SmCounters& total, Cycle cycles, const GpuSpec& spec) {
  const MemoryCounters& counters = total.memory;
  MemoryFigures memory;
  memory.counters = counters;
  memory.sectors_per_load_request = ratio(counters.global_load_sectors, counters.global_load_requests);
  memory.sectors_per_store_request = ratio(counters.global_store_sectors, counters.global_store_requests);
  memory.l1_load_sectors = counters.l1_hit_sectors + counters.l1_merged_sectors + counters.l1_miss_sectors;
  if (spec.l1.enabled) memory.l1_hit_rate = ratio(counters.l1_hit_sectors, memory.l1_load_sectors);
  if (spec.l2.enabled) memory.l2_hit_rate = ratio(counters.l2_load_hit_sectors, counters.l2_load_sectors);
  const auto share_of_slices = [&](std::uint64_t sectors, double sectors_per_cycle) {
    const double most = static_cast<double>(cycles) * spec.l2.slices * sectors_per_cycle;
    return most > 0 ? static_cast<double>(sectors) / most : 0;
  };
  memory.l2_sectors = counters.l2_load_sectors + counters.l2_store_sectors + counters.l2_atomic_sectors;
  if (spec.l2.enabled) {
    memory.l2_utilization =
        share_of_slices(memory.l2_sectors + counters.l2_far_store_sectors, spec.l2.sectors_per_cycle);
  }
  memory.l2_far_sectors = counters.l2_far_load_sectors + counters.l2_far_store_sectors;
  memory.l2_fabric_utilization = share_of_slices(memory.l2_far_sectors, spec.l2.far_sectors_per_cycle);
  memory.shared_passes_per_load = ratio(counters.shared_load_passes, counters.shared_load_requests);
  memory.shared_passes_per_store = ratio(counters.shared_store_passes, counters.shared_store_requests);
  memory.l1_data_pipe_utilization = quotient(counters.l1_data_pipe_cycles, total.active_cycles);
  memory.bank_conflict_share = bank_conflict_share(total, spec);
  memory.dram_peak_gbps = spec.dram.bandwidth_gbps;
  memory.l2_efficiency = spec.l2.efficiency;
  memory.dram_efficiency = spec.dram.efficiency;
  constexpr double kBytesPerMicrosecond = 1000;  // one GB/s
  const double microseconds = static_cast<double>(cycles) / spec.clock_mhz;
  const double most = spec.dram.bandwidth_gbps * kBytesPerMicrosecond * microseconds;
  const auto moved = static_cast<double>(counters.dram_bytes() - counters.dram_late_bytes);
  memory.dram_utilization = most > 0 ? moved / most : 0;
  return memory;
}

}  // namespace heddle::sim
