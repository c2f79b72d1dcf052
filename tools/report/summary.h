// All figures of a run, computed once; every form of report shows these and computes none itself.
// Names are those of Nsight Compute where it has them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "sim/device/run_result.h"
#include "tools/report/provenance.h"

namespace heddle::report {

/// A quotient; nothing where there was nothing to divide by: without loads there is no hit rate.
using Ratio = std::optional<double>;

Ratio ratio(std::uint64_t amount, std::uint64_t of);

/// One of a ledger's parts: its key in reports, what it means, and its slots.
struct Part {
  std::string_view key;
  std::string_view summary;
  std::uint64_t slots = 0;
};

/// A supply of slots and where they went. The first part is what was used.
struct LedgerSummary {
  std::uint64_t total = 0;
  std::vector<Part> parts;

  [[nodiscard]] double share(const Part& part) const { return ratio(part.slots, total).value_or(0); }
  [[nodiscard]] const Part* find(std::string_view key) const;  ///< Null if it has no such part.
};

/// The least and the greatest SM beside the mean over SMs; SMs that never held a block do not count.
struct Spread {
  double least = 0;
  double mean = 0;
  double most = 0;
};

struct MemorySummary {
  sim::MemoryCounters counters;
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

struct PipeUse {
  std::string name;
  double utilization = 0;  ///< Busy cycles / active cycles of all sub-partitions.
  /// The same, but of the freest of the pipes that its instructions can take: two pipes for the same
  /// instructions hold nothing back before both are busy.
  double pressure = 0;
};

/// A result check and how it went.
struct CheckResult {
  std::string buffer;
  std::uint64_t elements = 0;  ///< Of the buffer; of a sample,
  std::uint64_t compared = 0;  ///< fewer are compared.
  std::uint64_t differing = 0;
};

/// An opcode of a trace that was timed as another one.
struct Approximation {
  std::string opcode;
  std::string as;
  std::uint64_t warp_instructions = 0;
};

/// Of a run of some of a GPU's SMs in the place of all: what was simulated.
struct SampleSize {
  std::uint32_t sms = 0;
  std::uint32_t of_sms = 0;
  std::uint64_t blocks = 0;
  std::uint64_t of_blocks = 0;
};

/// What the run itself does not know.
struct RunInfo {
  std::string launch_path;  ///< The launch file, or the trace.
  std::string short_name;   ///< That a table has for it: "vecadd".
  std::string description;
  std::vector<CheckResult> checks;
  bool checked = true;                        ///< False: the launch's checks were not made.
  bool is_trace = false;                      ///< A recorded launch: there is nothing to check.
  std::vector<Approximation> approximations;  ///< Of a trace.
  std::optional<SampleSize> sample;           ///< Without it, the whole GPU was simulated.
  Provenance provenance;
  /// Of a point of a sweep: keys and their values there.
  std::vector<std::pair<std::string, std::string>> swept;
};

/// What is one launch's own.
struct LaunchSummary {
  stream::LaunchShape shape;
  sim::Occupancy occupancy;
  double waves = 0;  ///< Blocks / blocks that the GPU holds at a time.
};

struct Summary {
  RunInfo info;
  std::string kernel;
  std::string gpu;
  std::string gpu_description;
  std::string scheduler;
  std::string divergence;  ///< Of the GPU file: a key of isa/exec/divergence.h.
  bool is_cold = false;    ///< A launch that found nothing of its kernel in the SMs.
  std::optional<LaunchSummary> launch;  ///< Nothing of several.
  std::uint32_t warp_size = 0;
  std::uint32_t sms = 0;
  std::uint32_t sub_partitions = 0;
  std::uint32_t max_warps = 0;
  double clock_mhz = 0;
  Cycle kernel_launch_cycles = 0;  ///< What starting the kernel costs by itself.
  Cycle after_blocks = 0;  ///< Cycles in which memory finishes what the blocks, all ended, have asked for.

  Cycle cycles = 0;
  double time_us = 0;
  sim::SmCounters total;  ///< Over all SMs.

  double theoretical_occupancy = 0;  ///< Of several launches, by their active cycles.
  double achieved_occupancy = 0;
  double issue_efficiency = 0;
  double divergence_utilization = 0;          ///< Active lanes.
  double divergence_utilization_pred_on = 0;  ///< Active lanes whose guard held.
  double achieved_warps_per_sm = 0;

  double ipc = 0;          ///< Warp instructions per SM and active cycle.
  double ipc_elapsed = 0;  ///< Warp instructions per SM and cycle of the run.
  double active_warps_per_scheduler = 0;
  double eligible_warps_per_scheduler = 0;
  double issued_warps_per_scheduler = 0;
  Ratio cycles_per_issued_instruction;
  Ratio branch_efficiency;  ///< Branches at which no lanes parted / branches.

  LedgerSummary warp_slots;
  LedgerSummary issue_slots;
  LedgerSummary lane_slots;
  std::vector<Part> stalls;  ///< Warp-cycles, in the order of the table.

  MemorySummary memory;
  std::vector<PipeUse> pipes;

  std::uint32_t active_sms = 0;  ///< SMs that held a block.
  Spread sm_achieved_occupancy;
  Spread sm_issue_efficiency;
  Spread sm_cycles;  ///< Active cycles.

  [[nodiscard]] bool all_checks_hold() const;
  [[nodiscard]] std::uint64_t approximated_instructions() const;
  [[nodiscard]] const PipeUse* busiest_pipe() const;   ///< Null if no pipe was used.
  [[nodiscard]] const PipeUse* scarcest_pipe() const;  ///< By pressure, likewise.
};

/// The samples of several runs together; nothing if they are runs of the whole GPU.
std::optional<SampleSize> sample_of(std::span<const Summary> runs);

/// Throws std::logic_error if a ledger does not add up to its supply: then the model is wrong, not the user.
Summary summarize(const sim::RunResult& result, const sim::GpuSpec& spec, RunInfo info);

/// The figures of several kernels of one GPU, run one after another, from those of each and the sums of what each
/// SM counted. Throws likewise.
Summary summarize_all(std::span<const Summary> runs, const std::vector<sim::SmCounters>& sms,
                      const sim::GpuSpec& spec, RunInfo info);

}  // namespace heddle::report
