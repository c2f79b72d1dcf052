#include "tools/heddle/run/replay_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "isa/base/new_file.h"
#include "sim/occupancy/occupancy.h"
#include "sim/trace/replay/facts_file.h"
#include "tools/heddle/base/gpu_choice.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/run/kernel_sources.h"
#include "tools/heddle/run/run_failures.h"
#include "tools/heddle/run/run_report.h"
#include "tools/heddle/run/sampling.h"
#include "tools/heddle/run/watched_run.h"
#include "tools/heddle/trace/trace_list.h"
#include "tools/report/json.h"
#include "tools/report/run_document.h"

namespace heddle::command {

namespace {

// -- before the first run -------------------------------------------------------------------------

/// A trace says what happened: nothing of the launch can be changed, and there are no values.
void require_sense(const RunRequest& request) {
  const auto refuse = [](std::string_view option) {
    throw UsageError(
        fmt::format("{} makes no sense with a trace, which says what happened, but no values", option));
  };
  const launch::LaunchOverrides& overrides = request.overrides;
  if (!overrides.params.empty()) refuse("--param");
  if (overrides.grid) refuse("--grid");
  if (overrides.block) refuse("--block");
  if (overrides.registers) refuse("--registers");
  if (overrides.dynamic_shared_bytes) refuse("--shared");
  if (!request.saves.empty()) refuse("--save");
  if (request.record) refuse("--record");
  if (!request.check) refuse("--no-check");
  for (const std::string& path : request.launches) {
    if (!is_trace(path))
      throw UsageError(fmt::format("{} is no trace: launches and traces do not go together", path));
  }
}

trace::ReplayOptions options_for(const sim::GpuSpec& spec, const sim::SmSample& sample) {
  trace::ReplayOptions options = replay_options(spec);
  if (sample.sms < sample.of_sms) options.wanted = [sample](BlockId block) { return sample.has(block); };
  return options;
}

/// What does not fit the GPU has no place yet: it is the trace's.
std::vector<Diagnostic> placed(std::vector<Diagnostic> diagnostics, const std::string& path) {
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.where.file.empty()) diagnostic.where.file = path;
  }
  return diagnostics;
}

// -- a list ---------------------------------------------------------------------------------------

struct ReplayedList {
  std::vector<report::Summary> kernels;
  std::vector<sim::SmCounters> sms;  // of all kernels
  std::string timeline;
};

void add(std::vector<sim::SmCounters>& sums, const std::vector<sim::SmCounters>& sms) {
  if (sums.empty()) return static_cast<void>(sums = sms);
  for (std::size_t i = 0; i < sms.size(); ++i) sums[i] += sms[i];
}

void replay(const RunRequest& request, const sim::GpuSpec& spec, const std::string& path, sim::L2Contents& l2,
            ReplayedList& list) {
  trace::ReplayKernel kernel(trace::open_trace(path), options_for(spec, sample_of(request, spec)));
  const auto instruction = [&kernel](Pc pc) { return kernel.instruction_text(pc); };
  WatchedRun run = run_watched(request, spec, kernel, instruction, &l2);
  report::RunInfo info = trace_info(path, kernel);
  if (const std::uint64_t released = run.result.total.released_waits; released != 0) {
    info.approximations.push_back({"waits that nothing in the trace ends", "NOP", released});
  }
  info.sample = run.sample;
  info.swept = request.swept;
  list.kernels.push_back(report::summarize(run.result, run.spec, std::move(info)));
  add(list.sms, run.result.sms);
  list.timeline += run.timeline;
}

/// The kernels that are asked for, each with what befalls L2 between the one before and it.
std::vector<TracedKernel> chosen_kernels(const RunRequest& request) {
  const KernelChoice choice("kernels", request.kernels);
  std::vector<TracedKernel> kernels;
  TracedKernel left_out;
  std::vector<std::uint64_t> numbers;
  for (const std::string& path : request.launches) {
    for (TracedKernel& kernel : traced_kernels(path)) {
      numbers.push_back(kernel.number);
      if (!kernel.finds_empty_l2) {
        kernel.finds_empty_l2 = left_out.finds_empty_l2;
        kernel.copies.insert(kernel.copies.begin(), left_out.copies.begin(), left_out.copies.end());
      }
      if (choice.has(kernel.number)) {
        kernels.push_back(std::move(kernel));
        left_out = {};
      } else {
        left_out = std::move(kernel);
      }
    }
  }
  choice.require_kernels(numbers);
  if (request.timeline && kernels.size() > 1) {
    throw UsageError("--timeline goes with one kernel: --kernel N chooses one");
  }
  return kernels;
}

/// All files that are read: lists, GPU files, traces and what stands beside them.
std::vector<std::string> inputs_of(std::span<const RunRequest> points,
                                   const std::vector<TracedKernel>& kernels) {
  std::vector<std::string> inputs = points[0].launches;
  for (const RunRequest& point : points) inputs.push_back(point.gpu);
  for (const TracedKernel& kernel : kernels) {
    inputs.push_back(kernel.path);
    const auto facts = trace::facts_path(kernel.path, trace::open_trace(kernel.path)->header());
    if (facts) inputs.push_back(*facts);
  }
  return inputs;
}

