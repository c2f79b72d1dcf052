// Texture references for the host: how one is described, and the functions that bind memory to it. CUDA 12
// has them no more.
#ifndef HEDDLE_TEXTURE_REFERENCE_API_H
#define HEDDLE_TEXTURE_REFERENCE_API_H

#include "cuda_runtime_api.h"

struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  int __cudaReserved[14];
};

extern "C" {
cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference, const void* memory,
                            const cudaChannelFormatDesc* format, size_t size = 0xffffffff);
cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* reference, const void* memory,
                              const cudaChannelFormatDesc* format, size_t width, size_t height, size_t pitch);
cudaError_t cudaBindTextureToArray(const textureReference* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc* format);
cudaError_t cudaUnbindTexture(const textureReference* reference);
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* reference);
cudaError_t cudaGetTextureReference(const textureReference** reference, const void* symbol);
}

#endif
