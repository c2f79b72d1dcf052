// All figures of a run, computed once. Reports, the command and programs that use the library show these and
// compute no others. The names are those of Nsight Compute where it has them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "sim/device/run_result.h"
#include "sim/figures/ledger_figures.h"
#include "sim/figures/memory_figures.h"
#include "sim/figures/pipe_figures.h"
#include "sim/figures/ratio.h"

namespace heddle::sim {

/// The least SM, the mean over SMs, and the greatest SM. SMs that never held a block do not count.
struct Spread {
  double least = 0;
  double mean = 0;
  double most = 0;
};

/// The figures that only a single launch has.
struct LaunchFigures {
  stream::LaunchShape shape;
  Occupancy occupancy;
  double waves = 0;  ///< Blocks / blocks that the GPU holds at a time.
};

/// All figures of one launch, or of several launches together.
struct RunFigures {
  std::string kernel;
  std::string gpu;
  std::string gpu_description;
  std::string scheduler;
  /// The divergence model of the GPU file: a key of isa/exec/divergence.h.
  std::string divergence;
  bool is_cold = false;                 ///< The launch found nothing of its kernel in the SMs.
  /// Other grids ran beside it: each slot of the ledgers is charged to one of them (GridRun).
  bool ran_beside_others = false;
  std::optional<LaunchFigures> launch;  ///< Not set for several launches.
  std::uint32_t warp_size = 0;
  std::uint32_t sms = 0;
  std::uint32_t sub_partitions = 0;
  std::uint32_t max_warps = 0;
  double clock_mhz = 0;
  Cycle kernel_launch_cycles = 0;  ///< Cycles that it takes to start the kernel.
  Cycle after_blocks = 0;  ///< Cycles after the end of all blocks in which memory finishes their requests.

  Cycle cycles = 0;
  double time_us = 0;
  SmCounters total;  ///< Sums over all SMs.

  double theoretical_occupancy = 0;  ///< For several launches weighted by their active cycles.
  double achieved_occupancy = 0;
  double issue_efficiency = 0;
  double divergence_utilization = 0;          ///< Share of the lanes that were active.
  double divergence_utilization_pred_on = 0;  ///< Share of the lanes that were active and whose guard held.
  double achieved_warps_per_sm = 0;

  double ipc = 0;          ///< Warp instructions per SM and active cycle.
  double ipc_elapsed = 0;  ///< Warp instructions per SM and cycle of the run.
  double active_warps_per_scheduler = 0;
  double eligible_warps_per_scheduler = 0;
  double issued_warps_per_scheduler = 0;
  Ratio cycles_per_issued_instruction;
  Ratio branch_efficiency;  ///< Branches at which no lanes diverged / branches.

  LedgerFigures ledgers;
  MemoryFigures memory;
  std::vector<PipeUse> pipes;

  std::uint32_t active_sms = 0;  ///< SMs that held a block.
  Spread sm_achieved_occupancy;
  Spread sm_issue_efficiency;
  Spread sm_cycles;  ///< Active cycles.
};

/// The figures of a launch on `spec`, which has as many SMs as were simulated. `sms_of_gpu` is the number of
/// SMs that the launch would fill, if only a sample was simulated. Throws std::logic_error if the parts of a
/// ledger do not sum to its supply; that is a bug of the model, not a mistake of the user.
RunFigures figures_of(const RunResult& result, const GpuSpec& spec,
                      std::optional<std::uint32_t> sms_of_gpu = {});

/// The figures of several kernels that ran one after another on one GPU, from the figures of each and the
/// sums of the SMs' counters. Throws in the same case.
RunFigures figures_of_all(std::span<const RunFigures* const> runs, const std::vector<SmCounters>& sms,
                          const GpuSpec& spec);

}  // namespace heddle::sim