/// All heads that cannot be read, and all kernels that do not fit one of the GPUs, before the first one runs.
void require_heads(const std::vector<TracedKernel>& kernels, const std::vector<sim::GpuSpec>& specs) {
  Diagnostics problems;
  for (const TracedKernel& kernel : kernels) {
    try {
      const trace::ReplayKernel replayed(trace::open_trace(kernel.path));
      for (const sim::GpuSpec& spec : specs) sim::theoretical_occupancy(spec.occupancy, replayed.shape());
    } catch (const InputError& error) {
      for (const Diagnostic& diagnostic : placed(error.list(), kernel.path)) problems.add(diagnostic);
    }
  }
  problems.throw_if_any();
}

/// To those behind it, a kernel that fails is one that was left out.
ReplayedList replay_list(const RunRequest& request, const sim::GpuSpec& spec,
                         const std::vector<TracedKernel>& kernels, RunFailures& failures) {
  ReplayedList list;
  sim::L2Contents l2;
  for (const TracedKernel& kernel : kernels) {
    if (kernel.finds_empty_l2) l2 = {};
    l2.copies.insert(l2.copies.end(), kernel.copies.begin(), kernel.copies.end());
    sim::L2Contents before = l2;
    if (failures.attempt(kernel.path, request.swept, [&] { replay(request, spec, kernel.path, l2, list); })) {
      l2.copies.clear();
    } else {
      l2 = std::move(before);
    }
  }
  return list;
}

// -- after the runs -------------------------------------------------------------------------------

report::Summary whole(const RunRequest& request, const ReplayedList& list, const sim::GpuSpec& spec) {
  report::RunInfo info;
  info.launch_path = fmt::format("{}", fmt::join(request.launches, ", "));
  info.short_name = std::filesystem::path(info.launch_path).filename().string();
  info.is_trace = true;
  info.kernels = static_cast<std::uint32_t>(list.kernels.size());
  info.swept = request.swept;
  return report::summarize_all(list.kernels, list.sms, sim::share_of(spec, sample_of(request, spec)),
                               std::move(info));
}

std::string text_of(const RunRequest& request, const ReplayedList& list, const sim::GpuSpec& spec,
                    const RunFailures& failures) {
  const report::TextStyle style = text_style(request);
  std::string text;
  for (const report::Summary& kernel : list.kernels) {
    if (!text.empty()) text += '\n';
    text += report::render_text(report::run_document(kernel), style);
  }
  if (list.kernels.size() > 1) {
    text += '\n';
    text += report::render_text(report::list_document(list.kernels, whole(request, list, spec)), style);
  }
  text += failures_text(failures.list(), style);
  if (!list.timeline.empty()) text += fmt::format("\n{}", list.timeline);
  return text;
}

/// Of one point: its kernels, then all of them together if there are several.
std::vector<report::Summary> rows_of(const RunRequest& request, const ReplayedList& list,
                                     const sim::GpuSpec& spec) {
  std::vector<report::Summary> rows = list.kernels;
  if (rows.size() > 1) rows.push_back(whole(request, list, spec));
  return rows;
}

std::string report_of(const RunRequest& request, const ReplayedList& list, const sim::GpuSpec& spec,
                      const RunFailures& failures) {
  if (request.format == "text") return text_of(request, list, spec, failures);
  if (request.format == "json" && list.kernels.size() + failures.list().size() > 1)
    return report::to_json(list.kernels, whole(request, list, spec), failures.list());
  return report_of_runs(request, {rows_of(request, list, spec), {}, failures.list()});
}

/// All GPUs before the first run.
std::vector<sim::GpuSpec> choose_gpus(std::span<const RunRequest> points) {
  std::vector<sim::GpuSpec> specs;
  for (const RunRequest& point : points) {
    require_sense(point);
    specs.push_back(choose_gpu(point.gpu, point.settings));
    require_trace_lanes(specs.back());
    sample_of(point, specs.back());
  }
  return specs;
}

/// Nothing where no kernel came to its end.
std::optional<std::string> report_of_sweep(std::span<const RunRequest> points,
                                           const std::vector<sim::GpuSpec>& specs,
                                           const std::vector<TracedKernel>& kernels, RunFailures& failures) {
  RunReport report;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ReplayedList list = replay_list(points[i], specs[i], kernels, failures);
    const std::vector<report::Summary> rows = rows_of(points[i], list, specs[i]);
    report.runs.insert(report.runs.end(), rows.begin(), rows.end());
  }
  if (report.runs.empty()) return std::nullopt;
  report.failures = failures.list();
  return report_of_runs(points[0], report);
}

std::optional<std::string> report_of_list(const RunRequest& request, const sim::GpuSpec& spec,
                                          const std::vector<TracedKernel>& kernels, RunFailures& failures) {
  const ReplayedList list = replay_list(request, spec, kernels, failures);
  if (list.kernels.empty()) return std::nullopt;
  return report_of(request, list, spec, failures);
}

}  // namespace

int replay_all(std::span<const RunRequest> points) {
  const RunRequest& first = points[0];
  const std::vector<sim::GpuSpec> specs = choose_gpus(points);
  if (first.output) require_writable(*first.output);
  const std::vector<TracedKernel> kernels = chosen_kernels(first);
  require_heads(kernels, specs);
  if (first.output) require_own_places({*first.output}, inputs_of(points, kernels));
  RunFailures failures(points.size() * kernels.size() > 1);
  const std::optional<std::string> report = first.swept.empty()
                                                ? report_of_list(first, specs[0], kernels, failures)
                                                : report_of_sweep(points, specs, kernels, failures);
  if (report) deliver(first, *report);
  return failures.exit_code();
}

}  // namespace heddle::command
