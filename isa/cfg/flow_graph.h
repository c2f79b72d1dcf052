// A kernel's basic blocks and the edges between them.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/base/types.h"
#include "isa/ir/kernel.h"

namespace heddle::cfg {

using BlockIndex = std::uint32_t;

/// Instructions that a lane executes one after the other: it enters at the first and leaves at the last.
struct BasicBlock {
  Pc begin = 0;
  Pc end = 0;                          ///< Behind the last instruction.
  std::vector<BlockIndex> successors;  ///< No block twice; none where all lanes exit.
  std::vector<BlockIndex> predecessors;
};

/// The blocks in the order of the text; the first is where the kernel begins. A guarded EXIT ends no block:
/// the lanes that stay go on below it. Where a kernel jumps indirectly, which may be to any label, a block without
/// instructions follows behind the last: from there an edge leads to each label.
struct FlowGraph {
  std::vector<BasicBlock> blocks;
  std::vector<BlockIndex> block_of;  ///< By Pc.
};

/// What a way out is that leads back, to whoever looks at a kernel: a call, or an indirect jump between a
/// BSSY and the place where that has the lanes meet.
enum class Excursions : std::uint8_t {
  Followed,  ///< A jump. A call may also go on with the next instruction: what is done on the way back is not
             ///< known.
  SteppedOver,  ///< What is called comes back, so that a call is an instruction like others; a jump leads to
                ///< the place.
};

/// The flow graph of an assembled kernel. A RET ends a path.
FlowGraph make_flow_graph(const ir::Kernel& kernel, Excursions excursions = Excursions::Followed);

}  // namespace heddle::cfg
