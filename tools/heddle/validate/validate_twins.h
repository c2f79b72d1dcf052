// Launches that are the same as measured ones, and their runs.
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

class Twins {
 public:
  Twins(const ValidateRequest& request, std::string gpu, validate::Results& results)
      : request_(request), gpu_(std::move(gpu)), results_(results) {}

  /// Simulates the launch file, with as many registers as were measured; or says why it is not this kernel's.
  std::optional<std::string> add(const validate::MeasuredKernel& kernel, const std::string& path);
  /// The trace is replayed by itself, with nothing in L2: Nsight Compute empties the caches ahead of each
  /// kernel.
  void add_trace(const validate::MeasuredKernel& kernel, const std::string& path);

  void leave_out(const validate::MeasuredKernel& kernel, const std::string& why);

  /// What cannot be run is left out, too.
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

/// What differs between a measured launch and one of this shape in `path`; nothing if they are the same.
std::optional<std::string> shape_difference(const validate::MeasuredKernel& kernel, const Dim3& grid,
                                            const Dim3& block, const std::string& path);

/// --gpu, or the GPU file that matches. Throws InputError if there is none.
std::string gpu_for(const ValidateRequest& request, const validate::MeasuredKernels& measured);

/// "vecadd (ID 3)": a name of the kernel's, and which launch it is, if the file says.
std::string launch_name(const std::string& name, const validate::MeasuredKernel& kernel);

/// Throws InputError where nothing was compared: what is left out is all that there is to say then.
void require_any(const ValidateRequest& request, const validate::MeasuredKernels& measured,
                 const validate::Results& results);

/// "m.json, measured on NVIDIA H200 (compute capability 9.0, 132 SMs); simulated on h200"
std::string source_text(const validate::MeasuredKernels& measured, const std::string& gpu);

}  // namespace heddle::command
