#include "tools/heddle/bench/bench_command.h"

#include <fmt/format.h>

#include "isa/base/diagnostic.h"
#include "isa/stream/kernel_fault.h"
#include "sim/config/load.h"
#include "tools/bench/report.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/base/text_style.h"
#include "tools/heddle/bench/bench_request.h"
#include "tools/heddle/bench/bench_subjects.h"
#include "tools/heddle/run/preparation.h"
#include "tools/heddle/run/run_provenance.h"
#include "tools/heddle/trace/trace_list.h"
#include "tools/report/provenance_section.h"
#include "tools/report/render_text.h"

namespace heddle::command {

namespace {

/// The request that `heddle run` would get for this case.
RunRequest run_request(const BenchRequest& request, const BenchCase& each) {
  RunRequest run;
  run.gpu = request.gpu;
  run.settings = request.settings;
  run.settings.insert(run.settings.end(), each.settings.begin(), each.settings.end());
  run.overrides.params = each.params;
  if (!is_trace(each.path)) run.launches = {each.path};
  return run;
}

/// The same provenance as that of `heddle run`, with the command line of this measurement.
report::Provenance provenance_of(const BenchRequest& request, const BenchCase& each,
                                 const Preparation& prepared) {
  const RunRequest run = run_request(request, each);
  report::Provenance made = prepared.only ? launch_provenance(run, prepared.spec, *prepared.only)
                                          : trace_provenance(run, prepared.spec, each.path);
  made.command = request.provenance.command;
  if (!each.list.empty()) add_file(made, each.list);
  made.add_files(request.provenance.files);
  return made;
}

bench::Row measure(const BenchRequest& request, const BenchCase& each) {
  Preparation prepared = prepare(run_request(request, each));
  report::Provenance made = provenance_of(request, each, prepared);
  std::unique_ptr<bench::Subject> subject;
  if (prepared.only) {
    subject = std::make_unique<LaunchSubject>(std::move(*prepared.only), prepared.spec);
  } else {
    subject = std::make_unique<TraceSubject>(each.path, prepared.spec);
  }
  try {
    bench::Row row = bench::measure(each.name, *subject, prepared.spec, request.plan);
    row.provenance = std::move(made);
    return row;
  } catch (const stream::KernelFault& fault) {
    throw fault.with_message(fmt::format("{}: {}", each.path, fault.what()));
  }
}

/// Reports mistakes in the arguments before anything is measured.
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

/// Cases that cannot run to their end on this GPU are left out, unless the user named them.
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
  const report::TextStyle style = text_style();
  report::Document all = document(run, baseline);
  all.items.emplace_back(report::Gap{});
  report::add_provenance(all, run.provenance, run.gpu, style.columns);
  return report::render_text(all, style);
}

}  // namespace

int bench_command(const Arguments& arguments) {
  constexpr std::string_view kOnlyHow[] = {"save"};
  const auto command = read_reported(bench_syntax(), "bench", arguments, kOnlyHow);
  if (!command) return kDone;
  const BenchRequest request = read_bench_request(*command);
  const sim::GpuSpec gpu = sim::load_gpu(request.gpu, request.settings);
  require_given(request);
  bench::Run run{std::string(program_version()), bench::this_machine(),    gpu.name,
                 request.plan.threads,           request.plan.repetitions, measure_all(request)};
  run.provenance = request.provenance;
  for (const bench::Row& row : run.rows) run.provenance.add_files(row.provenance.files);
  add_gpu(run.provenance, request.gpu, gpu, !request.settings.empty());
  if (request.save) write_file(*request.save, to_json(run, nullptr));
  write_output(report_of(run, request));
  return kDone;
}

}  // namespace heddle::command
