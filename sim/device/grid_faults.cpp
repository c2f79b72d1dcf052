#include "sim/device/grid_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "isa/stream/kernel_fault.h"
#include "isa/stream/spin_watchable.h"

namespace heddle::sim {

namespace {

constexpr std::size_t kWarpsToName = 4;

std::string waiting_warps(const SmArray& sms) {
  std::string text;
  for (SmId id = 0; id < sms.size(); ++id) {
    for (const std::string& line : waiting_warps(sms[id].view(), kWarpsToName)) {
      text += fmt::format("\n  SM {}: {}", id, line);
    }
    if (!text.empty()) break;  // one SM tells the story
  }
  return text;
}

/// Whose warp it is.
const RunningGrid& grid_of(const stream::LiveWarp& warp, const RunningGrids& grids, const SmArray& sms) {
  const auto is_of = [&](GridSlot slot) {
    return std::any_of(sms.begin(), sms.end(),
                       [&](const auto& sm) { return sm->view().grids[slot].source.get() == warp.source; });
  };
  return grids[*std::find_if(grids.order().begin(), grids.order().end(), is_of)];
}

}  // namespace

void fail_deadlocked(const RunningGrids& grids, const SmArray& sms, Cycle now) {
  const RunningGrid& grid = grids.first();
  throw stream::KernelFault(stream::FaultKind::Deadlock,
                            fmt::format("kernel {}: deadlock by cycle {}: no warp can go on{}",
                                        grid.grid.shape.kernel, now - grid.begin, waiting_warps(sms)));
}

void fail_over_limit(const RunningGrid& grid, const SmArray& sms) {
  throw stream::KernelFault(
      stream::FaultKind::CycleLimit,
      fmt::format("kernel {}: cycle limit of {} reached with {} of {} blocks done{}", grid.grid.shape.kernel,
                  grid.limit - grid.begin, grid.blocks_done, grid.grid.shape.blocks(), waiting_warps(sms)));
}

void SpinCheck::look(const RunningGrids& grids, const SmArray& sms, bool is_settled, Cycle now) {
  live_.clear();
  const auto is_sm_settled = [](const auto& sm) { return sm->is_settled(); };
  if (is_settled && std::all_of(sms.begin(), sms.end(), is_sm_settled)) {
    for (const auto& sm : sms) find_live(sm->view(), live_);
  }
  const std::vector<stream::LiveWarp> spinning = watch_.spinning(live_);
  if (spinning.empty()) return;
  const stream::LiveWarp& first = spinning.front();
  const RunningGrid& grid = grid_of(first, grids, sms);
  throw stream::KernelFault(
      stream::FaultKind::Deadlock,
      fmt::format("kernel {}: {}\n  by cycle {} with {} of {} blocks done; {}", grid.grid.shape.kernel,
                  first.source->spin_watch()->describe_spin(first.slot), now - grid.begin, grid.blocks_done,
                  grid.grid.shape.blocks(), stream::DeadlockWatch::text(spinning.size())));
}

}  // namespace heddle::sim
