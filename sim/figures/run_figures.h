// All figures of a run, computed once. Reports, the command and programs that use the library show these and
// compute none of their own. Names are those of Nsight Compute where it has them.
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

/// The least and the greatest SM beside the mean over SMs; SMs that never held a block do not count.
struct Spread {
  double least = 0;
  double mean = 0;
  double most = 0;
};

/// What is one launch's own.
struct LaunchFigures {
  stream::LaunchShape shape;
  Occupancy occupancy;
  double waves = 0;  ///< Blocks / blocks that the GPU holds at a time.
};

struct RunFigures {
  std::string kernel;
  std::string gpu;
  std::string gpu_description;
  std::string scheduler;
  std::string divergence;               ///< Of the GPU file: a key of isa/exec/divergence.h.
  bool is_cold = false;                 ///< A launch that found nothing of its kernel in the SMs.
  std::optional<LaunchFigures> launch;  ///< Nothing of several.
  std::uint32_t warp_size = 0;
  std::uint32_t sms = 0;
  std::uint32_t sub_partitions = 0;
  std::uint32_t max_warps = 0;
  double clock_mhz = 0;
  Cycle kernel_launch_cycles = 0;  ///< What starting the kernel costs by itself.
  Cycle after_blocks = 0;  ///< Cycles in which memory finishes what the blocks, all ended, have asked for.

  Cycle cycles = 0;
  double time_us = 0;
  SmCounters total;  ///< Over all SMs.

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

  LedgerFigures ledgers;
  MemoryFigures memory;
  std::vector<PipeUse> pipes;

  std::uint32_t active_sms = 0;  ///< SMs that held a block.
  Spread sm_achieved_occupancy;
  Spread sm_issue_efficiency;
  Spread sm_cycles;  ///< Active cycles.
};

/// The figures of a launch on `spec`, which has as many SMs as were simulated. `sms_of_gpu`: how many the launch
/// would fill, if these were a sample of them. Throws std::logic_error if a ledger does not add up to its
/// supply: then the model is wrong, not the user.
RunFigures figures_of(const RunResult& result, const GpuSpec& spec,
                      std::optional<std::uint32_t> sms_of_gpu = {});

/// The figures of several kernels of one GPU that ran one after another, from those of each and from the sums of
/// what each SM counted. Throws likewise.
RunFigures figures_of_all(std::span<const RunFigures* const> runs, const std::vector<SmCounters>& sms,
                          const GpuSpec& spec);

}  // namespace heddle::sim
