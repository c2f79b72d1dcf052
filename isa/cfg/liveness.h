// Which registers, physical or virtual, hold values at a place of a kernel that may be read later.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/cfg/flow_graph.h"
#include "isa/ir/registers.h"

namespace heddle::cfg {

/// A register's place in Liveness::registers.
using RegisterNumber = std::uint32_t;

/// A register is live where a path leads to a read of it on which it is not written before. What a guarded
/// instruction writes may stay as it was, so that such a write ends no life. Paths are those of one lane: of
/// a uniform register, lanes that went another way may still want the value.
struct Liveness {
  std::vector<ir::RegisterName> registers;            ///< All that the kernel names, in ascending order.
  std::vector<std::vector<RegisterNumber>> live_in;   ///< By block, where it begins; in ascending order.
  std::vector<std::vector<RegisterNumber>> live_out;  ///< By block, where it ends.

  /// The number of a register that the kernel names.
  [[nodiscard]] RegisterNumber number_of(ir::RegisterName name) const;
};

/// Takes time and memory in proportion to instructions and to what it finds, times the logarithm of
/// registers.
Liveness make_liveness(const ir::Kernel& kernel, const FlowGraph& graph);

/// What is live before an instruction is carried out, in ascending order: its block is walked from its end.
std::vector<RegisterNumber> live_before(const ir::Kernel& kernel, const FlowGraph& graph,
                                        const Liveness& liveness, Pc pc);

}  // namespace heddle::cfg
