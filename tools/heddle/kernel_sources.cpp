#include "tools/heddle/kernel_sources.h"

#include <fmt/format.h>

#include "isa/exec/functional.h"
#include "isa/stream/kernel_fault.h"

namespace heddle::command {

exec::LiveKernel live_kernel(const sim::GpuSpec& spec, launch::LaunchFile& file) {
  return {file.launch,
          file.memory,
          spec.occupancy.warp_size,
          *exec::find_divergence(spec.sm.divergence),
          {spec.sm.tensor.terms, spec.sm.tensor.fraction_bits}};
}

void execute_rest(const sim::GpuSpec& spec, const sim::SmSample& sample, launch::LaunchFile& file) {
  exec::LiveKernel kernel = live_kernel(spec, file);
  try {
    exec::run_functionally(kernel, [&sample](BlockId block) { return !sample.has(block); });
  } catch (const stream::KernelFault& fault) {
    throw stream::KernelFault(fmt::format("{}: {}", file.path, fault.what()));
  }
}

trace::ReplayOptions replay_options(const sim::GpuSpec& spec) {
  trace::ReplayOptions options;
  for (std::size_t i = 0; i < ir::kTimingClasses; ++i) {
    options.absent[i] = spec.sm.timing(static_cast<ir::TimingClass>(i)).is_absent();
  }
  return options;
}

}  // namespace heddle::command
