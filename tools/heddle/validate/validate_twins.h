// Simulates launches that are equal to measured ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/heddle/validate/run_plan.h"
#include "tools/heddle/validate/validate_request.h"
#include "tools/validate/comparison.h"
#include "tools/validate/measured_kernel.h"

namespace heddle::command {

/// A measured kernel and the number of its run.
struct Twin {
  const validate::MeasuredKernel* kernel;
  std::size_t run;
};

/// All measured kernels with a simulation, and those that are left out.
class Twins {
 public:
  Twins(const ValidateRequest& request, std::string gpu, validate::Results& results)
      : request_(request), gpu_(std::move(gpu)), results_(results) {}

  /// Adds a simulation of the launch file with the measured number of registers. Returns why the file is not
  /// for this kernel, or nothing.
  std::optional<std::string> add(const validate::MeasuredKernel& kernel, const std::string& path);
  /// Adds a replay of the trace. L2 is empty before each replay, because Nsight Compute empties the caches
  /// before each kernel.
  void add_trace(const validate::MeasuredKernel& kernel, const std::string& path);

  void leave_out(const validate::MeasuredKernel& kernel, const std::string& why);

  /// Runs all. A kernel that cannot be run is left out, too.
  void run();

  [[nodiscard]] const std::vector<Twin>& list() const { return list_; }
  [[nodiscard]] validate::Comparison compare(const Twin& twin, const validate::Metric& metric,
                                             double measured) const;

 private:
  const ValidateRequest& request_;
  std::string gpu_;
  validate::Results& results_;
  RunPlan plan_;
  std::vector<Twin> list_;
};

/// The difference between a measured launch and one of this shape in `path`; nothing if they are equal.
std::optional<std::string> shape_difference(const validate::MeasuredKernel& kernel, const Dim3& grid,
                                            const Dim3& block, const std::string& path);

/// The GPU of --gpu, or the GPU file that matches the measured device. Throws InputError if there is none.
std::string gpu_for(const ValidateRequest& request, const validate::MeasuredKernels& measured);

/// "vecadd (ID 3)": the kernel's name, and the number of the launch if the file has it.
std::string launch_name(const std::string& name, const validate::MeasuredKernel& kernel);

/// Throws InputError if nothing was compared. The message lists what was left out.
void require_any(const ValidateRequest& request, const validate::MeasuredKernels& measured,
                 const validate::Results& results);

/// "m.json, measured on NVIDIA H200 (compute capability 9.0, 132 SMs); simulated on h200"
std::string source_text(const validate::MeasuredKernels& measured, const std::string& gpu);

}  // namespace heddle::command
