// Grids on a device that cannot go on.
#include <fmt/format.h>

#include <algorithm>

#include "isa/stream/kernel_fault.h"
#include "isa/stream/spin_watchable.h"
#include "sim/device/device.h"

namespace heddle::sim {

namespace {

constexpr std::size_t kWarpsToName = 4;

}  // namespace

std::string Device::waiting_warps() const {
  std::string text;
  for (SmId id = 0; id < sms_.size(); ++id) {
    for (const std::string& line : sms_[id]->waiting_warps(kWarpsToName)) {
      text += fmt::format("\n  SM {}: {}", id, line);
    }
    if (!text.empty()) break;  // one SM tells the story
  }
  return text;
}

void Device::fail_deadlocked() const {
  const RunningGrid& grid = first_running();
  throw stream::KernelFault(stream::FaultKind::Deadlock,
                            fmt::format("kernel {}: deadlock by cycle {}: no warp can go on{}",
                                        grid.grid.shape.kernel, now_ - grid.begin, waiting_warps()));
}

/// Whether warps that spin are all that happens, and all that will.
void Device::look_for_deadlock() {
  live_.clear();
  const auto is_quiet = [this](const std::unique_ptr<Sm>& sm) { return sm->find_live(live_); };
  if (scheduler_.next() != kNever || !std::all_of(sms_.begin(), sms_.end(), is_quiet)) live_.clear();
  const std::vector<stream::LiveWarp> spinning = deadlock_watch_.spinning(live_);
  if (spinning.empty()) return;
  const stream::LiveWarp& first = spinning.front();
  const auto is_of = [&](GridSlot slot) {
    return std::any_of(sms_.begin(), sms_.end(),
                       [&](const auto& sm) { return sm->source(slot) == first.source; });
  };
  const RunningGrid& grid = *running_[*std::find_if(order_.begin(), order_.end(), is_of)];
  throw stream::KernelFault(
      stream::FaultKind::Deadlock,
      fmt::format("kernel {}: {}\n  by cycle {} with {} of {} blocks done; {}", grid.grid.shape.kernel,
                  first.source->spin_watch()->describe_spin(first.slot), now_ - grid.begin, grid.blocks_done,
                  grid.grid.shape.blocks(), stream::DeadlockWatch::text(spinning.size())));
}

void Device::check_limits(Cycle begin) const {
  for (const GridSlot slot : order_) {
    const RunningGrid& grid = *running_[slot];
    if (grid.has_blocks() && begin >= grid.limit) fail_over_limit(grid);
  }
}

void Device::fail_over_limit(const RunningGrid& grid) const {
  throw stream::KernelFault(
      stream::FaultKind::CycleLimit,
      fmt::format("kernel {}: cycle limit of {} reached with {} of {} blocks done{}", grid.grid.shape.kernel,
                  grid.limit - grid.begin, grid.blocks_done, grid.grid.shape.blocks(), waiting_warps()));
}

}  // namespace heddle::sim
