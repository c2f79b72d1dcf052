// Immediate post-dominators: the first block that every path from a block to the end must pass.
#pragma once

#include <vector>

#include "isa/cfg/flow_graph.h"

namespace heddle::cfg {

/// Stands for the end of the kernel, where all paths meet after their EXITs.
inline constexpr BlockIndex kEndOfKernel = ~BlockIndex{0};

/// The immediate post-dominator of each block; it can be kEndOfKernel. In a loop whose only exit is a guarded
/// EXIT, the last block in the text counts as leading to the end, so that paths meet within the loop. Takes
/// time proportional to edges times the logarithm of blocks, on any graph.
std::vector<BlockIndex> immediate_postdominators(const FlowGraph& graph);

}  // namespace heddle::cfg
