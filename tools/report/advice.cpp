#include "tools/report/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "sim/figures/losses.h"
#include "tools/report/blame.h"
#include "tools/report/words.h"

namespace heddle::report {

namespace {

/// Conflict passes per request to shared memory from which on they are mentioned.
constexpr double kSeveralConflicts = 0.5;
constexpr double kHighOccupancy = 0.6;
/// Shares of theoretical occupancy above which the achieved occupancy counts as all that fits. If little fits
/// at all, that is mentioned first.
constexpr double kMostOfHigh = 0.8;
constexpr double kMostOfLow = 0.6;

/// Advice for stalls that more warps do not cure.
constexpr std::pair<std::string_view, std::string_view> kCures[] = {
    {"barrier", "fewer barriers, or several smaller blocks beside one another, would help"},
    {"mio_throttle", "fewer or wider accesses to shared memory would help"},
};

/// Advice that brings more warps, by the cause of empty warp slots.
constexpr std::pair<std::string_view, std::string_view> kMoreWarps[] = {
    {"small_grid", "a larger grid would bring more"},
    {"launch_ramp", "blocks end before others start: more work in each would bring more"},
    {"tail", "the last blocks run among few: a larger grid, or smaller blocks, would bring more"},
    {"finished", "ended warps wait for others of their block: equal work for each would bring more"},
};

std::string too_few_fit(const Summary& summary) {
  if (!summary.launch) {
    return fmt::format("the kernels' theoretical occupancy is only {}",
                       whole_percent(summary.theoretical_occupancy));
  }
  const sim::Occupancy& occupancy = summary.launch->occupancy;
  return fmt::format("the SM holds only {} of {} ({} limit)", occupancy.warps_per_sm, summary.max_warps,
                     limiters_text(occupancy));
}

/// What prevents more warps: the limit on their number; or, if fewer are resident than fit, the reason.
std::string more_warps(const Summary& summary) {
  const bool much_fits = summary.theoretical_occupancy >= kHighOccupancy;
  const double most = much_fits ? kMostOfHigh : kMostOfLow;
  if (summary.achieved_occupancy < most * summary.theoretical_occupancy) {
    return fmt::format("with {:.1f} warps a scheduler there is too little else to do: {}",
                       summary.active_warps_per_scheduler, what_brings_warps(summary));
  }
  if (!much_fits) {
    return fmt::format("more warps would hide it, but {}", too_few_fit(summary));
  }
  return fmt::format("{:.1f} warps a scheduler do not hide it, and more hardly fit",
                     summary.active_warps_per_scheduler);
}

bool has_many_atomics(const Summary& summary) {
  const sim::MemoryCounters& counters = summary.memory.counters;
  return counters.l2_atomic_sectors > counters.l2_load_sectors;
}

}  // namespace

std::string_view what_brings_warps(const Summary& summary) {
  const auto slots_of = [&](std::string_view key) {
    const Part* part = summary.ledgers.warp_slots.find(key);
    return part == nullptr ? 0 : part->slots;
  };
  const auto fewer = [&](const auto& a, const auto& b) { return slots_of(a.first) < slots_of(b.first); };
  return std::max_element(std::begin(kMoreWarps), std::end(kMoreWarps), fewer)->second;
}

std::string lone_advice(const Summary& summary, std::string_view stall) {
  if (sim::is_global_wait(stall) && has_many_atomics(summary)) return std::string(kAtomicsAdvice);
  return "more independent work, in each thread or in more warps, would fill it";
}

std::string advice(const Summary& summary, std::string_view stall) {
  const sim::MemoryFigures& memory = summary.memory;
  if (sim::is_global_wait(stall)) {
    if (std::optional<std::string> text = scattered_access(memory.counters)) return *std::move(text);
    if (has_many_atomics(summary))
      return fmt::format("most of what L2 has to do are atomics; {}", kAtomicsAdvice);
  }
  if (stall == "lg_throttle") {
    return fmt::format("{}: fewer, wider or better cached ones would help",
                       greatest_access(memory.counters).value_or("memory does not keep up with accesses"));
  }
  const bool is_shared = stall == "short_scoreboard" || stall == "mio_throttle";
  const Ratio conflicts =
      ratio(memory.counters.shared_load_bank_conflicts, memory.counters.shared_load_requests);
  if (is_shared && conflicts.value_or(0) >= kSeveralConflicts) return conflicting_access(memory.counters);
  for (const auto& [reason, text] : kCures) {
    if (stall == reason) return std::string(text);
  }
  if (const PipeUse* pipe = sim::busiest(summary.pipes); pipe != nullptr && stall == "math_pipe_throttle") {
    return fmt::format("the busiest one, {}, is in use {} of the time", pipe->name,
                       whole_percent(pipe->utilization));
  }
  return more_warps(summary);
}

}  // namespace heddle::report
