#include "tools/heddle/run/replay_command.h"

#include <optional>
#include <utility>

#include "isa/base/new_file.h"
#include "sim/config/load.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/run/kernel_sources.h"
#include "tools/heddle/run/replay_inputs.h"
#include "tools/heddle/run/replay_report.h"
#include "tools/heddle/run/run_failures.h"
#include "tools/heddle/run/run_provenance.h"
#include "tools/heddle/run/run_report.h"
#include "tools/heddle/run/run_series.h"
#include "tools/heddle/run/sampling.h"
#include "tools/heddle/run/side_by_side.h"
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

/// The GPU, or the sample of its SMs, on which the kernels run.
sim::GpuSpec simulated_gpu(const RunRequest& request, const sim::GpuSpec& spec) {
  return sim::share_of(spec, sample_of(request, spec));
}

RunOutcome replay(const RunRequest& request, const sim::GpuSpec& spec, const std::string& path,
                  sim::Device& device, const WatchRun* watch, std::string& timeline) {
  trace::ReplayKernel kernel(trace::open_trace(path), options_for(spec, sample_of(request, spec)));
  const auto instruction = [&kernel](Pc pc) { return kernel.instruction_text(pc); };
  WatchedRun run = run_watched(request, spec, kernel, instruction, device, watch);
  report::RunInfo info = trace_info(path, kernel);
  // The other released waits are already among the approximations, as what they were replaced by.
  if (const std::uint64_t released = run.result.total.released_known_waits; released != 0) {
    info.approximations.push_back({"waits that nothing in the trace ends", "NOP", released});
  }
  info.sample = run.sample;
  info.swept = request.swept;
  info.provenance = trace_provenance(request, spec, path);
  timeline += run.timeline;
  return {CountedRun{std::move(run.result), std::move(info)}, {}};
}

/// Replays the kernels of a list in order. For the kernels after it, a failed kernel did not run.
template <typename Take>
void replay_list(const RunRequest& request, const sim::GpuSpec& spec,
                 const std::vector<TracedKernel>& kernels, const WatchRun* watch, std::string& timeline,
                 const Take& take) {
  const sim::GpuSpec gpu = simulated_gpu(request, spec);
  std::optional<sim::Device> device;
  for (const TracedKernel& kernel : kernels) {
    if (!device || kernel.finds_empty_l2) device.emplace(gpu, device_options(request));
    for (const HostCopy& copy : kernel.copies) device->copy_from_host(copy.begin, copy.bytes);
    std::vector<sim::TagArray> before = device->l2_tags();
    const RunOutcome outcome =
        take(kernel, [&] { return replay(request, spec, kernel.path, *device, watch, timeline); });
    if (std::holds_alternative<CountedRun>(outcome.run)) continue;
    device.emplace(gpu, device_options(request));
    device->set_l2_tags(std::move(before));
  }
}

void add(ReplayedList& list, const CountedRun& run, const sim::GpuSpec& gpu) {
  list.kernels.push_back(report::summarize(run.result, gpu, run.info));
  add(list.sms, run.result.sms);
}

/// Loads all GPUs before the first run.
std::vector<sim::GpuSpec> choose_gpus(std::span<const RunRequest> points) {
  std::vector<sim::GpuSpec> specs;
  for (const RunRequest& point : points) {
    require_trace_request(point);
    say_as_written(point.wordings, [&] {
      specs.push_back(sim::load_gpu(point.gpu, point.settings));
      require_trace_lanes(specs.back());
      sample_of(point, specs.back());
    });
  }
  return specs;
}

RunOutcomes outcomes_of(const RunRequest& request, const sim::GpuSpec& spec,
                        const std::vector<TracedKernel>& kernels, const WatchRun& watch) {
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

/// The kernels of a list are one run, because each finds in L2 what the ones before left there.
int replay_once(const RunRequest& request, const sim::GpuSpec& spec,
                const std::vector<TracedKernel>& kernels) {
  ReplayedList list;
  RunFailures failures;
  const bool goes_on = kernels.size() > 1;
  replay_list(
      request, spec, kernels, nullptr, list.timeline, [&](const TracedKernel& kernel, const auto& run) {
        RunOutcome outcome =
            goes_on ? outcome_of(request, kernel.path, run) : outcome_or_throw(request, kernel.path, run);
        if (auto* failed = std::get_if<FailedRun>(&outcome.run)) {
          failures.add(*failed);
        } else {
          add(list, std::get<CountedRun>(outcome.run), simulated_gpu(request, spec));
        }
        return outcome;
      });
  if (!list.kernels.empty()) deliver(request, report_of(request, list, spec, failures.list()));
  return failures.exit_code();
}

}  // namespace

int replay_all(std::vector<RunRequest> points) {
  const RunRequest& first = points[0];
  const std::vector<sim::GpuSpec> specs = choose_gpus(points);
  if (first.output) require_writable(*first.output);
  const std::vector<TracedKernel> kernels = chosen_kernels(first);
  require_heads(kernels, specs);
  std::vector<std::string> outputs;
  if (first.output) outputs.push_back(*first.output);
  if (first.journal) outputs.push_back(*first.journal);
  if (!outputs.empty()) require_own_places(outputs, files_read(points, kernels));
  if (points.size() == 1) return replay_once(first, specs[0], kernels);
  return replay_points(std::move(points), specs, kernels);
}

}  // namespace heddle::command
