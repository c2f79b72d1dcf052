// Functions of the API that are not there yet: programs that call them link, and are told so when they do.
#include "tools/cuda/runtime/call.h"
#include "tools/cuda/runtime/failure.h"

namespace {

cudaError_t unsupported(const char* function) {
  return heddle::cudart::call(function, [](heddle::cudart::Process&) {
    throw heddle::cudart::Failure(cudaErrorNotSupported, "Heddle's runtime does not have this function yet");
  });
}

}  // namespace

// The parameters of each function are those of its prototype.
#define HEDDLE_UNSUPPORTED(name, ...) \
  cudaError_t name(__VA_ARGS__) { return unsupported(#name); }

extern "C" {

HEDDLE_UNSUPPORTED(cudaDeviceGetDefaultMemPool, cudaMemPool_t*, int)
HEDDLE_UNSUPPORTED(cudaStreamSetAttribute, cudaStream_t, cudaStreamAttrID, const cudaStreamAttrValue*)
HEDDLE_UNSUPPORTED(cudaStreamGetAttribute, cudaStream_t, cudaStreamAttrID, cudaStreamAttrValue*)
HEDDLE_UNSUPPORTED(cudaMallocArray, cudaArray_t*, const cudaChannelFormatDesc*, size_t, size_t, unsigned int)
HEDDLE_UNSUPPORTED(cudaMalloc3DArray, cudaArray_t*, const cudaChannelFormatDesc*, cudaExtent, unsigned int)
HEDDLE_UNSUPPORTED(cudaFreeArray, cudaArray_t)
HEDDLE_UNSUPPORTED(cudaMemcpyToArray, cudaArray_t, size_t, size_t, const void*, size_t, cudaMemcpyKind)
HEDDLE_UNSUPPORTED(cudaMemcpy2DToArray, cudaArray_t, size_t, size_t, const void*, size_t, size_t, size_t,
                   cudaMemcpyKind)
HEDDLE_UNSUPPORTED(cudaMemcpy2DFromArray, void*, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t,
                   cudaMemcpyKind)
HEDDLE_UNSUPPORTED(cudaCreateTextureObject, cudaTextureObject_t*, const cudaResourceDesc*,
                   const cudaTextureDesc*, const void*)
HEDDLE_UNSUPPORTED(cudaDestroyTextureObject, cudaTextureObject_t)
HEDDLE_UNSUPPORTED(cudaCreateSurfaceObject, cudaSurfaceObject_t*, const cudaResourceDesc*)
HEDDLE_UNSUPPORTED(cudaDestroySurfaceObject, cudaSurfaceObject_t)

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
}
