#include "tools/heddle/run/launch_runs.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "tools/heddle/base/output.h"
#include "tools/heddle/run/kernel_output.h"
#include "tools/heddle/run/preparation.h"
#include "tools/heddle/run/run_failures.h"
#include "tools/heddle/run/run_pictures.h"
#include "tools/heddle/run/run_provenance.h"
#include "tools/heddle/run/run_series.h"
#include "tools/heddle/run/sampling.h"
#include "tools/heddle/run/side_by_side.h"
#include "tools/heddle/run/simulated_launch.h"
#include "tools/launch/print_buffer.h"

namespace heddle::command {

namespace {

// -- a run ----------------------------------------------------------------------------------------

/// Runs the checks and adds messages about those that fail.
std::vector<report::CheckResult> check(const RunRequest& request, const launch::LaunchFile& file,
                                       std::string& told) {
  const std::vector<launch::CheckFailure> failures = launch::run_checks(file, request.threads);
  std::vector<report::CheckResult> results;
  auto failure = failures.begin();
  for (const launch::Check& check : file.checks) {
    const std::uint64_t count = file.find_buffer(check.buffer)->count;
    results.push_back({check.buffer, count, std::min(check.sample.value_or(count), count), 0});
    // Failures have the order of the checks, and each check has its own position in the file.
    if (failure == failures.end() || failure->where.line != check.where.line ||
        failure->where.column != check.where.column) {
      continue;
    }
    results.back().differing = failure->differing;
    told += launch::to_text(*failure, point_text(request.swept));
    ++failure;
  }
  return results;
}

/// A buffer that cannot be saved does not prevent the report; the error is reported afterwards.
void save(const RunRequest& request, const launch::LaunchFile& file, Diagnostics& problems) {
  for (const SaveRequest& save : request.saves) {
    try {
      launch::save_buffer(file, save.buffer, save.path);
    } catch (const InputError& error) {
      problems.add(error);
    }
  }
}

/// Results that only a single run has, in addition to its outcome; and where each says what its kernel
/// prints.
struct Extras {
  Say say;
  Recording* recording = nullptr;
  std::string timeline = {};
  std::string early_reads = {};
  std::string printed = {};
  std::optional<report::LineProfile> lines = {};
  Diagnostics unsaved = {};
  std::optional<PictureFacts> pictures = {};
};

RunOutcome run_launch(const RunRequest& request, const sim::GpuSpec& spec, launch::LaunchFile& file,
                      const WatchRun* watch, Extras& extras) {
  launch::KernelSource source;
  if (request.lines || request.html)
    source = launch::kernel_source(request.launches[0], launch::for_gpu(request.overrides, spec));
  if (request.lines) require_lines(*request.lines, source, file.launch.kernel);
  const bool needs_results = (request.check && !file.checks.empty()) || !request.saves.empty() ||
                             !request.prints.empty() || prints(file.launch.kernel);
  WatchedRun simulated;
  run_and_say(
      [&] {
        simulated = simulate_launch(request, spec, file, extras.recording, watch);
        if (!needs_results) return;
        if (simulated.sample)
          execute_rest(request, spec, file,
                       [sample = sample_of(request, spec)](BlockId block) { return !sample.has(block); });
        if (simulated.left_out.blocks() != 0)
          execute_rest(request, spec, file,
                       [range = simulated.left_out](BlockId block) { return range.has(block); });
      },
      file.memory, extras.say);
  RunOutcome outcome;
  report::RunInfo info;
  info.sample = simulated.sample;
  info.blocks = simulated.blocks;
  info.launch_path = file.path;
  info.short_name = std::filesystem::path(file.path).stem().string();
  info.swept = request.swept;
  info.description = file.description;
  if (request.lines)
    extras.lines = line_profile(*request.lines, source, file.launch.kernel, simulated.result);
  info.registers_estimated = file.launch.kernel.is_estimated;
  info.provenance = launch_provenance(request, spec, file);
  info.checked = request.check;
  if (request.check) info.checks = check(request, file, outcome.told);
  save(request, file, extras.unsaved);
  for (const PrintRequest& print : request.prints)
    extras.printed += launch::printed_elements(file, print.buffer, print.from, print.until);
  extras.timeline += simulated.timeline;
  extras.early_reads += simulated.early_reads;
  if (simulated.history) {
    std::vector<report::LineProfile> sources;
    if (request.html) sources = page_sources(source, file.launch.kernel);
    extras.pictures = {std::move(*simulated.history), std::move(file.launch.kernel), simulated.spec,
                       simulated.result.by_pc, std::move(sources)};
  }
  outcome.run = CountedRun{std::move(simulated.result), std::move(info)};
  return outcome;
}

// -- all runs ---------------------------------------------------------------------------------------

/// For a single run, or if all runs are recorded: the first failure ends the command.
int run_all_or_none(const std::vector<RunRequest>& points, std::vector<Preparation> prepared) {
  const RunRequest& first = points[0];
  std::optional<Recording> recording;
  if (first.record) recording.emplace(*first.record);
  Extras extras{say_before_report(first), recording ? &*recording : nullptr};
  RunReport report;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const std::string& path : points[i].launches) {
      const RunOutcome outcome = outcome_or_throw(points[i], path, [&] {
        launch::LaunchFile file =
            prepared[i].only
                ? std::move(*prepared[i].only)
                : launch::load_launch(path, launch::for_gpu(points[i].overrides, prepared[i].spec));
        return run_launch(points[i], prepared[i].spec, file, nullptr, extras);
      });
      print_error(outcome.told);
      const auto& [result, info] = std::get<CountedRun>(outcome.run);
      report.runs.push_back(report::summarize(result, simulated_gpu(points[i], prepared[i].spec), info));
    }
  }
  if (recording) recording->keep();
  report.timeline = std::move(extras.timeline);
  report.early_reads = std::move(extras.early_reads);
  report.lines = std::move(extras.lines);
  deliver(first, report_of_runs(first, report));
  write_pictures(first, report, extras.pictures);
  if (!extras.printed.empty()) write_output(extras.printed);
  extras.unsaved.throw_if_any();
  const bool good = std::all_of(report.runs.begin(), report.runs.end(),
                                [](const report::Summary& run) { return run.all_checks_hold(); });
  return good ? decide_conditions(first, report.runs) : kCheckFailed;
}

