#include "tools/heddle/validate/validate_ncu.h"

#include <fmt/format.h>

#include "isa/base/cpp_name.h"
#include "sim/trace/read/trace_reader.h"
#include "tools/heddle/trace/trace_list.h"
#include "tools/heddle/validate/validate_twins.h"

namespace heddle::command {

namespace {

using validate::GroupResult;
using validate::MeasuredKernel;
using validate::MeasuredKernels;
using validate::Results;

constexpr std::string_view kNoMetric = "it has no metric that the model has, too";

/// "KERNEL=FILE.yaml". A file alone is for the kernel that it launches.
struct NamedLaunch {
  std::string said;  ///< As given on the command line.
  std::string kernel;
  std::string path;
  bool is_of_report = false;  ///< The report has such a kernel.
};

/// Throws InputError for the first file that is not a launch file.
std::vector<NamedLaunch> named_launches(const ValidateRequest& request) {
  std::vector<NamedLaunch> list;
  for (const std::string& text : request.launches) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size()) {
      throw UsageError(fmt::format("--launch {}: must be KERNEL=FILE.yaml", text));
    }
    list.push_back({fmt::format("--launch {}", text), text.substr(0, equals), text.substr(equals + 1)});
    launch::load_launch(list.back().path, {}, launch::Contents::Checked);
  }
  for (const std::string& path : request.suites) {
    if (!is_trace(path))
      list.push_back(
          {path, launch::load_launch(path, {}, launch::Contents::Checked).launch.kernel.name, path});
  }
  return list;
}

/// The name of a kernel without namespaces, arguments and parameters, from a mangled name or from one that
/// ncu prints.
std::string plain_name(const std::string& kernel) { return unqualified_name(demangled(kernel)); }

struct TracedLaunch {
  std::string path;
  std::string kernel;  ///< Its plain name.
  Dim3 grid;
  Dim3 block;
  bool is_taken = false;
};

/// In launch order. Throws InputError for all heads that cannot be read.
std::vector<TracedLaunch> traced_launches(const ValidateRequest& request) {
  std::vector<TracedLaunch> list;
  Diagnostics problems;
  for (const std::string& path : request.suites) {
    if (!is_trace(path)) continue;
    for (const TracedKernel& kernel : traced_kernels(path)) {
      try {
        const trace::TraceHeader header = trace::open_trace(kernel.path)->header();
        list.push_back({kernel.path, plain_name(header.kernel), header.grid, header.block});
      } catch (const InputError& error) {
        problems.add(error);
      }
    }
  }
  problems.throw_if_any();
  return list;
}

/// Adds the next trace with the name and shape of this kernel. If there is none, the kernel is left out, with
/// the reason.
void add_traced(Twins& twins, const MeasuredKernel& kernel, std::vector<TracedLaunch>& traces) {
  const std::string name = plain_name(kernel.name);
  std::string reason = "no launch file or trace is given for it";
  bool is_known = false;
  for (TracedLaunch& launch : traces) {
    if (launch.kernel != name) continue;
    if (!is_known) reason = "the report has more launches of it than there are traces";
    is_known = true;
    if (launch.is_taken) continue;
    if (const auto difference = shape_difference(kernel, launch.grid, launch.block, launch.path)) {
      reason = *difference;
      continue;
    }
    launch.is_taken = true;
    if (kernel.metrics.empty()) return twins.leave_out(kernel, std::string(kNoMetric));
    return twins.add_trace(kernel, launch.path);
  }
  twins.leave_out(kernel, reason);
}

void add_twin(Twins& twins, const MeasuredKernel& kernel, std::vector<NamedLaunch>& launches,
              std::vector<TracedLaunch>& traces) {
  const std::string name = plain_name(kernel.name);
  std::optional<std::string> why;
  for (NamedLaunch& launch : launches) {
    if (launch.kernel != name && launch.kernel != kernel.name) continue;
    launch.is_of_report = true;
    if (kernel.metrics.empty()) return twins.leave_out(kernel, std::string(kNoMetric));
    why = twins.add(kernel, launch.path);
    if (!why) return;
  }
  if (why) return twins.leave_out(kernel, *why);
  add_traced(twins, kernel, traces);
}

/// Reports launches and traces of kernels that the report does not have.
void tell_unused(const std::vector<NamedLaunch>& launches, const std::vector<TracedLaunch>& traces,
                 Results& results) {
  for (const NamedLaunch& launch : launches) {
    if (!launch.is_of_report)
      results.not_compared.push_back(
          fmt::format("{}: the report has no launch of {}", launch.said, launch.kernel));
  }
  for (const TracedLaunch& launch : traces) {
    if (!launch.is_taken)
      results.not_compared.push_back(
          fmt::format("{}: the report has no launch of {} that is this one", launch.path, launch.kernel));
  }
}

}  // namespace

Results compare_ncu_report(const ValidateRequest& request) {
  const MeasuredKernels measured = validate::load_ncu_report(*request.ncu);
  std::vector<NamedLaunch> launches = named_launches(request);
  std::vector<TracedLaunch> traces = traced_launches(request);
  if (launches.empty() && traces.empty()) {
    throw UsageError("--ncu needs the launch files or traces of its kernels");
  }
  const std::string gpu = gpu_for(request, measured);
  Results results{{}, measured.not_compared, true};
  Twins twins(request, gpu, results);
  for (const MeasuredKernel& kernel : measured.kernels) add_twin(twins, kernel, launches, traces);
  tell_unused(launches, traces, results);
  twins.run();
  for (const Twin& twin : twins.list()) {
    const std::string name = launch_name(plain_name(twin.kernel->name), *twin.kernel);
    GroupResult group{name, twin.kernel->name, source_text(measured, gpu), {}};
    group.is_population = false;
    for (const auto& [metric, value] : twin.kernel->metrics) {
      group.cases.push_back(twins.compare(twin, *metric, value));
      group.cases.back().name = metric->summary;
    }
    results.groups.push_back(std::move(group));
  }
  require_any(request, measured, results);
  return results;
}

}  // namespace heddle::command
