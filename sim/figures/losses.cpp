#include "sim/figures/losses.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace heddle::sim {

namespace {

constexpr std::string_view kGlobalWaits[] = {"long_scoreboard", "lg_throttle", "drain"};

std::span<const Part> lost_parts(const LedgerSummary& ledger) { return std::span(ledger.parts).subspan(1); }

/// Share of the issue slots in which no warp waits for global memory.
double share_beside_memory(const RunFigures& figures) {
  double share = 1;
  for (const Part& part : lost_parts(figures.ledgers.issue_slots)) {
    if (is_global_wait(part.key)) share -= figures.ledgers.issue_slots.share(part);
  }
  return share;
}

/// Adds the losses of issue slots of those schedulers that have a warp.
void add_issue_losses(std::vector<Loss>& losses, const RunFigures& figures) {
  const double never = schedulers_without_warp(figures);
  double global = 0;
  for (const Part& part : lost_parts(figures.ledgers.issue_slots)) {
    const double share = figures.ledgers.issue_slots.share(part);
    const double of_launched = part.key == "no_warp" ? std::max(0.0, share - never) : share;
    losses.push_back({part.key, share, of_launched / (1 - never)});
    if (is_global_wait(part.key)) global += losses.back().time;
  }
  for (Loss& loss : losses) {
    if (is_global_wait(loss.key) && loss.share > 0) loss.time = global;
  }
}

void add_lane_losses(std::vector<Loss>& losses, const RunFigures& figures) {
  const double never = schedulers_without_warp(figures);
  const double instructions = std::max(0.0, share_beside_memory(figures) - never) / (1 - never);
  for (const Part& part : lost_parts(figures.ledgers.lane_slots)) {
    const double share = figures.ledgers.lane_slots.share(part);
    losses.push_back({part.key, figures.issue_efficiency * share, instructions * share});
  }
}

/// If times are equal, as for waits on global memory, the loss with more slots comes first.
bool is_greater(const Loss& a, const Loss& b) {
  return a.time != b.time ? a.time > b.time : a.share > b.share;
}

}  // namespace

std::vector<Loss> losses_of(const RunFigures& figures) {
  std::vector<Loss> losses;
  add_issue_losses(losses, figures);
  add_lane_losses(losses, figures);
  std::erase_if(losses, [](const Loss& loss) { return loss.time <= 0; });
  std::stable_sort(losses.begin(), losses.end(), is_greater);
  return losses;
}

double schedulers_without_warp(const RunFigures& figures) {
  if (!figures.launch || figures.active_sms == 0) return 0;
  const LaunchFigures& launch = *figures.launch;
  const std::uint64_t blocks = divide_up(launch.shape.blocks(), figures.active_sms);
  const std::uint64_t at_once = std::min<std::uint64_t>(blocks, launch.occupancy.blocks_per_sm);
  const std::uint64_t warps = at_once * launch.shape.warps_per_block();
  return warps >= figures.sub_partitions ? 0 : 1 - *ratio(warps, figures.sub_partitions);
}

bool is_lane_part(const RunFigures& figures, std::string_view key) {
  return figures.ledgers.lane_slots.find(key) != nullptr;
}

bool is_global_wait(std::string_view stall) {
  return std::find(std::begin(kGlobalWaits), std::end(kGlobalWaits), stall) != std::end(kGlobalWaits);
}

}  // namespace heddle::sim
