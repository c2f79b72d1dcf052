#include <fmt/format.h>

#include <algorithm>

#include "isa/stream/kernel_fault.h"
#include "isa/text/disassemble.h"
#include "sim/config/print.h"
#include "tools/heddle/gpu_choice.h"
#include "tools/heddle/kernel_sources.h"
#include "tools/heddle/output.h"
#include "tools/heddle/preparation.h"
#include "tools/heddle/replay_command.h"
#include "tools/heddle/sampling.h"
#include "tools/heddle/trace_list.h"
#include "tools/heddle/watched_run.h"
#include "tools/report/json.h"
#include "tools/report/render_text.h"
#include "tools/report/run_document.h"

namespace heddle::command {

namespace {

// -- a run ----------------------------------------------------------------------------------------

/// The launch, with whom it is recorded by between it and the timing model.
struct Source {
  Source(exec::LiveKernel& live, const sim::GpuSpec& spec, const Recording* recording) : kernel(&live) {
    if (recording == nullptr) return;
    spool.emplace(recording->folder());
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
  try {
    WatchedRun run = run_watched(request, spec, *source.kernel, instruction, &l2);
    if (recording != nullptr) recording->add(*source.recorder);
    return run;
  } catch (const stream::KernelFault& fault) {
    throw stream::KernelFault(fmt::format("{}: {}", file.path, fault.what()));
  }
}

/// Tells of the checks that fail on standard error.
std::vector<report::CheckResult> check(const launch::LaunchFile& file, unsigned threads) {
  const std::vector<launch::CheckFailure> failures = launch::run_checks(file, threads);
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
    print_error(launch::to_text(*failure));
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
  if (simulated.sample && needs_results) execute_rest(spec, sample_of(request, spec), file);
  report::RunInfo info;
  info.sample = simulated.sample;
  info.launch_path = file.path;
  info.description = file.description;
  info.checked = request.check;
  if (request.check) info.checks = check(file, request.threads);
  for (const SaveRequest& save : request.saves) launch::save_buffer(file, save.buffer, save.path);
  return {report::summarize(simulated.result, simulated.spec, std::move(info)),
          std::move(simulated.timeline)};
}

// -- after the runs -------------------------------------------------------------------------------

std::string report_text(const RunRequest& request, const std::vector<report::Summary>& runs) {
  if (request.format == "json") return report::to_json(runs);
  if (request.format == "csv") return report::to_csv(runs);
  const report::TextStyle style{!request.output && wants_colour(stdout), request.ascii};
  return report::render_text(
      runs.size() == 1 ? report::run_document(runs[0]) : report::overview_document(runs), style);
}

void deliver(const RunRequest& request, const std::vector<report::Summary>& runs,
             const std::string& timeline) {
  std::string report = report_text(request, runs);
  if (!timeline.empty()) report += fmt::format("\n{}", timeline);
  if (request.output) {
    write_file(*request.output, report);
  } else if (!request.quiet) {
    write_output(report);
  }
}

int run_all(const RunRequest& request) {
  if (!request.kernels.empty()) throw UsageError("--kernel and --kernels go with a list of traces");
  Preparation prepared = prepare(request);
  std::vector<report::Summary> runs;
  std::string timeline;
  std::optional<Recording> recording;
  if (request.record) recording.emplace(*request.record);
  for (const std::string& path : request.launches) {
    LaunchRun run =
        run_launch(request, prepared.spec,
                   prepared.only ? std::move(*prepared.only) : launch::load_launch(path, request.overrides),
                   recording ? &*recording : nullptr);
    runs.push_back(std::move(run.summary));
    timeline += run.timeline;
  }
  if (recording) recording->keep();
  deliver(request, runs, timeline);
  const bool good =
      std::all_of(runs.begin(), runs.end(), [](const auto& run) { return run.all_checks_hold(); });
  return good ? kDone : kCheckFailed;
}

}  // namespace

int run_command(const Arguments& arguments) {
  const Syntax syntax = run_syntax();
  const OptionValues values = parse(syntax, arguments);
  if (values.count("help") != 0) {
    write_output(help_text(syntax));
    return kDone;
  }
  const RunRequest request = read_run_request(values);
  if (request.list_schedulers) {
    write_output(policies_text());
    return kDone;
  }
  if (request.print_gpu) {
    write_output(sim::to_yaml(choose_gpu(request.gpu, request.settings)));
    return kDone;
  }
  const bool has_trace = std::any_of(request.launches.begin(), request.launches.end(), is_trace);
  return has_trace ? replay_all(request) : run_all(request);
}

}  // namespace heddle::command
