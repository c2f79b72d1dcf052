#include "tools/heddle/bench/bench_request.h"

#include <fmt/format.h>

#include "isa/base/new_file.h"
#include "tools/heddle/base/again.h"
#include "tools/heddle/bench/bench_command.h"

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

}  // namespace

Syntax bench_syntax() {
  Syntax syntax =
      make_syntax("heddle bench [LAUNCH.yaml|EXAMPLE|TRACE|CASE]... [OPTIONS]", kAbout, "launch", kExamples);
  syntax.notes = fmt::format("cases:\n{}", bench_cases_text());
  syntax.words = bench_case_names();
  auto add = syntax.options.add_options();
  add("gpu", text_option("GPU|FILE")->default_value("h100"), "GPU to simulate; see heddle gpus");
  add("set", list_option("KEY=VALUE"), "changes a value of the GPU, as l1.latency=40");
  add("param", list_option("NAME=VALUE"), "changes a value or a parameter of the launch files");
  add("threads", text_option("N"), "of the third measurement; all cores if not given, 1 leaves it out");
  add("repetitions", text_option("N"), "how often each is measured at least; 5 if not given");
  add("format", text_option("text|json|csv"), "form of the report");
  add("save", text_option("FILE"), "writes the report as JSON, too, to compare with later");
  add("against", text_option("FILE"), "compares with what was saved");
  add_again(syntax);
  return syntax;
}

BenchRequest read_bench_request(const ReportedCommand& command) {
  const OptionValues& values = command.values;
  BenchRequest request;
  request.provenance = command.provenance;
  request.cases = bench_cases(list_of(values, "launch"), overrides_of(values, "param"));
  request.gpu = values["gpu"].as<std::string>();
  request.settings = overrides_of(values, "set");
  request.plan.threads = threads_of(values);
  request.plan.repetitions = size_of(values, "repetitions", kMostRepetitions).value_or(kUsualRepetitions);
  request.plan.least_seconds = kLeastSeconds;
  if (request.plan.repetitions == 0) throw UsageError("--repetitions 0: must be at least 1");
  request.format = choice_of(values, "format", {"text", "json", "csv"});
  request.save = text_of(values, "save");
  if (request.save) require_writable(*request.save);
  if (const auto path = text_of(values, "against")) {
    request.baseline = bench::load_baseline(*path);
    add_file(request.provenance, *path);
  }
  return request;
}

}  // namespace heddle::command
