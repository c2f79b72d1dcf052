// Immediate dominators and post-dominators of basic blocks, in time in proportion to edges times the
// logarithm of blocks, on any graph.
#pragma once

#include <vector>

#include "isa/cfg/flow_graph.h"

namespace heddle::cfg {

/// Stands for the end of the kernel, where all paths meet after their EXITs.
inline constexpr BlockIndex kEndOfKernel = ~BlockIndex{0};

/// The immediate post-dominator of each block: the first block that every path from it to the end must pass;
/// it can be kEndOfKernel. In a loop whose only exit is a guarded EXIT, the block with the EXIT counts as
/// leading to the end, so that paths meet within the loop; without one, the last block in the text does.
std::vector<BlockIndex> immediate_postdominators(const FlowGraph& graph);

/// What the first block has, and blocks that no path reaches.
inline constexpr BlockIndex kNoDominator = ~BlockIndex{0};

/// For each block its immediate dominator: the last block before it that every path from the first one to it
/// must pass.
std::vector<BlockIndex> immediate_dominators(const FlowGraph& graph);

/// The same where paths begin at each of `starts`, as those of functions do that calls step over.
std::vector<BlockIndex> immediate_dominators(const FlowGraph& graph, std::vector<BlockIndex> starts);

}  // namespace heddle::cfg
