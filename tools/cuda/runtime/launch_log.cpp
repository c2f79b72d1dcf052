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
}

bool LaunchLog::begin(const std::string& kernel, const std::function<std::string()>& place) {
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
  return settings_.timed.holds(++launches_, kernel, kernels_[found->second].name);
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
  while (!open_.empty() && device.has_ended(open_.front().launch)) {
    const Open open = open_.front();
    open_.pop_front();
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
