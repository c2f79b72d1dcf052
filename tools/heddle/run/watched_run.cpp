#include "tools/heddle/run/watched_run.h"

#include <fmt/format.h>

#include <optional>

#include "tools/heddle/base/command.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/base/progress.h"
#include "tools/heddle/base/text_style.h"
#include "tools/heddle/run/sampling.h"
#include "tools/report/timeline.h"

namespace heddle::command {

namespace {

std::string timeline_text(const report::Timeline& timeline, const RunRequest& request, unsigned warp_size,
                          const InstructionText& instruction) {
  const std::size_t columns = text_style(request.output).columns;
  if (!request.timeline->lanes) return timeline.text(columns);
  return fmt::format("{}\n{}", timeline.text(columns), timeline.issues_text(warp_size, instruction, columns));
}

/// On the GPU that the run has already.
void run_on(WatchedRun& run, const RunRequest& request, const sim::SmSample& sample,
            stream::KernelSource& kernel, const InstructionText& instruction, sim::L2Contents* l2) {
  sim::RunOptions options;
  options.visit_every_cycle = request.every_cycle;
  options.threads = request.threads;
  options.max_cycles = request.max_cycles.value_or(kNever);
  options.l2 = l2;
  std::optional<ProgressLine> line;
  if (!request.quiet && is_terminal(stderr)) {
    line.emplace(kernel.shape().kernel, ProgressLine::steady_clock(), print_progress);
    options.progress = [&line](const sim::Progress& progress) { line->update(progress); };
  }
  std::optional<report::Timeline> timeline;
  std::optional<sim::SampledObserver> observer;
  if (request.timeline) {
    if (request.timeline->sm >= run.spec.sms)
      throw UsageError(fmt::format("--timeline-sm {}: there are {} SMs, numbered from 0",
                                   request.timeline->sm, run.spec.sms));
    timeline.emplace(request.timeline->sm, request.timeline->range, run.spec.sm.sub_partitions);
    observer.emplace(*timeline, sample);
    options.observer = &*observer;
    options.samples = request.timeline->range;
  }
  run.result = sim::run(kernel, run.spec, options);
  if (timeline) {
    timeline->end_at(run.result.cycles);
    run.timeline = timeline_text(*timeline, request, kernel.shape().warp_size, instruction);
  }
}

}  // namespace

WatchedRun run_watched(const RunRequest& request, const sim::GpuSpec& spec, stream::KernelSource& kernel,
                       const InstructionText& instruction, sim::L2Contents* l2) {
  const sim::SmSample sample = sample_of(request, spec);
  WatchedRun run{{}, sim::share_of(spec, sample), {}, {}};
  if (sample.sms == sample.of_sms) {
    run_on(run, request, sample, kernel, instruction, l2);
    return run;
  }
  sim::SampledKernel sampled(kernel, sample);
  run_on(run, request, sample, sampled, instruction, l2);
  run.sample =
      report::SampleSize{sample.sms, sample.of_sms, sampled.shape().blocks(), kernel.shape().blocks()};
  run.result.launch = kernel.shape();
  return run;
}

}  // namespace heddle::command
