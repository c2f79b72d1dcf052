#include "tools/heddle/run/kernel_sources.h"

#include <fmt/format.h>

#include <filesystem>

#include "isa/base/diagnostic.h"
#include "sim/device/device.h"
#include "sim/session/live_kernel.h"
#include "sim/trace/format/trace_name.h"

namespace heddle::command {

exec::LiveKernel live_kernel(const sim::GpuSpec& spec, launch::LaunchFile& file) {
  return session::live_kernel(spec, file.launch, file.memory);
}

void require_trace_lanes(const sim::GpuSpec& spec) {
  if (spec.occupancy.warp_size == trace::kLanes) return;
  throw InputError({}, fmt::format("GPU '{}' has warps of {} lanes; those of traces have {}", spec.name,
                                   spec.occupancy.warp_size, trace::kLanes));
}

trace::ReplayOptions replay_options(const sim::GpuSpec& spec) {
  require_trace_lanes(spec);
  trace::ReplayOptions options;
  for (std::size_t i = 0; i < ir::kTimingClasses; ++i) {
    options.absent[i] = spec.sm.timing(static_cast<ir::TimingClass>(i)).is_absent();
  }
  return options;
}

report::RunInfo trace_info(const std::string& path, const trace::ReplayKernel& kernel) {
  report::RunInfo info;
  info.launch_path = path;
  info.short_name = trace::trace_stem(std::filesystem::path(path).filename().string());
  info.is_trace = true;
  for (const trace::Approximation& each : kernel.approximations()) {
    info.approximations.push_back({each.opcode, each.as, each.warp_instructions});
  }
  return info;
}

void copy_from_host(const launch::LaunchFile& file, sim::Device& device) {
  for (const launch::BufferInfo& buffer : file.buffers) {
    if (!buffer.copied) continue;
    const exec::Buffer& memory = *file.memory.find(buffer.name);
    device.copy_from_host(memory.address(), memory.size());
  }
}

}  // namespace heddle::command
