// Kernels that were measured on a GPU by the measuring kit of tools/hardware, or by a user with Nsight
// Compute.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isa/base/dim3.h"
#include "isa/base/override.h"
#include "tools/validate/figures.h"
#include "tools/validate/metrics.h"

namespace heddle::validate {

/// The GPU on which they were measured.
struct MeasuredDevice {
  std::string name;                ///< "NVIDIA H100 PCIe"; empty if unknown.
  std::string compute_capability;  ///< "9.0"
  std::optional<std::uint32_t> sms;
  std::optional<double> clock_mhz;  ///< Clock during the measurement.
};

/// One measured launch.
struct MeasuredKernel {
  std::string name;  ///< Name of the kernel.
  /// Number of this launch in the numbering of ncu; empty if the file has none.
  std::string id;
  /// Name of the launch file without .yaml; empty if the file does not say.
  std::string launch;
  Overrides params;  ///< "n=65536"
  std::optional<Dim3> grid;
  std::optional<Dim3> block;
  std::optional<std::uint32_t> registers;  ///< Per thread.
  std::vector<std::pair<const Metric*, double>> metrics;
};

/// The contents of a file of measurements.
struct MeasuredKernels {
  std::string file;
  MeasuredDevice device;
  std::vector<MeasuredKernel> kernels;
  std::vector<MeasuredFigure> figures;    ///< Figures of microbenchmarks.
  std::vector<std::string> not_compared;  ///< What else the file contains, and why it is left out.
};

/// Reads the JSON of tools/hardware (see its README.md). Throws InputError with all mistakes.
MeasuredKernels load_measured(const std::string& path);

/// Reads a CSV export of Nsight Compute: `ncu --csv --page raw`, or the default --page details. Output of the
/// program before it is skipped, and so are unknown metrics. Throws InputError.
MeasuredKernels load_ncu_report(const std::string& path);

}  // namespace heddle::validate
