#include "tools/heddle/validate/validate_measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tools/heddle/base/data_files.h"
#include "tools/heddle/validate/validate_cases.h"
#include "tools/heddle/validate/validate_figures.h"
#include "tools/heddle/validate/validate_twins.h"

namespace heddle::command {

namespace {

using validate::Comparison;
using validate::GroupResult;
using validate::MeasuredKernel;
using validate::MeasuredKernels;
using validate::Results;

std::string launches_folder(const ValidateRequest& request) {
  return request.launch_dir.value_or(data_folder("traces").string());
}

void add_metric(Results& results, const validate::Metric& metric, Comparison one, const std::string& source) {
  auto group = std::find_if(results.groups.begin(), results.groups.end(),
                            [&](const GroupResult& known) { return known.name == metric.key; });
  if (group == results.groups.end()) {
    group = results.groups.insert(group, GroupResult{metric.key, metric.summary, source, {}});
  }
  group->cases.push_back(std::move(one));
}

/// Removes the metrics that --filter does not select.
void keep_wanted(const ValidateRequest& request, const std::string& gpu, MeasuredKernels& measured) {
  for (MeasuredKernel& kernel : measured.kernels) {
    std::erase_if(kernel.metrics, [&](const auto& metric) {
      return !is_wanted(request, metric.first->key, kernel.name, gpu);
    });
  }
}

}  // namespace

Results compare_measured(const ValidateRequest& request) {
  MeasuredKernels measured = validate::load_measured(*request.measured);
  const std::string gpu = gpu_for(request, measured);
  keep_wanted(request, gpu, measured);
  const std::string source = source_text(measured, gpu);
  Results results{{}, measured.not_compared, true};
  Twins twins(request, gpu, results);
  const std::filesystem::path folder = launches_folder(request);
  for (const MeasuredKernel& kernel : measured.kernels) {
    if (kernel.metrics.empty()) continue;
    const std::string path = (folder / (kernel.launch + ".yaml")).string();
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
      twins.leave_out(kernel, fmt::format("there is no launch file {}", path));
    } else if (const auto why = twins.add(kernel, path)) {
      twins.leave_out(kernel, *why);
    }
  }
  twins.run();
  for (const validate::Metric& metric : validate::metrics()) {
    for (const Twin& twin : twins.list()) {
      for (const auto& [known, value] : twin.kernel->metrics) {
        if (known != &metric) continue;
        Comparison one = twins.compare(twin, metric, value);
        one.name = twin.kernel->name;
        add_metric(results, metric, std::move(one), source);
      }
    }
  }
  compare_figures(request, measured, gpu, source, results);
  require_any(request, measured, results);
  return results;
}

}  // namespace heddle::command
