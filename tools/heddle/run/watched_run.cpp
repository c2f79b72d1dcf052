#include "tools/heddle/run/watched_run.h"

#include <fmt/format.h>

#include <optional>

#include "isa/stream/kernel_fault.h"
#include "sim/device/run.h"
#include "sim/events/fan_out.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/base/progress.h"
#include "tools/heddle/base/text_style.h"
#include "tools/heddle/run/run_report.h"
#include "tools/heddle/run/sampling.h"
#include "tools/history/history_recorder.h"
#include "tools/history/lane_recorder.h"
#include "tools/report/timeline.h"

namespace heddle::command {

namespace {

std::string timeline_text(const report::Timeline& timeline, const RunRequest& request, unsigned warp_size,
                          const InstructionText& instruction) {
  const std::size_t columns = text_style(request.output).columns;
  if (!request.timeline->lanes) return timeline.text(columns);
  return fmt::format("{}\n{}", timeline.text(columns), timeline.issues_text(warp_size, instruction, columns));
}

/// A timeline that observes a run.
class TimelineOfRun {
 public:
  TimelineOfRun(const RunRequest& request, const sim::GpuSpec& spec, const sim::SmSample& sample)
      : request_(request),
        timeline_(request.timeline->sm, request.timeline->range, spec.sm.sub_partitions),
        observer_(timeline_, sample) {
    const SmId sm = request.timeline->sm;
    if (sm >= spec.sms)
      throw UsageError(fmt::format("--timeline-sm {}: there are {} SMs, numbered from 0", sm, spec.sms));
  }

  void listen(sim::FanOut& observers, sim::RunOptions& options) {
    observers.add(observer_);
    options.samples = request_.timeline->range;
  }

  std::string text(std::optional<Cycle> end, unsigned warp_size, const InstructionText& instruction) {
    if (end) {
      timeline_.end_at(*end);
    } else {
      timeline_.end_where_heard();
    }
    return timeline_text(timeline_, request_, warp_size, instruction);
  }

 private:
  const RunRequest& request_;
  report::Timeline timeline_;
  sim::SampledObserver observer_;
};

/// Keeps the history of a run for pictures.
class HistoryOfRun {
 public:
  HistoryOfRun(stream::KernelSource& kernel, const sim::GpuSpec& spec, const sim::SmSample& sample)
      : lanes_(kernel), recorder_(spec.sms), sample_(sample), observer_(recorder_, sample) {}

  void listen(sim::FanOut& observers, sim::RunOptions& options) {
    observers.add(observer_);
    options.by_instruction = true;
  }
  /// To be run in the place of the kernel.
  stream::KernelSource& kernel() { return lanes_; }
  history::RunHistory take(Cycle cycles) {
    history::RunHistory history = recorder_.take(cycles);
    history.accesses = lanes_.take();
    for (history::LaneAccess& access : history.accesses) access.block = sample_.block(access.block);
    return history;
  }

 private:
  history::LaneRecorder lanes_;
  history::HistoryRecorder recorder_;
  sim::SmSample sample_;
  sim::SampledObserver observer_;
};

/// Shows progress on the terminal unless the caller watches the run, and makes checkpoints.
sim::RunResult run_with_line(const RunRequest& request, sim::Device& device, stream::KernelSource& kernel,
                             sim::RunOptions& options) {
  std::optional<ProgressLine> line;
  if (!options.progress && !request.quiet && is_terminal(stderr))
    line.emplace(kernel.shape().kernel, steady_clock(), print_progress, request.max_cycles.has_value());
  if (line || request.checkpoints) {
    options.progress = [&, watch = options.progress](const sim::Progress& progress) {
      if (watch) watch(progress);
      if (line) line->update(progress);
      if (request.checkpoints) request.checkpoints->update(device.team());
    };
  }
  return sim::run(kernel, device, options);
}

void run_on(sim::Device& device, WatchedRun& run, const RunRequest& request, const sim::SmSample& sample,
            stream::KernelSource& kernel, const InstructionText& instruction, sim::RunOptions& options,
            sim::Observer* listener) {
  options.max_cycles = request.max_cycles.value_or(kNever);
  options.by_instruction = request.lines.has_value();
  std::optional<TimelineOfRun> timeline;
  std::optional<HistoryOfRun> history;
  sim::FanOut observers;
  if (request.timeline) timeline.emplace(request, run.spec, sample).listen(observers, options);
  if (request.has_pictures()) history.emplace(kernel, run.spec, sample).listen(observers, options);
  if (listener != nullptr) observers.add(*listener);
  if (!observers.is_empty()) options.observer = &observers;
  const auto text = [&](std::optional<Cycle> end) {
    return timeline ? timeline->text(end, kernel.shape().warp_size, instruction) : std::string();
  };
  try {
    run.result = run_with_line(request, device, history ? history->kernel() : kernel, options);
  } catch (const stream::KernelFault&) {
    if (timeline) deliver(request, text(std::nullopt));
    throw;
  }
  run.timeline = text(run.result.cycles);
  if (history) run.history = history->take(run.result.cycles);
}

}  // namespace

sim::DeviceOptions device_options(const RunRequest& request) {
  return {request.every_cycle, request.threads};
}

WatchedRun run_watched(const RunRequest& request, const sim::GpuSpec& spec, stream::KernelSource& kernel,
                       const InstructionText& instruction, sim::Device& device, const WatchRun* watch,
                       sim::Observer* listener, sim::BlockSampler* sampler) {
  const sim::SmSample sample = sample_of(request, spec);
  WatchedRun run;
  run.spec = device.spec();
  sim::RunOptions options;
  options.sampler = sampler;
  if (watch != nullptr) options.progress = *watch;
  if (sample.sms == sample.of_sms) {
    run_on(device, run, request, sample, kernel, instruction, options, listener);
    return run;
  }
  sim::SampledKernel sampled(kernel, sample);
  run_on(device, run, request, sample, sampled, instruction, options, listener);
  run.sample =
      report::SampleSize{sample.sms, sample.of_sms, sampled.shape().blocks(), kernel.shape().blocks()};
  run.result.launch = kernel.shape();
  return run;
}

}  // namespace heddle::command
