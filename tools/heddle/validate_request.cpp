#include "tools/heddle/validate_request.h"

namespace heddle::command {

namespace {

namespace po = boost::program_options;

constexpr std::string_view kExamples =
    "  heddle validate tests/validation/*.yaml\n"
    "  heddle validate tests/validation/barrier.yaml --set sm.barrier.per_warp=3\n"
    "  heddle validate tests/validation/*.yaml --filter V5 --plot v5.svg\n"
    "  heddle validate tests/validation/*.yaml --format csv --output cases.csv\n";

}  // namespace

Syntax validate_syntax() {
  Syntax syntax = make_syntax(
      "heddle validate SUITE.yaml... [OPTIONS]",
      "Simulates what was measured on real GPUs and prints, for each case, the measured value, the "
      "simulated\n"
      "one and the error, and for each group the mean absolute percentage error and the correlation.\n"
      "Nothing is fitted: all parameters come from the GPU files. Exit code 1 if a case is outside of its\n"
      "tolerance and its suite does not say why.",
      "suite", kExamples);
  const auto text = [](const char* shown) { return po::value<std::string>()->value_name(shown); };
  const auto list = [](const char* shown) {
    return po::value<std::vector<std::string>>()->composing()->value_name(shown);
  };
  auto add = syntax.options.add_options();
  add("filter", list("TEXT"), "only cases with this text in \"GROUP NAME GPU\"; several: any of them");
  add("gpu", text("NAME|FILE"), "runs every case on this GPU, not on its own");
  add("gpu-dir", text("DIR"), "looks for the GPU files of cases here first: changed copies, say");
  add("set", list("KEY=VALUE"), "changes a value of every GPU, as l1.latency=40");
  add("format", text("text|json|csv"), "form of the report");
  add("output,o", text("FILE"), "writes the report to a file: all of it, or nothing");
  add("plot", text("FILE.svg"), "draws simulated against measured");
  add("threads", text("N"), "so many runs at a time, with the same results; all cores if not given");
  add("quiet,q", "no report but in the file of --output, and no progress");
  return syntax;
}

ValidateRequest read_validate_request(const OptionValues& values) {
  ValidateRequest request;
  request.suites = list_of(values, "suite");
  request.gpu = text_of(values, "gpu");
  request.gpu_dir = text_of(values, "gpu-dir");
  request.settings = list_of(values, "set");
  request.filters = list_of(values, "filter");
  request.format = choice_of(values, "format", {"text", "json", "csv"});
  request.output = text_of(values, "output");
  request.plot = text_of(values, "plot");
  request.threads = threads_of(values);
  request.quiet = values.count("quiet") != 0;
  if (request.suites.empty()) throw UsageError("no suite is given");
  return request;
}

}  // namespace heddle::command
