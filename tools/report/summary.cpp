#include "tools/report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "isa/base/types.h"
#include "isa/ir/stall_reason.h"

namespace heddle::report {

namespace {

using sim::SmCounters;

double quotient(std::uint64_t amount, std::uint64_t of) { return ratio(amount, of).value_or(0); }

// -- ledgers --------------------------------------------------------------------------------------

template <typename PartOf>
LedgerSummary ledger_of(const sim::Ledger<PartOf>& ledger, std::uint64_t supply) {
  LedgerSummary summary{supply, {}};
  for (std::size_t i = 0; i < sim::Ledger<PartOf>::kParts; ++i) {
    const auto part = static_cast<PartOf>(i);
    summary.parts.push_back({sim::info(part).key, sim::info(part).summary, ledger[part]});
  }
  return summary;
}

std::vector<Part> stall_parts(const sim::StallCounts& counts) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < ir::kStallReasons; ++i) {
    const auto reason = static_cast<ir::StallReason>(i);
    parts.push_back({ir::info(reason).key, ir::info(reason).summary, counts[reason]});
  }
  return parts;
}

/// Without not_selected: where a warp is eligible one issues, and its slot is not lost.
LedgerSummary issue_ledger(const sim::IssueSlots& slots, std::uint64_t supply) {
  LedgerSummary summary{supply, {}};
#define HEDDLE_LEDGER_PART(counter, key, words) summary.parts.push_back({key, words, slots.counter});
#include "sim/ledger/issue_slot_parts.def"
#undef HEDDLE_LEDGER_PART
  for (const Part& part : stall_parts(slots.stalled)) summary.parts.push_back(part);
  std::erase_if(summary.parts, [](const Part& part) { return part.key == "not_selected"; });
  return summary;
}

void require_sum(std::string_view name, const LedgerSummary& ledger) {
  std::uint64_t sum = 0;
  for (const Part& part : ledger.parts) sum += part.slots;
  if (sum == ledger.total) return;
  throw std::logic_error(
      fmt::format("the parts of the ledger of {} add up to {}, its supply is {}", name, sum, ledger.total));
}

void add_ledgers(Summary& summary, const sim::GpuSpec& spec) {
  const SmCounters& total = summary.total;
  summary.warp_slots =
      ledger_of(total.warp_slots, std::uint64_t{spec.occupancy.max_warps} * summary.cycles * spec.sms);
  summary.issue_slots = issue_ledger(total.issue_slots, total.active_cycles * spec.sm.sub_partitions);
  summary.lane_slots = ledger_of(total.lane_slots, total.warp_instructions * spec.occupancy.warp_size);
  summary.stalls = stall_parts(total.stalls);
  require_sum("warp slots", summary.warp_slots);
  require_sum("issue slots", summary.issue_slots);
  require_sum("lane slots", summary.lane_slots);
}

// -- figures --------------------------------------------------------------------------------------

void add_rates(Summary& summary, const sim::GpuSpec& spec) {
  const SmCounters& total = summary.total;
  const std::uint64_t scheduler_cycles = total.active_cycles * spec.sm.sub_partitions;
  const std::uint64_t lanes = total.warp_instructions * spec.occupancy.warp_size;
  summary.achieved_occupancy =
      quotient(total.resident_warp_cycles, total.active_cycles * spec.occupancy.max_warps);
  summary.achieved_warps_per_sm = quotient(total.resident_warp_cycles, total.active_cycles);
  summary.issue_efficiency = quotient(total.issue_slots.issued, scheduler_cycles);
  summary.divergence_utilization = quotient(total.active_lanes, lanes);
  summary.divergence_utilization_pred_on = quotient(total.thread_instructions, lanes);
  summary.ipc = quotient(total.warp_instructions, total.active_cycles);
  summary.ipc_elapsed = quotient(total.warp_instructions, summary.cycles * spec.sms);
  summary.active_warps_per_scheduler = quotient(total.resident_warp_cycles, scheduler_cycles);
  summary.eligible_warps_per_scheduler = quotient(total.eligible_warp_cycles, scheduler_cycles);
  summary.issued_warps_per_scheduler = quotient(total.warp_instructions, scheduler_cycles);
  summary.cycles_per_issued_instruction = ratio(total.resident_warp_cycles, total.warp_instructions);
  summary.branch_efficiency = ratio(total.branches - total.divergent_branches, total.branches);
}

/// Of the time of all SMs that hold a block.
double bank_conflict_share(const SmCounters& total, const sim::GpuSpec& spec) {
  const sim::MemoryCounters& counters = total.memory;
  const std::uint64_t cycles = counters.shared_load_bank_conflicts + counters.shared_store_bank_conflicts +
                               counters.shared_atomic_bank_conflicts * spec.sm.shared.atomic_interval;
  return quotient(cycles, total.active_cycles);
}

