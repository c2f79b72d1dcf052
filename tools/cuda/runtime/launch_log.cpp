#include "tools/cuda/runtime/launch_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/cpp_name.h"
#include "tools/cuda/runtime/launch_report.h"
#include "tools/report/summary.h"
#include "tools/report/verdict.h"

namespace heddle::cudart {

LaunchLog::LaunchLog(const Settings& settings, sim::GpuSpec gpu) : settings_(settings), gpu_(std::move(gpu)) {
  if (!settings_.html.empty()) page.emplace(provenance_of(settings_, gpu_));
  if (settings_.timed.is_sample()) sample_.emplace();
}

bool LaunchLog::begin(const sample::LaunchTraits& launch, bool has_to,
                      const std::function<std::string()>& place) {
  const std::string& kernel = launch.kernel;
  const auto [found, is_new] = by_name_.try_emplace(kernel, kernels_.size());
  if (is_new) {
    const std::string name(qualified_name(demangled(kernel)));
    const bool is_first = std::ranges::find(kernels_, name, &KernelTotals::name) == kernels_.end();
    KernelTotals& made = kernels_.emplace_back();
    made.name = made.label = name;
    made.mangled = kernel;
    const std::string where = is_first ? "" : place();
    if (!is_first) made.label += fmt::format(" ({})", where.substr(where.rfind('/') + 1));
  }
  ++launches_;
  if (sample_) return sample_->begin(launch, has_to);
  return settings_.timed.holds(launches_, kernel, kernels_[found->second].name) || has_to;
}

std::function<Cycle()> LaunchLog::expected_cycles(const session::Device& device) {
  if (!sample_) return nullptr;
  return [this, &device, launch = launches_ - 1] {
    learn(device);
    return sample_->expected(launch);
  };
}

/// Of launches that have ended, up to the first that has not.
void LaunchLog::learn(const session::Device& device) {
  for (; learnt_ < open_.size(); ++learnt_) {
    const Open& open = open_[learnt_];
    const std::optional<session::LaunchWork> work = device.work_of(open.launch);
    if (!work) return;
    if (work->is_timed) {
      sample_->add_timed(open.number - 1, work->cycles, work->warp_instructions);
    } else {
      sample_->add_executed(open.number - 1, work->warp_instructions);
    }
  }
}

void LaunchLog::estimate() {
  if (!sample_) return;
  estimate_ = sample_->estimate();
  for (KernelTotals& kernel : kernels_) {
    kernel.estimate = sample_->estimate(kernel.mangled);
    kernel.estimated_us = kernel.estimate.cycles / gpu_.clock_mhz;
  }
}

void LaunchLog::add(session::LaunchId launch, const std::string& kernel, bool is_timed) {
  const std::size_t index = by_name_.at(kernel);
  ++kernels_[index].calls;
  open_.push_back({launch, launches_, index, is_timed});
}

void LaunchLog::add_copy(CopyDirection direction, std::uint64_t bytes, double time_us) {
  CopyTotals& copies = copies_[static_cast<std::size_t>(direction)];
  ++copies.calls;
  copies.bytes += bytes;
  copies.time_us += time_us;
}

void LaunchLog::collect(session::Device& device) {
  if (sample_) learn(device);
  while (!open_.empty() && device.has_ended(open_.front().launch)) {
    const Open open = open_.front();
    open_.pop_front();
    if (sample_) --learnt_;
    if (open.is_timed && settings_.wants_figures()) take_figures(device, open);
    device.forget(open.launch);
  }
}

void LaunchLog::take_figures(session::Device& device, const Open& open) {
  KernelTotals& totals = kernels_[open.kernel];
  report::RunInfo info;
  info.short_name = totals.name;
  info.registers_estimated = true;
  const report::Summary summary =
      report::summarize(device.result(open.launch), device.gpu(), std::move(info));
  if (settings_.wants_totals()) totals.figures.add(summary, device.result(open.launch).sms);
  ++totals.timed;
  totals.time_us += summary.time_us;
  totals.theoretical_occupancy += summary.theoretical_occupancy * summary.time_us;
  totals.achieved_occupancy += summary.achieved_occupancy * summary.time_us;
  if (summary.time_us > totals.longest_us) {
    totals.longest_us = summary.time_us;
    totals.verdict = report::judge(summary).kind;
  }
  if (page) page->ended(device, open.launch, open.number, open.kernel, summary);
  if (!settings_.report_folder.empty()) write_launch_report(settings_, open.number, summary);
}

}  // namespace heddle::cudart
