#include "tools/heddle/kernel_sources.h"

namespace heddle::command {

exec::LiveKernel live_kernel(const sim::GpuSpec& spec, launch::LaunchFile& file) {
  return {file.launch,
          file.memory,
          spec.occupancy.warp_size,
          *exec::find_divergence(spec.sm.divergence),
          {spec.sm.tensor.terms, spec.sm.tensor.fraction_bits}};
}

trace::ReplayOptions replay_options(const sim::GpuSpec& spec) {
  trace::ReplayOptions options;
  for (std::size_t i = 0; i < ir::kTimingClasses; ++i) {
    options.absent[i] = spec.sm.timing(static_cast<ir::TimingClass>(i)).is_absent();
  }
  return options;
}

sim::L2Contents host_copies(const launch::LaunchFile& file) {
  sim::L2Contents l2;
  for (const launch::BufferInfo& buffer : file.buffers) {
    if (!buffer.copied) continue;
    const exec::Buffer& memory = *file.memory.find(buffer.name);
    l2.copies.push_back({memory.address(), memory.size()});
  }
  return l2;
}

}  // namespace heddle::command
