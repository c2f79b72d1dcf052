#include "sim/session/live_kernel.h"

#include <utility>

namespace heddle::session {

exec::LiveKernel live_kernel(const sim::GpuSpec& spec, exec::Launch launch, exec::GlobalMemory& memory,
                             exec::Divergence divergence) {
  return {std::move(launch), memory, spec.occupancy.warp_size, divergence,
          {spec.sm.tensor.terms, spec.sm.tensor.fraction_bits}};
}

exec::LiveKernel live_kernel(const sim::GpuSpec& spec, exec::Launch launch, exec::GlobalMemory& memory) {
  return live_kernel(spec, std::move(launch), memory, exec::find_divergence(spec.sm.divergence)->mechanism);
}

}  // namespace heddle::session
