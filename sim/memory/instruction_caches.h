// Where instructions come from: an L0 and a stream buffer for each sub-partition, an L1 that they share, L2
// behind.
//
// A launch finds the kernel's beginning in place, as much of it as each cache holds: what fits L0 never
// misses, and needs none of this, unless other grids' kernels are there, too. A cold launch finds nothing. A
// line that is not in L0 comes from L1 after l1_latency, from L2 after its latency more; the stream buffer
// then asks for the lines behind it, and for one more with each that is taken out of it. How many lines can
// be on their way at once is not limited, and L2 always has the code.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"
#include "sim/memory/tag_array.h"

namespace heddle::sim {

/// The instruction caches of one SM. Warps ask as they come to an instruction; tags only.
class InstructionCaches {
 public:
  explicit InstructionCaches(const GpuSpec& spec);

  /// A grid comes, whose kernel has so many instructions: its beginning is put in place, over what is there.
  void add_grid(std::size_t grid, std::uint64_t instructions);

  /// Whether kernels can miss L0 at all, with so many instructions together. 0: how many is not known, and
  /// they do not.
  static bool can_miss(const GpuSpec& spec, std::uint64_t instructions);

  /// When a warp of the grid in the sub-partition has the instruction, `now` if it is in L0. A jump's target
  /// is asked for when the jump issues.
  Cycle ready(std::size_t grid, unsigned sub_partition, Pc pc, Cycle now);

 private:
  /// The lines of a grid's kernel.
  struct Code {
    std::uint64_t first_line = 0;
    std::uint64_t end_line = 0;
  };
  /// A line in the stream buffer.
  struct Prefetched {
    std::uint64_t line;
    Cycle arrives;
  };
  /// What one sub-partition has: its L0, and its stream buffer.
  struct Front {
    TagArray l0;
    std::deque<Prefetched> stream;  // consecutive lines
  };

  Cycle take_from_stream(Front& front, const Code& code, std::uint64_t line, Cycle now);
  void fill_stream(Front& front, const Code& code, std::uint64_t next, Cycle now);
  Cycle fetch(std::uint64_t line, Cycle now);

  InstructionCacheSpec spec_;
  Cycle l2_latency_;
  bool finds_code_;  // a launch does
  std::uint64_t per_line_;
  std::vector<Code> codes_;  // by grid
  std::uint64_t next_line_ = 0;
  std::vector<Front> fronts_;
  TagArray l1_;
};

}  // namespace heddle::sim
