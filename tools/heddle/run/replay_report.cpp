#include "tools/heddle/run/replay_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <utility>

#include "tools/heddle/run/replay_sample.h"
#include "tools/heddle/run/run_provenance.h"
#include "tools/heddle/run/run_report.h"
#include "tools/heddle/run/sampling.h"
#include "tools/report/json.h"
#include "tools/report/overview_document.h"
#include "tools/report/run_page.h"

namespace heddle::command {

namespace {

report::Summary whole(const RunRequest& request, const ReplayedList& list, const sim::GpuSpec& spec) {
  report::RunInfo info;
  info.launch_path = fmt::format("{}", fmt::join(request.launches, ", "));
  info.short_name = std::filesystem::path(info.launch_path).filename().string();
  info.is_trace = true;
  info.swept = request.swept;
  info.provenance = list_provenance(list.kernels);
  info.list_sample = list_sample_of(list.kernels);
  return report::summarize_all(list.kernels, list.sms, simulated_gpu(request, spec), std::move(info));
}

std::string text_of(const RunRequest& request, const ReplayedList& list, const sim::GpuSpec& spec,
                    const std::vector<report::Failure>& failures) {
  const report::TextStyle style = text_style(request);
  std::string text;
  const bool is_list = list.kernels.size() > 1;
  for (const report::Summary& kernel : list.kernels) {
    if (is_list && !request.full) continue;
    text += text_of_run(request, kernel);
    if (is_list) text += '\n';
  }
  if (is_list) {
    const report::Summary all = whole(request, list, spec);
    text += request.full ? report::render_text(report::list_document(list.kernels, all), style)
                         : report::list_page(list.kernels, all, style);
  }
  text += failures_text(failures, style);
  if (!list.timeline.empty()) text += fmt::format("\n{}", list.timeline);
  return text;
}

}  // namespace

std::vector<report::Summary> rows_of(const RunRequest& request, const ReplayedList& list,
                                     const sim::GpuSpec& spec) {
  std::vector<report::Summary> rows = list.kernels;
  if (rows.size() > 1) rows.push_back(whole(request, list, spec));
  return rows;
}

std::string report_of(const RunRequest& request, const ReplayedList& list, const sim::GpuSpec& spec,
                      const std::vector<report::Failure>& failures) {
  if (request.format == "text") return text_of(request, list, spec, failures);
  if (request.format == "json" && list.kernels.size() + failures.size() > 1)
    return report::to_json(list.kernels, whole(request, list, spec), failures);
  return report_of_runs(request, {rows_of(request, list, spec), {}, {}, {}, failures});
}

}  // namespace heddle::command
