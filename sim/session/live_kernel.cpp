#include "sim/session/live_kernel.h"

#include <utility>

#include "isa/exec/functional.h"

namespace heddle::session {

exec::LiveKernel live_kernel(const sim::GpuSpec& spec, exec::Launch launch, exec::GlobalMemory& memory,
                             exec::Divergence divergence) {
  launch.clock_mhz = spec.clock_mhz;
  return {std::move(launch), memory, spec.occupancy.warp_size, divergence,
          {spec.sm.tensor.terms, spec.sm.tensor.fraction_bits, spec.sm.tensor.fp8_fraction_bits}};
}

exec::LiveKernel live_kernel(const sim::GpuSpec& spec, exec::Launch launch, exec::GlobalMemory& memory) {
  return live_kernel(spec, std::move(launch), memory, exec::find_divergence(spec.sm.divergence)->mechanism);
}

exec::FunctionalCounts execute(exec::LiveKernel& kernel, exec::BlockTeam& team, exec::AccessChecks* checks) {
  if (checks == nullptr) return team.run(kernel);
  checks->begin_launch(kernel.shape(), kernel.launch().kernel);
  return exec::run_functionally(kernel, *checks);
}

}  // namespace heddle::session
