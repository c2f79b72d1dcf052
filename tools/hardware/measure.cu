// Measures the first GPU. See README.md; measure.sh builds and calls this.
//   measure [--output FILE] [--seconds N] [--only NAME] [--ncu CSV]
//   measure --profile [--seconds N] [--only NAME]     runs each example once, under Nsight Compute
//   measure --profiler-metrics | --list
// Exit code 0; 1: a result is wrong; 2: the command line; 3: no CUDA device.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "tools/hardware/examples/on_gpu.h"
#include "tools/hardware/micro/bench.h"

namespace {

struct Options {
  std::string output = "measured.json", only, profile_csv;
  double seconds = 400;
  bool profile = false, profiler_metrics = false, list = false;
};

bool read_options(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const auto value = [&]() -> std::string { return i + 1 < argc ? argv[++i] : ""; };
    if (name == "--output")
      options.output = value();
    else if (name == "--only")
      options.only = value();
    else if (name == "--ncu")
      options.profile_csv = value();
    else if (name == "--seconds")
      options.seconds = std::atof(value().c_str());
    else if (name == "--profile")
      options.profile = true;
    else if (name == "--profiler-metrics")
      options.profiler_metrics = true;
    else if (name == "--list")
      options.list = true;
    else {
      std::fprintf(stderr, "measure: unknown option %s\n", name.c_str());
      return false;
    }
  }
  return true;
}

bool save(const kit::Report& report, const std::string& path) {
  std::ofstream file(path);
  file << report.json();
  file.flush();
  if (!file) std::fprintf(stderr, "measure: cannot write %s\n", path.c_str());
  return static_cast<bool>(file);
}

int measure_families(const kit::Gpu& gpu, const Options& options, const kit::Budget& budget,
                     kit::Report& report) {
  kit::Bench bench(gpu, budget, report);
  for (const kit::Family& family : kit::families()) {
    if (!options.only.empty() && options.only != family.name) continue;
    if (!budget.allows(5)) {
      bench.leave_out(family.name, "no time left");
      continue;
    }
    family.run(bench);
    report.took_s = budget.spent();
    save(report, options.output);
  }
  return bench.wrong();
}

int measure(const Options& options) {
  const kit::Budget budget(options.seconds);
  const kit::Gpu gpu;
  if (options.profiler_metrics) {
    std::printf("%s\n", kit::profiler_metrics(gpu.capability()).c_str());
    return 0;
  }
  kit::Report report;
  const std::vector<kit::Point> points = kit::points(options.only, gpu.capability(), report.left_out);
  if (options.profile) {
    kit::profile_examples(gpu, points, budget);
    return 0;
  }
  std::vector<kit::ProfiledKernel> profiled;
  if (!options.profile_csv.empty()) {
    std::ifstream csv(options.profile_csv);
    profiled = kit::read_profile(csv);
    if (!profiled.empty()) report.profiler = "ncu";
  }
  report.device = gpu.facts();
  report.device.numbers.emplace_back("clock_under_load_mhz", gpu.clock_under_load_mhz());
  // The microbenchmarks get half of the time, so that neither half is crowded out; then come the examples.
  int wrong = measure_families(gpu, options, kit::Budget(options.seconds / 2), report);
  wrong +=
      kit::measure_examples(gpu, points, profiled, budget, report, [&] { save(report, options.output); });
  report.took_s = budget.spent();
  if (report.kernels.empty() && report.figures.empty()) {
    std::fprintf(stderr, "measure: nothing was measured; --list prints what there is\n");
    return 1;
  }
  if (!save(report, options.output)) return 1;
  std::printf("%zu launches and %zu figures in %.0f s: %s\n", report.kernels.size(), report.figures.size(),
              report.took_s, options.output.c_str());
  for (const std::string& reason : report.left_out) std::printf("left out: %s\n", reason.c_str());
  if (wrong != 0) std::fprintf(stderr, "measure: %d results are wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}

void list() {
  for (const kit::Family& family : kit::families()) std::printf("%s\n", family.name);
  for (const kit::TwinEntry& entry : kit::twins()) std::printf("%s\n", entry.launch);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!read_options(argc, argv, options)) return 2;
  if (options.list) {
    list();
    return 0;
  }
  try {
    return measure(options);
  } catch (const kit::NoDevice& error) {
    std::fprintf(stderr, "measure: %s\n", error.what());
    return 3;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "measure: %s\n", error.what());
    return 1;
  }
}
