// On which SM the next block starts.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "isa/base/types.h"
#include "sim/config/policies.h"

namespace heddle::sim {

/// One object a device. It must depend on nothing but these calls, so that results are the same in every run.
class BlockPlacement {
 public:
  virtual ~BlockPlacement() = default;

  /// An SM with room for the next block. `room`: for how many blocks like it each SM has; one at least has
  /// some.
  virtual SmId choose(std::span<const std::uint32_t> room) = 0;
};

/// A row of the table of policies.
struct PlacementPolicy : PolicyName {
  std::unique_ptr<BlockPlacement> (*make)();
};

/// All policies, in the order in which they are listed.
std::span<const PlacementPolicy> placement_policies();

/// Throws InputError if none has the name, which is that of dispatch.placement.
std::unique_ptr<BlockPlacement> make_placement(std::string_view name);

}  // namespace heddle::sim