void add_memory(Summary& summary, const sim::GpuSpec& spec) {
  const sim::MemoryCounters& counters = summary.total.memory;
  MemorySummary& memory = summary.memory;
  memory.counters = counters;
  memory.sectors_per_load_request = ratio(counters.global_load_sectors, counters.global_load_requests);
  memory.sectors_per_store_request = ratio(counters.global_store_sectors, counters.global_store_requests);
  memory.l1_load_sectors = counters.l1_hit_sectors + counters.l1_merged_sectors + counters.l1_miss_sectors;
  if (spec.l1.enabled) memory.l1_hit_rate = ratio(counters.l1_hit_sectors, memory.l1_load_sectors);
  if (spec.l2.enabled) memory.l2_hit_rate = ratio(counters.l2_load_hit_sectors, counters.l2_load_sectors);
  const auto share_of_slices = [&](std::uint64_t sectors, double sectors_per_cycle) {
    const double most = static_cast<double>(summary.cycles) * spec.l2.slices * sectors_per_cycle;
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
  memory.l1_data_pipe_utilization = quotient(counters.l1_data_pipe_cycles, summary.total.active_cycles);
  memory.bank_conflict_share = bank_conflict_share(summary.total, spec);
  memory.dram_peak_gbps = spec.dram.bandwidth_gbps;
  memory.l2_efficiency = spec.l2.efficiency;
  memory.dram_efficiency = spec.dram.efficiency;
  constexpr double kBytesPerMicrosecond = 1000;  // of one GB a second
  const double most = spec.dram.bandwidth_gbps * kBytesPerMicrosecond * summary.time_us;
  const auto moved = static_cast<double>(counters.dram_bytes() - counters.dram_late_bytes);
  memory.dram_utilization = most > 0 ? moved / most : 0;
}

double freest(const std::vector<PipeUse>& pipes, const std::vector<std::uint8_t>& of) {
  double least = 1;
  for (const std::uint8_t pipe : of) least = std::min(least, pipes[pipe].utilization);
  return least;
}

/// A pipe that some class of instructions cannot do without is as scarce as it is busy.
double pressure(const std::vector<PipeUse>& pipes, std::size_t pipe, const sim::GpuSpec& spec) {
  std::optional<double> most;
  for (std::size_t i = 0; i < ir::kTimingClasses; ++i) {
    const std::vector<std::uint8_t>& choice = spec.sm.timing(static_cast<ir::TimingClass>(i)).pipes;
    if (std::find(choice.begin(), choice.end(), pipe) == choice.end()) continue;
    most = std::max(most.value_or(0), freest(pipes, choice));
  }
  return most.value_or(pipes[pipe].utilization);
}

void add_pipes(Summary& summary, const sim::GpuSpec& spec) {
  const std::uint64_t supply = summary.total.active_cycles * spec.sm.sub_partitions;
  for (std::size_t i = 0; i < spec.sm.pipes.size(); ++i) {
    const std::uint64_t busy = i < summary.total.pipe_busy.size() ? summary.total.pipe_busy[i] : 0;
    summary.pipes.push_back({spec.sm.pipes[i].name, quotient(busy, supply), 0});
  }
  for (std::size_t i = 0; i < summary.pipes.size(); ++i) {
    summary.pipes[i].pressure = pressure(summary.pipes, i, spec);
  }
}

// -- SM by SM -------------------------------------------------------------------------------------

Spread spread(const std::vector<double>& values) {
  if (values.empty()) return {};
  double sum = 0;
  for (const double value : values) sum += value;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {*least, sum / static_cast<double>(values.size()), *most};
}

void add_spreads(Summary& summary, const sim::GpuSpec& spec, const std::vector<SmCounters>& sms) {
  std::vector<double> occupancy;
  std::vector<double> issue;
  std::vector<double> cycles;
  for (const SmCounters& sm : sms) {
    if (sm.active_cycles == 0) continue;
    occupancy.push_back(quotient(sm.resident_warp_cycles, sm.active_cycles * spec.occupancy.max_warps));
    issue.push_back(quotient(sm.issue_slots.issued, sm.active_cycles * spec.sm.sub_partitions));
    cycles.push_back(static_cast<double>(sm.active_cycles));
  }
  summary.active_sms = static_cast<std::uint32_t>(cycles.size());
  summary.sm_achieved_occupancy = spread(occupancy);
  summary.sm_issue_efficiency = spread(issue);
  summary.sm_cycles = spread(cycles);
}

void add_gpu(Summary& summary, const sim::GpuSpec& spec) {
  summary.gpu = spec.name;
  summary.gpu_description = spec.description;
  summary.scheduler = spec.sm.scheduler;
  summary.divergence = spec.sm.divergence;
  summary.is_cold = spec.cold.enabled;
  summary.warp_size = spec.occupancy.warp_size;
  summary.sms = spec.sms;
  summary.sub_partitions = spec.sm.sub_partitions;
  summary.max_warps = spec.occupancy.max_warps;
  summary.clock_mhz = spec.clock_mhz;
}

/// All that follows from what was counted, in one launch or in several.
Summary summary_of(Cycle cycles, const SmCounters& total, const std::vector<SmCounters>& sms,
                   const sim::GpuSpec& spec, RunInfo info) {
  Summary summary;
  summary.info = std::move(info);
  add_gpu(summary, spec);
  summary.cycles = cycles;
  summary.time_us = static_cast<double>(cycles) / spec.clock_mhz;
  summary.total = total;
  add_ledgers(summary, spec);
  add_rates(summary, spec);
  add_memory(summary, spec);
  add_pipes(summary, spec);
  add_spreads(summary, spec, sms);
  return summary;
}

/// Of all runs, by opcode and what it was taken for.
std::vector<Approximation> approximations_of(std::span<const Summary> runs) {
  std::map<std::pair<std::string, std::string>, std::uint64_t> counts;
  for (const Summary& run : runs) {
    for (const Approximation& each : run.info.approximations)
      counts[{each.opcode, each.as}] += each.warp_instructions;
  }
  std::vector<Approximation> list;
  list.reserve(counts.size());
  for (const auto& [names, count] : counts) list.push_back({names.first, names.second, count});
  return list;
}

const PipeUse* most_used(const std::vector<PipeUse>& pipes, double PipeUse::*figure) {
  const auto by_figure = [figure](const PipeUse& a, const PipeUse& b) { return a.*figure < b.*figure; };
  const auto most = std::max_element(pipes.begin(), pipes.end(), by_figure);
  return most == pipes.end() || (*most).*figure == 0 ? nullptr : &*most;
}

}  // namespace

