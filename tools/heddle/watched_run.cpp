#include "tools/heddle/watched_run.h"

#include <fmt/format.h>

#include <optional>

#include "tools/heddle/output.h"
#include "tools/heddle/progress.h"
#include "tools/report/timeline.h"

namespace heddle::command {

namespace {

std::string timeline_text(const report::Timeline& timeline, bool lanes, unsigned warp_size,
                          const InstructionText& instruction) {
  if (!lanes) return timeline.text();
  return fmt::format("{}\n{}", timeline.text(), timeline.issues_text(warp_size, instruction));
}

}  // namespace

WatchedRun run_watched(const RunRequest& request, const sim::GpuSpec& spec, stream::KernelSource& kernel,
                       const InstructionText& instruction, sim::L2Contents* l2) {
  sim::RunOptions options;
  options.visit_every_cycle = request.every_cycle;
  options.threads = request.threads;
  options.max_cycles = request.max_cycles.value_or(kNever);
  options.l2 = l2;
  std::optional<ProgressLine> line;
  if (!request.quiet && is_terminal(stderr)) {
    line.emplace(kernel.shape().kernel, ProgressLine::steady_clock(), print_error);
    options.progress = [&line](const sim::Progress& progress) { line->update(progress); };
  }
  std::optional<report::Timeline> timeline;
  if (request.timeline) {
    timeline.emplace(request.timeline->sm, request.timeline->range, spec.sm.sub_partitions);
    options.observer = &*timeline;
    options.samples = request.timeline->range;
  }
  WatchedRun run{sim::run(kernel, spec, options), {}};
  if (timeline) {
    run.timeline = timeline_text(*timeline, request.timeline->lanes, kernel.shape().warp_size, instruction);
  }
  return run;
}

}  // namespace heddle::command
