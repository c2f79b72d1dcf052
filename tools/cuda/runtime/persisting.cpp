#include "tools/cuda/runtime/persisting.h"

#include <fmt/format.h>

#include "tools/cuda/runtime/device_properties.h"
#include "tools/cuda/runtime/failure.h"

namespace heddle::cudart {

void note_window(Gpu& gpu, const cudaAccessPolicyWindow& window) {
  if (window.num_bytes == 0) return;  // as a program takes one back
  const auto most = static_cast<std::size_t>(properties_of(gpu.spec(), gpu.index).accessPolicyMaxWindowSize);
  require(window.num_bytes <= most,
          fmt::format("a window of {} bytes; the GPU has {} (accessPolicyMaxWindowSize)", window.num_bytes,
                      most));
  require(window.hitRatio >= 0 && window.hitRatio <= 1,
          fmt::format("a ratio of hits of {}; it is between 0 and 1", window.hitRatio));
  require(window.missProp != cudaAccessPropertyPersisting, "what misses a window cannot persist");
  gpu.wants_persisting |= window.hitProp == cudaAccessPropertyPersisting;
}

}  // namespace heddle::cudart
