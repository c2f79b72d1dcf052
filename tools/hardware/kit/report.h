// What was measured, and its file. No CUDA here.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace kit {

using Named = std::vector<std::pair<std::string, double>>;

struct DeviceFacts {
  std::string name, compute_capability, driver, cuda;
  Named numbers;
};

/// One launch of an example, at the parameters that a simulation is to be given.
struct KernelFigures {
  std::string launch;
  Named params;
  unsigned grid[3];
  unsigned block[3];
  unsigned registers = 0;
  unsigned long shared_bytes = 0;
  Named metrics;
};

/// A microbenchmark's figure; `at` is its place on a curve.
struct Figure {
  std::string name;
  Named at;
  double value;
  std::string unit;
};

struct Report {
  DeviceFacts device;
  std::string profiler = "none";
  double took_s = 0;
  std::vector<std::string> left_out;
  std::vector<KernelFigures> kernels;
  std::vector<Figure> figures;

  /// The file as README.md describes it.
  std::string json() const;
};

/// A metric of metrics.def.
struct Metric {
  const char* name;
  const char* unit;
  const char* profiler_name;
  double factor;
};

const std::vector<Metric>& metrics();

}  // namespace kit
