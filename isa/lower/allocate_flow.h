// The flow graph that register allocation sees.
#pragma once

#include <vector>

#include "isa/cfg/flow_graph.h"

namespace heddle::lower {

/// The flow graph of a kernel with the functions that it calls: a call leads to the function, and each RET of
/// the function to behind each of its calls. A RET under a guard ends a block.
cfg::FlowGraph make_calling_flow(const ir::Kernel& kernel);

/// The loop depth of each block. A loop's back edge leads to where its head is in the text.
std::vector<unsigned> loop_depths(const cfg::FlowGraph& graph);

}  // namespace heddle::lower
