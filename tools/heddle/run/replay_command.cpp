#include "tools/heddle/run/replay_command.h"

#include <utility>

#include "tools/heddle/run/replay_inputs.h"
#include "tools/heddle/run/replay_list.h"
#include "tools/heddle/run/replay_report.h"
#include "tools/heddle/run/replay_sample.h"
#include "tools/heddle/run/run_failures.h"
#include "tools/heddle/run/run_outputs.h"
#include "tools/heddle/run/run_provenance.h"
#include "tools/heddle/run/run_report.h"
#include "tools/heddle/run/run_series.h"
#include "tools/heddle/run/sampling.h"
#include "tools/heddle/run/side_by_side.h"

namespace heddle::command {

namespace {

void add(std::vector<sim::SmCounters>& sums, const std::vector<sim::SmCounters>& sms) {
  if (sums.empty()) return static_cast<void>(sums = sms);
  for (std::size_t i = 0; i < sms.size(); ++i) sums[i] += sms[i];
}

void add(ReplayedList& list, const CountedRun& run, const sim::GpuSpec& gpu) {
  const report::Summary& kernel = list.kernels.emplace_back(report::summarize(run.result, gpu, run.info));
  for (std::uint64_t times = kernel.weight(); times != 0; --times) add(list.sms, run.result.sms);
}

RunOutcomes outcomes_of(const RunRequest& request, const sim::GpuSpec& spec,
                        const std::vector<TracedKernel>& kernels, const WatchRun& watch) {
  if (request.samples_kernels) return replay_sample(request, spec, kernels, &watch);
  RunOutcomes outcomes;
  std::string none;
  replay_list(request, spec, kernels, &watch, none, [&](const TracedKernel& kernel, const auto& run) {
    return outcomes.emplace_back(outcome_of(request, kernel.path, run));
  });
  return outcomes;
}

std::vector<report::Summary> rows_of(const RunRequest& request, const sim::GpuSpec& spec,
                                     const RunOutcomes& outcomes) {
  ReplayedList list;
  for (const RunOutcome& outcome : outcomes) {
    if (const auto* run = std::get_if<CountedRun>(&outcome.run))
      add(list, *run, simulated_gpu(request, spec));
  }
  return rows_of(request, list, spec);
}

/// Each point of a sweep replays the whole list.
int replay_points(std::vector<RunRequest> points, const std::vector<sim::GpuSpec>& specs,
                  const std::vector<TracedKernel>& kernels) {
  RunSeries series;
  series.runs = points.size();
  share_threads(points, series.runs, 0);
  series.name = [&](std::size_t) { return points[0].launches[0]; };
  series.gpu = [&](std::size_t run) { return simulated_gpu(points[run], specs[run]); };
  series.make = [&](std::size_t run, const WatchRun& watch) {
    return outcomes_of(points[run], specs[run], kernels, watch);
  };
  series.rows = [&](std::size_t run, const RunOutcomes& outcomes) {
    return rows_of(points[run], specs[run], outcomes);
  };
  series.head = [&] { return journal_head(points, files_read(points, kernels), series.runs); };
  series.report = [&](const RunReport& report) { return report_of_runs(points[0], report); };
  return run_series(points[0], series);
}

void add(ReplayedList& list, RunFailures& failures, const RunOutcome& outcome, const sim::GpuSpec& gpu) {
  if (const auto* failed = std::get_if<FailedRun>(&outcome.run)) {
    failures.add(*failed);
  } else {
    add(list, std::get<CountedRun>(outcome.run), gpu);
  }
}

/// The kernels of a list are one run, because each finds in L2 what the ones before left there.
int replay_once(const RunRequest& request, const sim::GpuSpec& spec,
                const std::vector<TracedKernel>& kernels) {
  ReplayedList list;
  RunFailures failures;
  const sim::GpuSpec gpu = simulated_gpu(request, spec);
  const auto outcome_by = kernels.size() > 1 ? outcome_of : outcome_or_throw;
  if (request.samples_kernels) {
    for (const RunOutcome& outcome : replay_sample(request, spec, kernels, nullptr))
      add(list, failures, outcome, gpu);
  } else {
    replay_list(request, spec, kernels, nullptr, list.timeline,
                [&](const TracedKernel& kernel, const auto& run) {
                  RunOutcome outcome = outcome_by(request, kernel.path, run);
                  add(list, failures, outcome, gpu);
                  return outcome;
                });
  }
  if (!list.kernels.empty()) deliver(request, report_of(request, list, spec, failures.list()));
  if (failures.exit_code() != kDone || list.kernels.empty()) return failures.exit_code();
  return decide_conditions(request, {&rows_of(request, list, spec).back(), 1});
}

}  // namespace

int replay_all(std::vector<RunRequest> points) {
  const RunRequest& first = points[0];
  if (first.has_pictures()) throw UsageError("--html and --perfetto go with a launch, not with a trace");
  const std::vector<sim::GpuSpec> specs = choose_gpus(points);
  require_writable_outputs(first);
  const std::vector<TracedKernel> kernels = chosen_kernels(first);
  require_heads(kernels, specs);
  if (!outputs_of(first).empty()) require_own_outputs(first, files_read(points, kernels));
  if (points.size() > 1 && !first.fail_if.empty())
    throw UsageError("--fail-if goes with one replay of a list, not with a sweep of them");
  if (points.size() == 1) return replay_once(first, specs[0], kernels);
  return replay_points(std::move(points), specs, kernels);
}

}  // namespace heddle::command
