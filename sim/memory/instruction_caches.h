// Where instructions come from: an L0 and a stream buffer for each sub-partition, an L1 that they share, L2
// behind.
//
// A launch finds the kernel's beginning in place, as much of it as each cache holds: what fits L0 never
// misses, and needs none of this. A cold one finds nothing. A line that is not in L0 comes from L1 after
// l1_latency, from L2 after its latency more; the stream buffer then asks for the lines behind it, and for
// one more with each that is taken out of it. How many lines can be on their way at once is not limited, and
// L2 always has the code.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"
#include "sim/memory/tag_array.h"

namespace heddle::sim {

class InstructionCaches {
 public:
  /// For a kernel of so many instructions.
  InstructionCaches(const GpuSpec& spec, std::uint64_t instructions);

  /// Whether a kernel can miss L0 at all. 0 instructions: how long it is is not known, and it does not.
  static bool can_miss(const GpuSpec& spec, std::uint64_t instructions);

  /// When a warp of the sub-partition has the instruction, `now` if it is in L0. A jump's target is asked for
  /// when the jump issues.
  Cycle ready(unsigned sub_partition, Pc pc, Cycle now);

 private:
  struct Prefetched {
    std::uint64_t line;
    Cycle arrives;
  };
  struct Front {
    TagArray l0;
    std::deque<Prefetched> stream;  // consecutive lines
  };

  Cycle take_from_stream(Front& front, std::uint64_t line, Cycle now);
  void fill_stream(Front& front, std::uint64_t next, Cycle now);
  Cycle fetch(std::uint64_t line, Cycle now);

  InstructionCacheSpec spec_;
  Cycle l2_latency_;
  std::uint64_t lines_;  // of the kernel
  std::uint64_t per_line_;
  std::vector<Front> fronts_;
  TagArray l1_;
};

}  // namespace heddle::sim
