#include "sim/figures/run_figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::sim {

namespace {

void add_rates(RunFigures& figures, const GpuSpec& spec) {
  const SmCounters& total = figures.total;
  const std::uint64_t scheduler_cycles = total.active_cycles * spec.sm.sub_partitions;
  const std::uint64_t lanes = total.warp_instructions * spec.occupancy.warp_size;
  figures.achieved_occupancy =
      quotient(total.resident_warp_cycles, total.active_cycles * spec.occupancy.max_warps);
  figures.achieved_warps_per_sm = quotient(total.resident_warp_cycles, total.active_cycles);
  figures.issue_efficiency = quotient(total.issue_slots.issued, scheduler_cycles);
  figures.divergence_utilization = quotient(total.active_lanes, lanes);
  figures.divergence_utilization_pred_on = quotient(total.thread_instructions, lanes);
  figures.ipc = quotient(total.warp_instructions, total.active_cycles);
  figures.ipc_elapsed = quotient(total.warp_instructions, figures.cycles * spec.sms);
  figures.active_warps_per_scheduler = quotient(total.resident_warp_cycles, scheduler_cycles);
  figures.eligible_warps_per_scheduler = quotient(total.eligible_warp_cycles, scheduler_cycles);
  figures.issued_warps_per_scheduler = quotient(total.warp_instructions, scheduler_cycles);
  figures.cycles_per_issued_instruction = ratio(total.resident_warp_cycles, total.warp_instructions);
  figures.branch_efficiency = ratio(total.branches - total.divergent_branches, total.branches);
}

Spread spread(const std::vector<double>& values) {
  if (values.empty()) return {};
  double sum = 0;
  for (const double value : values) sum += value;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {*least, sum / static_cast<double>(values.size()), *most};
}

void add_spreads(RunFigures& figures, const GpuSpec& spec, const std::vector<SmCounters>& sms) {
  std::vector<double> occupancy;
  std::vector<double> issue;
  std::vector<double> cycles;
  for (const SmCounters& sm : sms) {
    if (sm.active_cycles == 0) continue;
    occupancy.push_back(quotient(sm.resident_warp_cycles, sm.active_cycles * spec.occupancy.max_warps));
    issue.push_back(quotient(sm.issue_slots.issued, sm.active_cycles * spec.sm.sub_partitions));
    cycles.push_back(static_cast<double>(sm.active_cycles));
  }
  figures.active_sms = static_cast<std::uint32_t>(cycles.size());
  figures.sm_achieved_occupancy = spread(occupancy);
  figures.sm_issue_efficiency = spread(issue);
  figures.sm_cycles = spread(cycles);
}

void add_gpu(RunFigures& figures, const GpuSpec& spec) {
  figures.gpu = spec.name;
  figures.gpu_description = spec.description;
  figures.scheduler = spec.sm.scheduler;
  figures.divergence = spec.sm.divergence;
  figures.is_cold = spec.cold.enabled;
  figures.warp_size = spec.occupancy.warp_size;
  figures.sms = spec.sms;
  figures.sub_partitions = spec.sm.sub_partitions;
  figures.max_warps = spec.occupancy.max_warps;
  figures.clock_mhz = spec.clock_mhz;
}

/// The figures that follow from the counters, for one launch or several.
RunFigures figures_of_counters(Cycle cycles, const SmCounters& total, const std::vector<SmCounters>& sms,
                               const GpuSpec& spec, bool ran_beside_others) {
  RunFigures figures;
  add_gpu(figures, spec);
  figures.cycles = cycles;
  figures.time_us = static_cast<double>(cycles) / spec.clock_mhz;
  figures.total = total;
  figures.ran_beside_others = ran_beside_others;
  figures.ledgers =
      ledger_figures(total, cycles, spec, ran_beside_others ? Supply::Charged : Supply::OfGpu);
  add_rates(figures, spec);
  figures.memory = memory_figures(total, cycles, spec);
  figures.pipes = pipe_figures(total, spec);
  add_spreads(figures, spec, sms);
  return figures;
}

}  // namespace

RunFigures figures_of(const RunResult& result, const GpuSpec& spec, std::optional<std::uint32_t> sms_of_gpu) {
  RunFigures figures =
      figures_of_counters(result.cycles, result.total, result.sms, spec, result.ran_beside_others);
  figures.kernel = result.launch.kernel;
  figures.kernel_launch_cycles = spec.dispatch.kernel_launch;
  figures.after_blocks = result.cycles - result.blocks_end;
  const std::uint64_t places = std::uint64_t{result.occupancy.blocks_per_sm} * sms_of_gpu.value_or(spec.sms);
  figures.launch = {result.launch, result.occupancy, quotient(result.launch.blocks(), places)};
  figures.theoretical_occupancy = result.occupancy.occupancy;
  return figures;
}

RunFigures figures_of_all(std::span<const RunFigures* const> runs, const std::vector<SmCounters>& sms,
                          const GpuSpec& spec) {
  Cycle cycles = 0;
  Cycle launches = 0;
  Cycle after_blocks = 0;
  SmCounters total;
  double theoretical = 0;
  bool ran_beside_others = false;
  for (const RunFigures* run : runs) {
    cycles += run->cycles;
    launches += run->kernel_launch_cycles;
    after_blocks += run->after_blocks;
    total += run->total;
    ran_beside_others |= run->ran_beside_others;
    theoretical += run->theoretical_occupancy * static_cast<double>(run->total.active_cycles);
  }
  RunFigures figures = figures_of_counters(cycles, total, sms, spec, ran_beside_others);
  figures.kernel = fmt::format("{} kernels", runs.size());
  figures.kernel_launch_cycles = launches;
  figures.after_blocks = after_blocks;
  const auto active = static_cast<double>(total.active_cycles);
  figures.theoretical_occupancy = active > 0 ? theoretical / active : 0;
  return figures;
}

}  // namespace heddle::sim
