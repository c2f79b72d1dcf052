// The constant cache of an SM, for the constants that kernels declare (bank 3), each grid's apart. Those of
// the launch itself, its shape and its parameters (bank 0), are there when the first warp starts, unless the
// launch is cold.
//
// A line that is not there comes miss_latency after it was first asked for; who asks meanwhile waits for the
// same one. How many can be on their way at once is not limited. In a cold launch, what an SM asks for the
// first time comes from L2: a line of bank 3, and bank 0 as a whole, which then stays.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"
#include "sim/memory/tag_array.h"

namespace heddle::sim {

/// The constant cache of one SM. Warps ask it as they issue; it holds tags, not values.
class ConstantCache {
 public:
  explicit ConstantCache(const GpuSpec& spec);

  /// Adds the grid of this slot: the cache holds nothing of it.
  void add_grid(std::size_t grid);

  /// When the byte's line is there, `now` if it is; asks for it if nobody has. Counts as a use. Calls need
  /// not come in the order of time: a warp asks for when its code will be there.
  Cycle ready(std::size_t grid, std::uint64_t offset, Cycle now);

  /// When lanes that name different words have them all: `now` if they name one, and that is there; each
  /// further word takes address_interval. `is_cached`: the bank is behind this cache.
  Cycle ready(std::size_t grid, const Addr* offsets, LaneMask lanes, bool is_cached, Cycle now);

  /// When the launch's own constants are there; asks for them if nobody has.
  Cycle launch_ready(std::size_t grid, Cycle now);

 private:
  /// The constants of one grid: where they lie in the cache, and when those of the launch are there.
  struct Bank {
    std::uint64_t first_line = 0;  // its name in the cache
    std::vector<Cycle> latencies;  // in a cold launch, what a line took last; kNever: nothing yet
    Cycle launch_ready = 0;
  };

  Cycle ask(Bank& bank, std::uint64_t line) const;
  [[nodiscard]] Cycle latency_of(const Bank& bank, std::uint64_t line) const;

  ConstantSpec spec_;
  ColdSpec cold_;
  TagArray tags_;
  std::vector<Bank> banks_;  // by grid
  std::uint64_t next_line_ = 0;
};

}  // namespace heddle::sim
