#include "tools/heddle/run/replay_command.h"

#include <optional>
#include <utility>

#include "isa/base/new_file.h"
#include "tools/heddle/base/gpu_choice.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/run/kernel_sources.h"
#include "tools/heddle/run/replay_inputs.h"
#include "tools/heddle/run/replay_report.h"
#include "tools/heddle/run/run_failures.h"
#include "tools/heddle/run/run_provenance.h"
#include "tools/heddle/run/run_report.h"
#include "tools/heddle/run/sampling.h"
#include "tools/heddle/run/watched_run.h"

namespace heddle::command {

namespace {

trace::ReplayOptions options_for(const sim::GpuSpec& spec, const sim::SmSample& sample) {
  trace::ReplayOptions options = replay_options(spec);
  if (sample.sms < sample.of_sms) options.wanted = [sample](BlockId block) { return sample.has(block); };
  return options;
}

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
  // The others are among the approximations already, as what they stand in for.
  if (const std::uint64_t released = run.result.total.released_known_waits; released != 0) {
    info.approximations.push_back({"waits that nothing in the trace ends", "NOP", released});
  }
  info.sample = run.sample;
  info.swept = request.swept;
  info.provenance = trace_provenance(request, spec, path);
  list.kernels.push_back(report::summarize(run.result, run.spec, std::move(info)));
  add(list.sms, run.result.sms);
  list.timeline += run.timeline;
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
    if (failures.attempt(request, kernel.path, [&] { replay(request, spec, kernel.path, l2, list); })) {
      l2.copies.clear();
    } else {
      l2 = std::move(before);
    }
  }
  return list;
}

/// All GPUs before the first run.
std::vector<sim::GpuSpec> choose_gpus(std::span<const RunRequest> points) {
  std::vector<sim::GpuSpec> specs;
  for (const RunRequest& point : points) {
    require_trace_request(point);
    say_as_written(point.wordings, [&] {
      specs.push_back(choose_gpu(point.gpu, point.settings));
      require_trace_lanes(specs.back());
      sample_of(point, specs.back());
    });
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
  return report_of(request, list, spec, failures.list());
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
