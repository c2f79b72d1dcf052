#include "tools/heddle/bench/bench_command.h"

#include <fmt/format.h>

#include "isa/base/diagnostic.h"
#include "isa/stream/kernel_fault.h"
#include "tools/bench/measure.h"
#include "tools/bench/report.h"
#include "tools/heddle/base/gpu_choice.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/base/text_style.h"
#include "tools/heddle/bench/bench_request.h"
#include "tools/heddle/bench/bench_subjects.h"
#include "tools/heddle/run/preparation.h"
#include "tools/heddle/trace/trace_list.h"
#include "tools/report/render_text.h"

namespace heddle::command {

namespace {

/// What `heddle run` is asked for where it runs the case.
RunRequest run_request(const BenchRequest& request, const BenchCase& each) {
  RunRequest run;
  run.gpu = request.gpu;
  run.settings = request.settings;
  run.settings.insert(run.settings.end(), each.settings.begin(), each.settings.end());
  run.overrides.params = each.params;
  if (!is_trace(each.path)) run.launches = {each.path};
  return run;
}

bench::Row measure(const BenchRequest& request, const BenchCase& each) {
  Preparation prepared = prepare(run_request(request, each));
  std::unique_ptr<bench::Subject> subject;
  if (prepared.only) {
    subject = std::make_unique<LaunchSubject>(std::move(*prepared.only), prepared.spec);
  } else {
    subject = std::make_unique<TraceSubject>(each.path, prepared.spec);
  }
  try {
    return bench::measure(each.name, *subject, prepared.spec, request.plan);
  } catch (const stream::KernelFault& fault) {
    throw stream::KernelFault(fmt::format("{}: {}", each.path, fault.what()));
  }
}

/// What is wrong with what was given is told before anything is measured.
void require_given(const BenchRequest& request) {
  Diagnostics problems;
  for (const BenchCase& each : request.cases) {
    try {
      if (each.is_given) prepare(run_request(request, each));
    } catch (const InputError& error) {
      problems.add(error);
    }
  }
  problems.throw_if_any();
}

void leave_out(const BenchCase& each, const std::exception& error) {
  print_error(fmt::format("{} is left out: {}\n", each.name, error.what()));
}

/// Not every GPU runs every example to its end.
std::vector<bench::Row> measure_all(const BenchRequest& request) {
  const bool shows_progress = is_terminal(stderr);
  std::vector<bench::Row> rows;
  for (std::size_t i = 0; i < request.cases.size(); ++i) {
    const BenchCase& each = request.cases[i];
    if (shows_progress)
      print_progress(fmt::format("\r\033[K{} ({} of {})", each.name, i + 1, request.cases.size()));
    try {
      rows.push_back(measure(request, each));
    } catch (const InputError& error) {
      if (each.is_given) throw;
      leave_out(each, error);
    } catch (const stream::KernelFault& fault) {
      if (each.is_given) throw;
      leave_out(each, fault);
    }
  }
  if (shows_progress) print_progress("\r\033[K");
  return rows;
}

std::string report_of(const bench::Run& run, const BenchRequest& request) {
  const bench::Baseline* baseline = request.baseline ? &*request.baseline : nullptr;
  if (request.format == "json") return to_json(run, baseline);
  if (request.format == "csv") return to_csv(run, baseline);
  return report::render_text(document(run, baseline), text_style());
}

}  // namespace

int bench_command(const Arguments& arguments) {
  const Syntax syntax = bench_syntax();
  const auto values = parse_or_help(syntax, arguments);
  if (!values) return kDone;
  const BenchRequest request = read_bench_request(*values);
  const sim::GpuSpec gpu = choose_gpu(request.gpu, request.settings);
  require_given(request);
  const bench::Run run{HEDDLE_VERSION,       bench::this_machine(),    gpu.name,
                       request.plan.threads, request.plan.repetitions, measure_all(request)};
  if (request.save) write_file(*request.save, to_json(run, nullptr));
  write_output(report_of(run, request));
  return kDone;
}

}  // namespace heddle::command
