#include "tools/cuda/runtime/host_link.h"

#include "sim/config/compute_capabilities.h"

namespace heddle::cudart {

namespace {

// vendor: PCI Express 3.0, 4.0 and 5.0 have 8, 16 and 32 GT/s a lane, of which 128 of 130 bits are data.
constexpr double kGeneration3 = 15.75;
constexpr double kGeneration4 = 31.5;
constexpr double kGeneration5 = 63.0;
// guess: between the 12 to 13 of 15.75 GB/s and the 25 to 26 of 31.5 GB/s that bandwidthTest commonly shows
// with pinned memory
constexpr double kEfficiency = 0.82;
// guess: about what profilers show for a copy of some bytes
constexpr double kLatencyUs = 1.3;

}  // namespace

HostLink host_link_of(const sim::GpuSpec& gpu) {
  constexpr unsigned kNone = 0;
  const unsigned capability = sim::compute_capability_number(gpu.compute_capability, kNone);
  if (capability == kNone) return {16, 1, 1};
  // vendor: data sheets of P100, V100 and T4 (3.0), A100, A40, L4, L40 and GeForce RTX 30 and 40 (4.0), of
  // later cards (5.0)
  if (capability < 80) return {kGeneration3, kEfficiency, kLatencyUs};
  return {capability < 90 ? kGeneration4 : kGeneration5, kEfficiency, kLatencyUs};
}

}  // namespace heddle::cudart
