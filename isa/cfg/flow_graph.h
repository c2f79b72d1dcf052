// A kernel's basic blocks and the edges between them.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/base/types.h"
#include "isa/ir/kernel.h"

namespace heddle::cfg {

using BlockIndex = std::uint32_t;

/// Instructions that a lane always executes one after another, from the first to the last.
struct BasicBlock {
  Pc begin = 0;
  Pc end = 0;                          ///< One more than the Pc of the last instruction.
  std::vector<BlockIndex> successors;  ///< Each block once; empty if all lanes exit.
  std::vector<BlockIndex> predecessors;
  bool may_exit = false;  ///< A guarded EXIT or RET is in it.
};

/// The blocks in program order; the kernel begins at the first. A guarded EXIT does not end a block, because
/// the lanes that stay go on below it. If the kernel has indirect jumps, which can lead to any label, an
/// empty block follows the last one; it has an edge to each label.
struct FlowGraph {
  std::vector<BasicBlock> blocks;
  std::vector<BlockIndex> block_of;  ///< By Pc.
};

/// How to treat an excursion, which is a jump that comes back: a call, or an indirect jump between a BSSY and
/// its reconvergence point.
enum class Excursions : std::uint8_t {
  /// As a jump. A call also has an edge to the next instruction, because what is executed before it returns
  /// is not analysed.
  Followed,
  /// As if it had come back: a call is an ordinary instruction, and an indirect jump leads to the
  /// reconvergence point.
  SteppedOver,
};

/// The flow graph of an assembled kernel. A RET ends a path.
FlowGraph make_flow_graph(const ir::Kernel& kernel, Excursions excursions = Excursions::Followed);

}  // namespace heddle::cfg
