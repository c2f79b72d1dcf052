#include "tools/show/hiding.h"

#include <algorithm>
#include <cmath>

namespace heddle::show {

namespace {

/// A run without end must not fill the memory.
constexpr std::size_t kMostUses = std::size_t{1} << 22;

}  // namespace

void PeriodObserver::warp_issued(const sim::WarpIssued& issued) {
  if (issued.sm != 0 || issued.slot % spec_.sm.sub_partitions != 0 || uses_.size() >= kMostUses) return;
  const stream::StaticOp& op = ops_[issued.pc];
  const sim::ClassSpec& timing = spec_.sm.timing(op.timing_class);
  const bool is_load = op.kind == stream::OpKind::Load && op.space == stream::MemorySpace::Global;
  if (is_load && issued.block == 0 && issued.warp_in_block == 0) loads_.push_back(issued.cycle);
  if (!ir::info(op.timing_class).uses_mio() && !timing.pipes.empty())
    uses_.push_back({issued.cycle, timing.pipes[0], timing.interval});
}

std::optional<Periods> PeriodObserver::periods() const {
  constexpr std::size_t kFewest = 4;
  if (loads_.size() < kFewest) return std::nullopt;
  const std::size_t first = loads_.size() / 4;
  const std::size_t last = 3 * loads_.size() / 4;
  Periods periods{loads_[last] - loads_[first], last - first, std::vector<Cycle>(spec_.sm.pipes.size())};
  for (const Use& use : uses_) {
    if (use.cycle >= loads_[first] && use.cycle < loads_[last]) periods.busy[use.pipe] += use.interval;
  }
  return periods;
}

double Hiding::hidden(std::uint64_t warps) const {
  return std::min(wait, static_cast<double>(warps) * busy / static_cast<double>(schedulers));
}

double Hiding::formula(std::uint64_t warps) const {
  return std::min(1.0, static_cast<double>(warps) * busy / (static_cast<double>(schedulers) * (wait + busy)));
}

std::uint64_t Hiding::enough() const {
  return static_cast<std::uint64_t>(std::ceil(static_cast<double>(schedulers) * wait / std::max(busy, 1e-3)));
}

Hiding hiding_of(const Periods& one_warp, const sim::GpuSpec& spec) {
  Hiding hiding;
  hiding.gpu = spec.name;
  hiding.schedulers = spec.sm.sub_partitions;
  hiding.most_warps = spec.occupancy.max_warps;
  const auto greatest = std::max_element(one_warp.busy.begin(), one_warp.busy.end());
  hiding.pipe = static_cast<std::size_t>(greatest - one_warp.busy.begin());
  hiding.unit = spec.sm.pipes.at(hiding.pipe).name;
  const auto loads = static_cast<double>(one_warp.loads);
  hiding.busy = static_cast<double>(*greatest) / loads;
  hiding.wait = static_cast<double>(one_warp.cycles) / loads - hiding.busy;
  return hiding;
}

double simulated_share(const Hiding& hiding, const Periods& periods) {
  return static_cast<double>(periods.busy.at(hiding.pipe)) /
         static_cast<double>(std::max<Cycle>(1, periods.cycles));
}

}  // namespace heddle::show