Ratio ratio(std::uint64_t amount, std::uint64_t of) {
  if (of == 0) return std::nullopt;
  return static_cast<double>(amount) / static_cast<double>(of);
}

const Part* LedgerSummary::find(std::string_view key) const {
  const auto part =
      std::find_if(parts.begin(), parts.end(), [key](const Part& each) { return each.key == key; });
  return part == parts.end() ? nullptr : &*part;
}

std::optional<SampleSize> sample_of(std::span<const Summary> runs) {
  std::optional<SampleSize> sum;
  for (const Summary& run : runs) {
    if (!run.info.sample) continue;
    if (!sum) sum = SampleSize{run.info.sample->sms, run.info.sample->of_sms, 0, 0};
    sum->blocks += run.info.sample->blocks;
    sum->of_blocks += run.info.sample->of_blocks;
  }
  return sum;
}

bool Summary::all_checks_hold() const {
  return std::all_of(info.checks.begin(), info.checks.end(),
                     [](const CheckResult& check) { return check.differing == 0; });
}

std::uint64_t Summary::approximated_instructions() const {
  std::uint64_t sum = 0;
  for (const Approximation& each : info.approximations) sum += each.warp_instructions;
  return sum;
}

const PipeUse* Summary::busiest_pipe() const { return most_used(pipes, &PipeUse::utilization); }

const PipeUse* Summary::scarcest_pipe() const { return most_used(pipes, &PipeUse::pressure); }

Summary summarize(const sim::RunResult& result, const sim::GpuSpec& spec, RunInfo info) {
  Summary summary = summary_of(result.cycles, result.total, result.sms, spec, std::move(info));
  summary.kernel = result.launch.kernel;
  summary.kernel_launch_cycles = spec.dispatch.kernel_launch;
  summary.after_blocks = result.cycles - result.blocks_end;
  const std::uint64_t all_sms = summary.info.sample ? summary.info.sample->of_sms : spec.sms;
  const std::uint64_t places = result.occupancy.blocks_per_sm * all_sms;
  summary.launch = {result.launch, result.occupancy, quotient(result.launch.blocks(), places)};
  summary.theoretical_occupancy = result.occupancy.occupancy;
  return summary;
}

Summary summarize_all(std::span<const Summary> runs, const std::vector<SmCounters>& sms,
                      const sim::GpuSpec& spec, RunInfo info) {
  Cycle cycles = 0;
  Cycle launches = 0;
  Cycle after_blocks = 0;
  SmCounters total;
  double theoretical = 0;
  for (const Summary& run : runs) {
    cycles += run.cycles;
    launches += run.kernel_launch_cycles;
    after_blocks += run.after_blocks;
    total += run.total;
    theoretical += run.theoretical_occupancy * static_cast<double>(run.total.active_cycles);
  }
  info.approximations = approximations_of(runs);
  info.sample = sample_of(runs);
  Summary summary = summary_of(cycles, total, sms, spec, std::move(info));
  summary.kernel = fmt::format("{} kernels", runs.size());
  summary.kernel_launch_cycles = launches;
  summary.after_blocks = after_blocks;
  const auto active = static_cast<double>(total.active_cycles);
  summary.theoretical_occupancy = active > 0 ? theoretical / active : 0;
  return summary;
}

}  // namespace heddle::report
