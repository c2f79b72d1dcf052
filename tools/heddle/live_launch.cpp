#include "tools/heddle/live_launch.h"

namespace heddle::command {

exec::LiveKernel live_kernel(const sim::GpuSpec& spec, launch::LaunchFile& file) {
  return {file.launch,
          file.memory,
          spec.occupancy.warp_size,
          *exec::find_divergence(spec.sm.divergence),
          {spec.sm.tensor.terms, spec.sm.tensor.fraction_bits}};
}

}  // namespace heddle::command
