// The functions of graphs, and of capturing them.
#include <algorithm>
#include <utility>

#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/copy.h"
#include "tools/cuda/runtime/failure.h"
#include "tools/cuda/runtime/graph.h"
#include "tools/cuda/runtime/host_call.h"
#include "tools/cuda/runtime/launch.h"

using heddle::cudart::Failure;
using heddle::cudart::Gpu;
using heddle::cudart::gpu_call;
using heddle::cudart::Operation;
using heddle::cudart::owner_call;
using heddle::cudart::require;

namespace {

/// Adds a node that does the operation which `make` makes of the GPU.
template <typename Make>
cudaError_t added(const char* function, cudaGraphNode_t* node, cudaGraph_t graph,
                  const cudaGraphNode_t* after, std::size_t count, const Make& make) {
  return gpu_call(function, [&](Gpu& gpu) {
    require(node != nullptr && graph != nullptr, "there is no graph, or no place for the node");
    *node = graph->add(make(gpu), after, count);
  });
}

Operation launch_of(Gpu& gpu, const cudaKernelNodeParams& asked) {
  return heddle::cudart::prepare(
      gpu, {asked.func, asked.gridDim, asked.blockDim, asked.kernelParams, asked.sharedMemBytes});
}

cudaError_t instantiated(const char* function, cudaGraphExec_t* executable, cudaGraph_t graph) {
  return gpu_call(function, [&](Gpu&) {
    require(executable != nullptr && graph != nullptr,
            "there is no graph, or no place for the executable one");
    auto made = std::make_unique<CUgraphExec_st>();
    for (const CUgraphNode_st* node : graph->in_order()) {
      if (node->operation) made->operations.push_back(node->operation);
    }
    *executable = made.release();
  });
}

}  // namespace

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int) {
  return gpu_call("cudaGraphCreate", [&](Gpu&) {
    require(graph != nullptr, "there is no place for the graph");
    *graph = std::make_unique<CUgraph_st>().release();
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return gpu_call("cudaGraphDestroy", [&](Gpu&) { delete graph; });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return gpu_call("cudaGraphClone", [&](Gpu&) {
    require(clone != nullptr && graph != nullptr, "there is no graph, or no place for its copy");
    *clone = heddle::cudart::copy_of(*graph).release();
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  return instantiated("cudaGraphInstantiate", executable, graph);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long) {
  return instantiated("cudaGraphInstantiateWithFlags", executable, graph);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return gpu_call("cudaGraphExecDestroy", [&](Gpu&) { delete executable; });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return owner_call("cudaGraphLaunch", stream, [&](Gpu& gpu) {
    require(executable != nullptr, "there is no executable graph");
    for (const Operation& operation : executable->operations) gpu.give(stream, operation);
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return gpu_call("cudaGraphGetNodes", [&](Gpu&) {
    require(graph != nullptr && count != nullptr, "there is no graph, or no place for the count");
    const std::size_t wanted = nodes != nullptr ? std::min(*count, graph->nodes.size()) : 0;
    for (std::size_t i = 0; i < wanted; ++i) nodes[i] = graph->nodes[i].get();
    *count = nodes != nullptr ? wanted : graph->nodes.size();
  });
}

[[gnu::weak]] cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t* from,
                                                   const cudaGraphNode_t* to, size_t count) {
  return gpu_call("cudaGraphAddDependencies", [&](Gpu&) { heddle::cudart::order_nodes(from, to, count); });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  size_t count) {
  return added("cudaGraphAddEmptyNode", node, graph, after, count, [](Gpu&) { return Operation(); });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaKernelNodeParams* asked) {
  return added("cudaGraphAddKernelNode", node, graph, after, count,
               [&](Gpu& gpu) { return launch_of(gpu, *asked); });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaMemcpy3DParms* asked) {
  return added("cudaGraphAddMemcpyNode", node, graph, after, count, [&](Gpu&) -> Operation {
    return [request = heddle::cudart::box(*asked)](Gpu& gpu, cudaStream_t stream) {
      heddle::cudart::submit_copy(gpu, request, stream);
    };
  });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, void* to, const void* from, size_t bytes,
                                     cudaMemcpyKind kind) {
  return added("cudaGraphAddMemcpyNode1D", node, graph, after, count, [&](Gpu&) -> Operation {
    return [request = heddle::cudart::line(to, from, bytes, kind)](Gpu& gpu, cudaStream_t stream) {
      heddle::cudart::submit_copy(gpu, request, stream);
    };
  });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaMemsetParams* asked) {
  return added("cudaGraphAddMemsetNode", node, graph, after, count, [&](Gpu&) -> Operation {
    return [set = *asked](Gpu& gpu, cudaStream_t stream) {
      heddle::cudart::submit_fill(gpu, heddle::cudart::rows_to_fill(set), set.value, set.elementSize, stream);
    };
  });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 size_t count, const cudaHostNodeParams* asked) {
  return added("cudaGraphAddHostNode", node, graph, after, count, [&](Gpu&) -> Operation {
    return [call = *asked](Gpu& gpu, cudaStream_t stream) {
      heddle::cudart::submit_call(gpu, stream, [call] { call.fn(call.userData); });
    };
  });
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  return owner_call("cudaStreamBeginCapture", stream, [&](Gpu& gpu) {
    CUstream_st* found = gpu.streams.find(stream);
    if (found == nullptr)
      throw Failure(cudaErrorStreamCaptureUnsupported, "the default stream cannot be captured");
    if (found->capture) throw Failure(cudaErrorIllegalState, "the stream is being captured already");
    found->capture = std::make_shared<CUgraph_st>();
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return owner_call("cudaStreamEndCapture", stream, [&](Gpu& gpu) {
    require(graph != nullptr, "there is no place for the graph");
    CUstream_st* found = gpu.streams.find(stream);
    if (found == nullptr || !found->capture)
      throw Failure(cudaErrorIllegalState, "the stream is not being captured");
    const std::shared_ptr<CUgraph_st> captured = found->capture;
    gpu.streams.end_capture(captured);
    *graph = heddle::cudart::copy_of(*captured).release();
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return owner_call("cudaStreamIsCapturing", stream, [&](Gpu& gpu) {
    require(status != nullptr, "there is no place for the status");
    const CUstream_st* found = gpu.streams.find(stream);
    const bool is_capturing = found != nullptr && found->capture != nullptr;
    *status = is_capturing ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  });
}
}
