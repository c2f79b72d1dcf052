#include "tools/report/line_cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "tools/report/line_notes.h"
#include "tools/report/words.h"

namespace heddle::report {

namespace {

using ir::StallReason;

/// A line for which less is lost cannot give the least gain that the verdict mentions.
constexpr double kWorthNaming = 1 - 1 / 1.05;

/// Words of 4 bytes, which atomics update.
constexpr double kWordsInSector = 8;

/// From so many lanes on they do not just use words of 2 bytes.
constexpr double kSeveralLanes = 3;

/// Who waits for memory waits for these reasons.
constexpr StallReason kForMemory[] = {StallReason::LongScoreboard, StallReason::ShortScoreboard,
                                      StallReason::LgThrottle, StallReason::MioThrottle, StallReason::Drain};

/// All issue slots of SMs that had blocks, until memory has finished.
std::uint64_t slots_to_end(const Summary& summary) {
  return summary.ledgers.issue_slots.total +
         summary.after_blocks * summary.active_sms * summary.sub_partitions;
}

double share_of_lanes(const Summary& summary, std::uint64_t lane_slots) {
  return sim::quotient(lane_slots, slots_to_end(summary) * summary.warp_size);
}

bool is_for_memory(const sim::Cost& cost) {
  std::uint64_t slots = cost.late;
  for (const StallReason reason : kForMemory) slots += cost.slots[reason];
  return 2 * slots > cost.slots.sum() + cost.late;
}

/// More than half would not be needed: better addresses at least halve the traffic.
bool is_wasteful(const Accesses& accesses) { return 2 * accesses.excess > accesses.amount; }

std::string fewest(std::string_view what, const Accesses& accesses) {
  return fmt::format("{} {} each, {} would do", decimal(ratio(accesses.amount, accesses.requests), 1), what,
                     decimal(ratio(accesses.least(), accesses.requests), 1));
}

/// How many lanes of each update of global memory share an address, at least.
double lanes_an_address(const sim::LineFigures& line) {
  return sim::quotient(line.updating_lanes, line.counters.memory.global_atomic_sectors) / kWordsInSector;
}

std::optional<std::string> atomics_text(const Summary& summary, const sim::LineFigures& line) {
  const sim::MemoryCounters& memory = line.counters.memory;
  const double lanes = lanes_an_address(line);
  const bool is_late = memory.global_atomic_requests != 0 && 2 * line.cost.late > line.cost.slots.sum();
  if (lanes >= kSeveralLanes)
    return fmt::format("atomics on one address: at least {:.0f} lanes of each wait for one another", lanes);
  if (is_late)
    return fmt::format("atomics that memory is busy with {} of the time after all warps have ended",
                       whole_percent(late_share(summary, line)));
  const Accesses shared{memory.shared_atomic_requests, memory.shared_atomic_passes,
                        memory.shared_atomic_bank_conflicts};
  if (is_wasteful(shared))
    return fmt::format("atomics on one address, or in one bank: {}", fewest("passes", shared));
  return std::nullopt;
}

void add_causes_of_memory(const Summary& summary, const sim::LineFigures& line,
                          std::vector<FoundCause>& causes) {
  const Accesses device = device_accesses(line.counters.memory);
  const Accesses shared = shared_accesses(line.counters.memory);
  const auto atomics = atomics_text(summary, line);
  if (atomics) causes.push_back({LineCause::Atomics, *atomics});
  if (is_wasteful(device))
    causes.push_back({LineCause::Uncoalesced, "uncoalesced accesses: " + fewest("sectors", device)});
  if (is_wasteful(shared) && !atomics)
    causes.push_back({LineCause::BankConflicts, "bank conflicts: " + fewest("passes", shared)});
}

}  // namespace

std::string_view key_of(LineCause cause) {
  static constexpr std::array<std::string_view, 6> kKeys = {
      "uncoalesced", "bank_conflicts", "atomics", "dependent_chain", "barrier", "divergence"};
  return kKeys[static_cast<std::size_t>(cause)];
}

bool is_worth_naming(const Summary& summary, const sim::LineFigures& line) {
  return cost_share(summary, line) >= kWorthNaming;
}

std::vector<FoundCause> line_causes(const Summary& summary, const sim::LineFigures& line) {
  const sim::Cost& cost = line.cost;
  const std::uint64_t slots = cost.slots.sum() + cost.late;
  std::vector<FoundCause> causes;
  if (!is_worth_naming(summary, line)) return causes;
  if (share_of_lanes(summary, cost.parted) >= kWorthNaming)
    causes.push_back({LineCause::Divergence, "divergence: lanes of a warp part here"});
  if (cost.lanes > slots * summary.warp_size) return causes;
  if (is_for_memory(cost)) add_causes_of_memory(summary, line, causes);
  const auto first = sim::first_reason(cost.slots);
  if (!first) return causes;
  if (first->key == ir::info(StallReason::Barrier).key)
    causes.push_back({LineCause::Barrier, "a barrier at which warps wait for the last of their block"});
  if (2 * cost.chained > slots)
    causes.push_back({LineCause::DependentChain, "a dependent chain: each result is needed for the next"});
  return causes;
}

double cost_share(const Summary& summary, const sim::LineFigures& line) {
  return share_of_lanes(summary, line.cost.lane_slots(summary.warp_size));
}

double late_share(const Summary& summary, const sim::LineFigures& line) {
  return sim::quotient(line.cost.late, slots_to_end(summary));
}

}  // namespace heddle::report
