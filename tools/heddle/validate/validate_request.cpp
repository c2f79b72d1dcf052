#include "tools/heddle/validate/validate_request.h"

#include <fmt/format.h>

#include <filesystem>

#include "tools/heddle/base/again.h"
#include "tools/heddle/validate/validate_command.h"

namespace heddle::command {

namespace {

constexpr std::string_view kExamples =
    "  heddle validate tests/validation/*.yaml\n"
    "  heddle validate tests/validation/v15_barrier.yaml --set sm.barrier.per_warp=3\n"
    "  heddle validate tests/validation/*.yaml --filter V5 --plot v5.svg\n"
    "  heddle validate tests/validation/*.yaml --format csv --output cases.csv\n"
    "  heddle validate --measured measured.json\n"
    "  heddle validate --ncu report.csv saxpy.yaml --launch gemm_kernel=gemm.yaml\n"
    "  heddle validate --ncu report.csv traces/traced/kernelslist.g --gpu a100\n";

void require_sense(const ValidateRequest& request) {
  if (request.measured && (request.ncu || !request.suites.empty())) {
    throw UsageError("--measured goes with no suites, and not with --ncu");
  }
  if (!request.launches.empty() && !request.ncu) throw UsageError("--launch goes with --ncu");
  if (request.launch_dir && !request.measured) throw UsageError("--launch-dir goes with --measured");
  const bool has_suites = !request.measured && !request.ncu;
  if (has_suites && request.suites.empty()) throw UsageError("no suite is given");
  if (request.ncu && !request.filters.empty()) throw UsageError("--filter goes with suites and --measured");
  if (request.gpu_dir && !std::filesystem::is_directory(*request.gpu_dir))
    throw UsageError(fmt::format("--gpu-dir {}: there is no such folder", *request.gpu_dir));
  if (!has_suites && request.gpu_dir) throw UsageError("--gpu-dir goes with suites; --gpu takes a file");
}

}  // namespace

Syntax validate_syntax() {
  Syntax syntax = make_syntax(
      "heddle validate SUITE.yaml... [OPTIONS]\n"
      "       heddle validate --measured FILE.json [OPTIONS]\n"
      "       heddle validate --ncu REPORT.csv LAUNCH.yaml|TRACE... [--launch KERNEL=FILE.yaml]... [OPTIONS]",
      "Simulates what was measured on real GPUs and prints, for each case, the measured value, the\n"
      "simulated one and the error, and for each group the mean absolute percentage error and the\n"
      "correlation. The run fits nothing: all parameters come from the GPU files. Exit code 1 if a case is\n"
      "outside of its tolerance and its suite does not say why.\n"
      "With --measured, kernels and microbenchmarks that tools/hardware measured, beside the same here.\n"
      "With --ncu, the kernels of a report of Nsight Compute (ncu --csv, pages raw and details) beside\n"
      "their launch files, by name, or their traces (kernelslist.g, .traceg, .tracez), by name, grid and\n"
      "block in the order of both, each with empty caches, as ncu takes them.",
      "suite", kExamples);
  auto add = syntax.options.add_options();
  add("measured", text_option("FILE.json"),
      "what tools/hardware measured, on the GPU file that matches or --gpu");
  add("ncu", text_option("REPORT.csv"), "a report of ncu --csv, on the GPU file that matches or --gpu");
  add("launch", list_option("KERNEL=FILE.yaml"),
      "the launch file of a kernel of --ncu whose own name is another one");
  add("launch-dir", text_option("DIR"), "where the launch files of --measured are; traces/ if not given");
  add("filter", list_option("TEXT"), "only cases with this text in \"GROUP NAME GPU\"; several: any of them");
  add("gpu", text_option("GPU|FILE"), "runs every case on this GPU, not on its own");
  add("gpu-dir", text_option("DIR"), "looks for the GPU files of cases here first: changed copies, say");
  add("set", list_option("KEY=VALUE"), "changes a value of every GPU, as l1.latency=40");
  add("format", text_option("text|json|csv|markdown"),
      "form of the report; markdown has only what is outside");
  add("output,o", text_option("FILE"), "writes the report to a file: all of it, or nothing");
  add("plot", text_option("FILE.svg"), "draws simulated against measured");
  add("threads", text_option("N"), "so many runs at a time, with the same results; all cores if not given");
  add("quiet,q", "no report but in the file of --output, and no progress");
  add_again(syntax);
  return syntax;
}

ValidateRequest read_validate_request(const ReportedCommand& command) {
  const OptionValues& values = command.values;
  ValidateRequest request;
  request.provenance = command.provenance;
  request.suites = list_of(values, "suite");
  request.measured = text_of(values, "measured");
  request.ncu = text_of(values, "ncu");
  request.launches = list_of(values, "launch");
  request.launch_dir = text_of(values, "launch-dir");
  request.gpu = text_of(values, "gpu");
  request.gpu_dir = text_of(values, "gpu-dir");
  request.settings = overrides_of(values, "set");
  request.filters = list_of(values, "filter");
  request.format = choice_of(values, "format", {"text", "json", "csv", "markdown"});
  request.output = output_of(values);
  request.plot = text_of(values, "plot");
  request.threads = threads_of(values);
  request.quiet = values.count("quiet") != 0;
  require_sense(request);
  return request;
}

}  // namespace heddle::command
