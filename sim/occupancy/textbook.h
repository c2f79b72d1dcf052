// Occupancy by the formula of textbooks: each resource divided by what a block asks for. The formula knows no
// allocation units, register pools or reserved shared memory, and does not round to whole blocks where
// registers are the limit.
#pragma once

#include <optional>

#include "sim/occupancy/occupancy.h"

namespace heddle::sim {

/// The result of the textbook formula, in warps of one SM.
struct TextbookOccupancy {
  /// Warps that an SM could hold if only this resource were limited. Not set if the formula has no such
  /// limit.
  std::array<std::optional<std::uint64_t>, kResources> limits;
  std::uint64_t warps = 0;
  double occupancy = 0;

  [[nodiscard]] std::optional<std::uint64_t> limit(Resource resource) const {
    return limits[static_cast<std::size_t>(resource)];
  }
};

/// Requires a kernel that can run.
TextbookOccupancy textbook_occupancy(const OccupancySpec& spec, const KernelResources& kernel);

}  // namespace heddle::sim
