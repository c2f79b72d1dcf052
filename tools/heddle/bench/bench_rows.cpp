#include "tools/heddle/bench/bench_rows.h"

#include <fmt/format.h>

#include "isa/base/diagnostic.h"
#include "isa/stream/kernel_fault.h"
#include "tools/heddle/base/output.h"
#include "tools/heddle/bench/bench_subjects.h"
#include "tools/heddle/run/preparation.h"
#include "tools/heddle/run/run_provenance.h"
#include "tools/heddle/trace/trace_list.h"

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

void leave_out(const BenchCase& each, const std::exception& error) {
  print_error(fmt::format("{} is left out: {}\n", each.name, error.what()));
}

}  // namespace

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

}  // namespace heddle::command
