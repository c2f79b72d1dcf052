// Occupancy as textbooks work it out: each resource divided by what is asked for, without allocation units,
// pools, reserved shared memory, or whole blocks where registers are the limit.
#pragma once

#include <optional>

#include "sim/occupancy/occupancy.h"

namespace heddle::sim {

struct TextbookOccupancy {
  /// Warps that an SM could hold if only this resource were limited; nothing where the formula has no such
  /// limit.
  std::array<std::optional<std::uint64_t>, kResources> limits;
  std::uint64_t warps = 0;
  double occupancy = 0;

  [[nodiscard]] std::optional<std::uint64_t> limit(Resource resource) const {
    return limits[static_cast<std::size_t>(resource)];
  }
};

/// Of a kernel that can run.
TextbookOccupancy textbook_occupancy(const OccupancySpec& spec, const KernelResources& kernel);

}  // namespace heddle::sim
