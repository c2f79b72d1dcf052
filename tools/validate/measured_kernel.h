// Kernels that were measured on a GPU: by the measuring kit of tools/hardware, or by a user with Nsight
// Compute.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isa/base/dim3.h"
#include "tools/validate/figures.h"
#include "tools/validate/metrics.h"

namespace heddle::validate {

struct MeasuredDevice {
  std::string name;                ///< "NVIDIA H100 PCIe"; empty if it is not known.
  std::string compute_capability;  ///< "9.0"
  std::optional<std::uint32_t> sms;
  std::optional<double> clock_mhz;  ///< While it was measured.
};

struct MeasuredKernel {
  std::string name;                 ///< Of the kernel.
  std::string id;                   ///< Of this launch, as ncu numbers them; empty if the file does not.
  std::string launch;               ///< Of the launch file, without .yaml; empty if the file does not say.
  std::vector<std::string> params;  ///< "n=65536"
  std::optional<Dim3> grid;
  std::optional<Dim3> block;
  std::optional<std::uint32_t> registers;  ///< Of a thread.
  std::vector<std::pair<const Metric*, double>> metrics;
};

struct MeasuredKernels {
  std::string file;
  MeasuredDevice device;
  std::vector<MeasuredKernel> kernels;
  std::vector<MeasuredFigure> figures;    ///< Of microbenchmarks.
  std::vector<std::string> not_compared;  ///< What the file has beside, and why it is left out.
};

/// The JSON of tools/hardware (see its README.md). Throws InputError with all that is wrong.
MeasuredKernels load_measured(const std::string& path);

/// A CSV export of Nsight Compute: `ncu --csv --page raw`, or --page details, its default. What the program
/// printed before is skipped; metrics that are not known here are, too. Throws InputError.
MeasuredKernels load_ncu_report(const std::string& path);

/// "void ns::scale<float, 4>(const float *, int)" as "scale".
std::string bare_kernel_name(std::string_view name);

}  // namespace heddle::validate
