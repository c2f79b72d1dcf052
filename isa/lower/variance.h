// Which branches can lead the lanes of a warp different ways.
#pragma once

#include <vector>

#include "isa/cfg/flow_graph.h"
#include "isa/ir/kernel.h"

namespace heddle::lower {

/// Parameters, sizes and the block's place are the same for all lanes of a warp, and so is what is computed
/// from them where all lanes are together. For each block of the graph, whether its last instruction is a
/// branch that lanes may take apart.
std::vector<bool> divergent_branches(const ir::Kernel& kernel, const cfg::FlowGraph& graph,
                                     const std::vector<cfg::BlockIndex>& postdominators);

/// The blocks on the ways from a block to another one, without both, unless the first can be reached again.
std::vector<bool> blocks_between(const cfg::FlowGraph& graph, cfg::BlockIndex from, cfg::BlockIndex to);

}  // namespace heddle::lower