int run_many(std::vector<RunRequest> points, const std::vector<Preparation>& prepared) {
  const std::size_t launches = points[0].launches.size();
  RunSeries series;
  series.runs = points.size() * launches;
  share_threads(points, series.runs, most_bytes(prepared));
  const auto point_of = [&points, launches](std::size_t run) -> const RunRequest& {
    return points[run / launches];
  };
  const auto path_of = [&](std::size_t run) -> const std::string& {
    return point_of(run).launches[run % launches];
  };
  series.name = [&](std::size_t run) { return std::filesystem::path(path_of(run)).stem().string(); };
  series.gpu = [&](std::size_t run) { return simulated_gpu(point_of(run), prepared[run / launches].spec); };
  series.make = [&](std::size_t run, const WatchRun& watch) {
    const RunRequest& point = point_of(run);
    std::string said;
    RunOutcome outcome = outcome_of(point, path_of(run), [&] {
      const sim::GpuSpec& spec = prepared[run / launches].spec;
      launch::LaunchFile file = launch::load_launch(path_of(run), launch::for_gpu(point.overrides, spec));
      Extras extras{[&said](const std::string& text) { said += text; }};
      return run_launch(point, spec, file, &watch, extras);
    });
    outcome.told.insert(0, said);
    return RunOutcomes{std::move(outcome)};
  };
  series.rows = [&](std::size_t run, const RunOutcomes& outcomes) {
    const auto* counted = std::get_if<CountedRun>(&outcomes.at(0).run);
    if (counted == nullptr) return std::vector<report::Summary>();
    return std::vector<report::Summary>{report::summarize(counted->result, series.gpu(run), counted->info)};
  };
  series.head = [&] { return journal_head(points, inputs_of(prepared), series.runs); };
  series.report = [&](const RunReport& report) { return report_of_runs(points[0], report); };
  return run_series(points[0], series);
}

}  // namespace

int run_launches(std::vector<RunRequest> points) {
  if (!points[0].kernels.numbers.empty()) throw UsageError("--kernel and --kernels go with a list of traces");
  std::vector<Preparation> prepared = prepare_all(points);
  const bool are_many = points.size() * points[0].launches.size() > 1;
  if (!are_many || points[0].record) return run_all_or_none(points, std::move(prepared));
  return run_many(std::move(points), prepared);
}

}  // namespace heddle::command
