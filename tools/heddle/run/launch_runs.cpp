#include "tools/heddle/run/launch_runs.h"

#include <algorithm>
#include <filesystem>

#include "isa/text/disassemble.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/run/kernel_sources.h"
#include "tools/heddle/run/preparation.h"
#include "tools/heddle/run/run_failures.h"
#include "tools/heddle/run/run_provenance.h"
#include "tools/heddle/run/run_report.h"
#include "tools/heddle/run/sampling.h"
#include "tools/heddle/run/watched_run.h"

namespace heddle::command {

namespace {

// -- a run ----------------------------------------------------------------------------------------

/// The launch, with whom it is recorded by between it and the timing model.
struct Source {
  Source(exec::LiveKernel& live, const sim::GpuSpec& spec, const Recording* recording) : kernel(&live) {
    if (recording == nullptr) return;
    spool.emplace(recording->room());
    recorder.emplace(live, live.launch().kernel, *spool);
    recorder->set_compute_capability(spec.compute_capability);
    kernel = &*recorder;
  }

  std::optional<trace::Spool> spool;
  std::optional<trace::RecordingKernel> recorder;
  stream::KernelSource* kernel;
};

WatchedRun simulate(const RunRequest& request, const sim::GpuSpec& spec, launch::LaunchFile& file,
                    Recording* recording) {
  exec::LiveKernel kernel = live_kernel(spec, file);
  Source source(kernel, spec, recording);
  const auto instruction = [&kernel](Pc pc) { return text::disassemble(kernel.launch().kernel, pc); };
  sim::L2Contents l2 = host_copies(file);
  WatchedRun run = run_watched(request, spec, *source.kernel, instruction, &l2);
  if (recording != nullptr) recording->add(*source.recorder);
  return run;
}

/// Tells of the checks that fail on standard error.
std::vector<report::CheckResult> check(const RunRequest& request, const launch::LaunchFile& file) {
  const std::vector<launch::CheckFailure> failures = launch::run_checks(file, request.threads);
  std::vector<report::CheckResult> results;
  auto failure = failures.begin();
  for (const launch::Check& check : file.checks) {
    const std::uint64_t count = file.find_buffer(check.buffer)->count;
    results.push_back({check.buffer, count, std::min(check.sample.value_or(count), count), 0});
    // Failures come in the order of the checks, each of which has its own place in the file.
    if (failure == failures.end() || failure->where.line != check.where.line ||
        failure->where.column != check.where.column) {
      continue;
    }
    results.back().differing = failure->differing;
    print_error(launch::to_text(*failure, point_text(request.swept)));
    ++failure;
  }
  return results;
}

struct LaunchRun {
  report::Summary summary;
  std::string timeline;
};

LaunchRun run_launch(const RunRequest& request, const sim::GpuSpec& spec, launch::LaunchFile file,
                     Recording* recording) {
  WatchedRun simulated = simulate(request, spec, file, recording);
  const bool needs_results = (request.check && !file.checks.empty()) || !request.saves.empty();
  if (simulated.sample && needs_results) execute_rest(request, spec, file);
  report::RunInfo info;
  info.sample = simulated.sample;
  info.launch_path = file.path;
  info.short_name = std::filesystem::path(file.path).stem().string();
  info.swept = request.swept;
  info.description = file.description;
  info.provenance = launch_provenance(request, spec, file);
  info.checked = request.check;
  if (request.check) info.checks = check(request, file);
  for (const SaveRequest& save : request.saves) launch::save_buffer(file, save.buffer, save.path);
  return {report::summarize(simulated.result, simulated.spec, std::move(info)),
          std::move(simulated.timeline)};
}

// -- all runs ---------------------------------------------------------------------------------------

void run_point(const RunRequest& request, Preparation prepared, Recording* recording, RunFailures& failures,
               RunReport& report) {
  for (const std::string& path : request.launches) {
    failures.attempt(request, path, [&] {
      LaunchRun run =
          run_launch(request, prepared.spec,
                     prepared.only ? std::move(*prepared.only) : launch::load_launch(path, request.overrides),
                     recording);
      report.runs.push_back(std::move(run.summary));
      report.timeline += run.timeline;
    });
  }
}

/// A recording is of all launches or of none.
bool goes_on(std::span<const RunRequest> points) {
  return !points[0].record && points.size() * points[0].launches.size() > 1;
}

}  // namespace

int run_launches(std::span<const RunRequest> points) {
  const RunRequest& first = points[0];
  if (!first.kernels.numbers.empty()) throw UsageError("--kernel and --kernels go with a list of traces");
  std::vector<Preparation> prepared = prepare_all(points);
  std::optional<Recording> recording;
  if (first.record) recording.emplace(*first.record);
  RunReport report;
  RunFailures failures(goes_on(points));
  for (std::size_t i = 0; i < points.size(); ++i)
    run_point(points[i], std::move(prepared[i]), recording ? &*recording : nullptr, failures, report);
  if (recording) recording->keep();
  report.failures = failures.list();
  if (!report.runs.empty()) deliver(first, report_of_runs(first, report));
  if (failures.exit_code() != kDone) return failures.exit_code();
  const bool good = std::all_of(report.runs.begin(), report.runs.end(),
                                [](const report::Summary& run) { return run.all_checks_hold(); });
  return good ? kDone : kCheckFailed;
}

}  // namespace heddle::command
