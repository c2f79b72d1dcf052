// Liveness: where registers hold values that may be read later, guards taken into account.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/cfg/flow_graph.h"
#include "isa/lower/allocate_accesses.h"

namespace heddle::lower {

/// By block, the numbers of the registers that are live where it begins, in ascending order. A register is
/// live only where some path leads from a write to it; but a physical one may have been written before the
/// kernel began. What `@P0` writes is all that `@P0` reads, as long as P0 is the same within the block; and
/// `@P0` and
/// `@!P0` together write for every lane.
struct LiveRegisters {
  std::vector<std::vector<std::uint32_t>> in;
};

/// Also notes of each write whether it `starts` a life. Time and memory in proportion to what is found.
LiveRegisters find_live_registers(Accesses& accesses, const cfg::FlowGraph& graph);

}  // namespace heddle::lower
