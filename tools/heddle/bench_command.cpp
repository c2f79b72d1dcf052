#include <fmt/format.h>

#include "isa/base/diagnostic.h"
#include "isa/base/new_file.h"
#include "isa/stream/kernel_fault.h"
#include "tools/bench/baseline.h"
#include "tools/bench/measure.h"
#include "tools/bench/report.h"
#include "tools/heddle/bench_cases.h"
#include "tools/heddle/bench_subjects.h"
#include "tools/heddle/gpu_choice.h"
#include "tools/heddle/options.h"
#include "tools/heddle/output.h"
#include "tools/heddle/preparation.h"
#include "tools/heddle/trace_list.h"
#include "tools/report/render_text.h"

namespace heddle::command {

namespace {

constexpr unsigned kUsualRepetitions = 5;
constexpr unsigned kMostRepetitions = 1000;
constexpr double kLeastSeconds = 0.25;

constexpr std::string_view kAbout =
    "Measures how fast Heddle is: each launch executed without time, simulated on one thread, and on\n"
    "several, and the memory of the simulation. Without launches: the cases below, then all examples.\n"
    "Of a kernel trace, 'functional' is reading it. Times are medians; 'noise' is the median distance\n"
    "from them.";

constexpr std::string_view kExamples =
    "  heddle bench\n"
    "  heddle bench ffma_loop vecadd_16m --threads 1\n"
    "  heddle bench traces/nbody.yaml --param n=4096 --repetitions 11\n"
    "  heddle bench --save before.json\n"
    "  heddle bench --against before.json\n";

Syntax bench_syntax() {
  static const std::string examples = fmt::format("{}\ncases:\n{}", kExamples, bench_cases_text());
  Syntax syntax =
      make_syntax("heddle bench [LAUNCH.yaml|TRACE|CASE]... [OPTIONS]", kAbout, "launch", examples);
  auto add = syntax.options.add_options();
  add("gpu", text_option("NAME|FILE")->default_value("h100"), "GPU to simulate; see heddle gpus");
  add("set", list_option("KEY=VALUE"), "changes a value of the GPU, as l1.latency=40");
  add("param", list_option("NAME=VALUE"), "changes a value or a parameter of the launch files");
  add("threads", text_option("N"), "of the third measurement; all cores if not given, 1 leaves it out");
  add("repetitions", text_option("N"), "how often each is measured at least; 5 if not given");
  add("format", text_option("text|json|csv"), "form of the report");
  add("save", text_option("FILE"), "writes the report as JSON, too, to compare with later");
  add("against", text_option("FILE"), "compares with what was saved");
  return syntax;
}

struct BenchRequest {
  std::vector<BenchCase> cases;
  std::string gpu;
  std::vector<std::string> settings;
  bench::Plan plan;
  std::string format;
  std::optional<std::string> save;
  std::optional<bench::Baseline> baseline;
};

BenchRequest read_bench_request(const OptionValues& values) {
  BenchRequest request;
  request.cases = bench_cases(list_of(values, "launch"), list_of(values, "param"));
  request.gpu = values["gpu"].as<std::string>();
  request.settings = list_of(values, "set");
  request.plan.threads = threads_of(values);
  request.plan.repetitions = size_of(values, "repetitions", kMostRepetitions).value_or(kUsualRepetitions);
  request.plan.least_seconds = kLeastSeconds;
  if (request.plan.repetitions == 0) throw UsageError("--repetitions 0: must be at least 1");
  request.format = choice_of(values, "format", {"text", "json", "csv"});
  request.save = text_of(values, "save");
  if (request.save) require_writable(*request.save);
  if (const auto path = text_of(values, "against")) request.baseline = bench::load_baseline(*path);
  return request;
}

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
  return report::render_text(document(run, baseline), {wants_colour(stdout), false});
}

}  // namespace

int bench_command(const Arguments& arguments) {
  const Syntax syntax = bench_syntax();
  const OptionValues values = parse(syntax, arguments);
  if (values.count("help") != 0) {
    write_output(help_text(syntax));
    return kDone;
  }
  const BenchRequest request = read_bench_request(values);
  const sim::GpuSpec gpu = choose_gpu(request.gpu, request.settings);
  require_given(request);
  const bench::Run run{HEDDLE_VERSION,       bench::this_machine(),    gpu.name,
                       request.plan.threads, request.plan.repetitions, measure_all(request)};
  if (request.save) write_file(*request.save, to_json(run, nullptr));
  write_output(report_of(run, request));
  return kDone;
}

}  // namespace heddle::command
