// Graphs: work that is described once and launched many times, built node by node or captured from streams.
//
// A launched graph does one node after the other, in an order that the dependencies allow: branches do not
// overlap.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "tools/cuda/runtime/api.h"

namespace heddle::cudart {

class Gpu;

/// What a stream can be given: a launch, a copy, a call. It is submitted when the function is called.
using Operation = std::function<void(Gpu& gpu, cudaStream_t stream)>;

}  // namespace heddle::cudart

/// What a cudaGraphNode_t points to.
struct CUgraphNode_st {
  heddle::cudart::Operation operation;  ///< Null: the node only orders others.
  std::vector<cudaGraphNode_t> after;   ///< The nodes that it waits for.
};

/// What a cudaGraph_t points to. It owns its nodes.
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;

  cudaGraphNode_t add(heddle::cudart::Operation operation, const cudaGraphNode_t* after = nullptr,
                      std::size_t count = 0);
  /// The nodes so that each comes after those that it waits for. Throws Failure if they wait for each other.
  [[nodiscard]] std::vector<const CUgraphNode_st*> in_order() const;
};

/// What a cudaGraphExec_t points to: a graph as it was when it was instantiated.
struct CUgraphExec_st {
  std::vector<heddle::cudart::Operation> operations;
};

namespace heddle::cudart {

/// Each of `to` waits for that of `from`, whatever kind of edge it is.
void order_nodes(const cudaGraphNode_t* from, const cudaGraphNode_t* to, std::size_t count);

/// The same nodes with the same dependencies.
std::unique_ptr<CUgraph_st> copy_of(const CUgraph_st& graph);

}  // namespace heddle::cudart
