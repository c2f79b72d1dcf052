#include "tools/report/losses.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace heddle::report {

namespace {

constexpr std::string_view kGlobalWaits[] = {"long_scoreboard", "lg_throttle", "drain"};

std::span<const Part> lost_parts(const LedgerSummary& ledger) { return std::span(ledger.parts).subspan(1); }

/// Of the issue slots, those in which no warp waits for global memory.
double share_beside_memory(const Summary& summary) {
  double share = 1;
  for (const Part& part : lost_parts(summary.issue_slots)) {
    if (is_global_wait(part.key)) share -= summary.issue_slots.share(part);
  }
  return share;
}

/// Of the turns of schedulers that the launch gives a warp.
void add_issue_losses(std::vector<Loss>& losses, const Summary& summary) {
  const double never = schedulers_without_warp(summary);
  double global = 0;
  for (const Part& part : lost_parts(summary.issue_slots)) {
    const double share = summary.issue_slots.share(part);
    const double of_launched = part.key == "no_warp" ? std::max(0.0, share - never) : share;
    losses.push_back({part.key, share, of_launched / (1 - never)});
    if (is_global_wait(part.key)) global += losses.back().time;
  }
  for (Loss& loss : losses) {
    if (is_global_wait(loss.key) && loss.share > 0) loss.time = global;
  }
}

void add_lane_losses(std::vector<Loss>& losses, const Summary& summary) {
  const double never = schedulers_without_warp(summary);
  const double instructions = std::max(0.0, share_beside_memory(summary) - never) / (1 - never);
  for (const Part& part : lost_parts(summary.lane_slots)) {
    const double share = summary.lane_slots.share(part);
    losses.push_back({part.key, summary.issue_efficiency * share, instructions * share});
  }
}

/// Of equal time, as waits for global memory have, the one with more slots is first.
bool is_greater(const Loss& a, const Loss& b) {
  return a.time != b.time ? a.time > b.time : a.share > b.share;
}

}  // namespace

std::vector<Loss> losses_of(const Summary& summary) {
  std::vector<Loss> losses;
  add_issue_losses(losses, summary);
  add_lane_losses(losses, summary);
  std::erase_if(losses, [](const Loss& loss) { return loss.time <= 0; });
  std::stable_sort(losses.begin(), losses.end(), is_greater);
  return losses;
}

double schedulers_without_warp(const Summary& summary) {
  if (!summary.launch || summary.active_sms == 0) return 0;
  const LaunchSummary& launch = *summary.launch;
  const std::uint64_t blocks = divide_up(launch.shape.blocks(), summary.active_sms);
  const std::uint64_t at_once = std::min<std::uint64_t>(blocks, launch.occupancy.blocks_per_sm);
  const std::uint64_t warps = at_once * launch.shape.warps_per_block();
  return warps >= summary.sub_partitions ? 0 : 1 - *ratio(warps, summary.sub_partitions);
}

bool is_lane_part(const Summary& summary, std::string_view key) {
  return summary.lane_slots.find(key) != nullptr;
}

bool is_global_wait(std::string_view stall) {
  return std::find(std::begin(kGlobalWaits), std::end(kGlobalWaits), stall) != std::end(kGlobalWaits);
}

}  // namespace heddle::report
