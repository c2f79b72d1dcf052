// What CUDA 12 has besides: later forms of functions, under names of their own.
#include "tools/cuda/runtime/api.h"

#pragma GCC visibility push(default)
extern "C" {

// Where to: all simulated memory is where it is.
cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t bytes, cudaMemLocation to, unsigned,
                                    cudaStream_t stream) {
  return cudaMemPrefetchAsync(pointer, bytes, to.id, stream);
}

cudaError_t cudaMemAdvise_v2(const void* pointer, size_t bytes, cudaMemoryAdvise advice, cudaMemLocation of) {
  return cudaMemAdvise(pointer, bytes, advice, of.id);
}

cudaError_t cudaEventElapsedTime_v2(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  return cudaEventElapsedTime(milliseconds, from, to);
}

/// Edges of every kind are waited for.
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const void*, size_t count) {
  return cudaGraphAddDependencies(graph, from, to, count);
}
}
#pragma GCC visibility pop
