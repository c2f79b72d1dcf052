// The measured results and their file format. Does not need CUDA.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace kit {

using Named = std::vector<std::pair<std::string, double>>;

/// The properties of the measured GPU.
struct DeviceFacts {
  std::string name, compute_capability, driver, cuda;
  Named numbers;
};

/// One launch of an example, with the parameters that a simulation needs to repeat it.
struct KernelFigures {
  std::string launch;
  Named params;
  unsigned grid[3];
  unsigned block[3];
  unsigned registers = 0;
  unsigned long shared_bytes = 0;
  Named metrics;
};

/// The result of a microbenchmark. `at` is its position on a curve.
struct Figure {
  std::string name;
  Named at;
  double value;
  std::string unit;
};

/// All results of one measurement.
struct Report {
  DeviceFacts device;
  std::string profiler = "none";
  double took_s = 0;
  std::vector<std::string> left_out;
  std::vector<KernelFigures> kernels;
  std::vector<Figure> figures;

  /// The JSON file that README.md describes.
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
