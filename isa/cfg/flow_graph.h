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
/// the lanes that stay go on below it.
struct FlowGraph {
  std::vector<BasicBlock> blocks;
  std::vector<BlockIndex> block_of;  ///< By Pc.
};

/// The flow graph of an assembled kernel.
FlowGraph make_flow_graph(const ir::Kernel& kernel);

}  // namespace heddle::cfg
