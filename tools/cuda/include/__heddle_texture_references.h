// Texture references, texture<float, 2> name, which CUDA 12 took away and older programs use. heddle cuda
// includes them for files that name them. Clang makes of such a variable an opaque one of device code: here
// it holds the texture object that the host has bound.
#ifndef HEDDLE_TEXTURE_REFERENCES_H
#define HEDDLE_TEXTURE_REFERENCES_H

#include "__heddle_texture_reference_api.h"

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC

template <class T, int texType = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  texture(int norm = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
          cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(norm, filter, address, cudaCreateChannelDesc<T>()) {}
  texture(int norm, cudaTextureFilterMode filter, cudaTextureAddressMode address,
          cudaChannelFormatDesc format)
      : textureReference{
            norm, filter, {address, address, address}, format, 0, 0, cudaFilterModePoint, 0, 0, 0, 0, {}} {}
};

#define HEDDLE_REFERENCE_TEMPLATE template <class T, int type, cudaTextureReadMode mode>
HEDDLE_REFERENCE_TEMPLATE
static inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, type, mode>& reference,
                                          const void* memory, const cudaChannelFormatDesc& format,
                                          size_t size = 0xffffffff) {
  return ::cudaBindTexture(offset, (const textureReference*)&reference, memory, &format, size);
}
HEDDLE_REFERENCE_TEMPLATE
static inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, type, mode>& reference,
                                          const void* memory, size_t size = 0xffffffff) {
  return cudaBindTexture(offset, reference, memory, reference.channelDesc, size);
}
HEDDLE_REFERENCE_TEMPLATE
static inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, type, mode>& reference,
                                            const void* memory, const cudaChannelFormatDesc& format,
                                            size_t width, size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, (const textureReference*)&reference, memory, &format, width, height,
                             pitch);
}
HEDDLE_REFERENCE_TEMPLATE
static inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, type, mode>& reference,
                                            const void* memory, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, reference, memory, reference.channelDesc, width, height, pitch);
}
HEDDLE_REFERENCE_TEMPLATE
static inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& reference,
                                                 cudaArray_const_t array,
                                                 const cudaChannelFormatDesc& format) {
  return ::cudaBindTextureToArray((const textureReference*)&reference, array, &format);
}
HEDDLE_REFERENCE_TEMPLATE
static inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& reference,
                                                 cudaArray_const_t array) {
  return cudaBindTextureToArray(reference, array, reference.channelDesc);
}
HEDDLE_REFERENCE_TEMPLATE
static inline cudaError_t cudaUnbindTexture(const texture<T, type, mode>& reference) {
  return ::cudaUnbindTexture((const textureReference*)&reference);
}
HEDDLE_REFERENCE_TEMPLATE
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t* offset,
                                                        const texture<T, type, mode>& reference) {
  return ::cudaGetTextureAlignmentOffset(offset, (const textureReference*)&reference);
}

// What a fetch gives: integers can become floats.
template <class T, cudaTextureReadMode mode, unsigned int count = __heddle_texel<T>::count>
struct __heddle_fetched {
  using type = T;
};
template <class T>
struct __heddle_fetched<T, cudaReadModeNormalizedFloat, 1> {
  using type = float;
};
template <class T>
struct __heddle_fetched<T, cudaReadModeNormalizedFloat, 2> {
  using type = float2;
};
template <class T>
struct __heddle_fetched<T, cudaReadModeNormalizedFloat, 4> {
  using type = float4;
};

HEDDLE_REFERENCE_TEMPLATE
static __inline__ __device__ cudaTextureObject_t __heddle_bound(texture<T, type, mode> reference) {
  cudaTextureObject_t object = 0;
#ifdef __CUDA_ARCH__
  unsigned long long place;
  asm("mov.u64 %0, %1;" : "=l"(place) : "l"(reference));
  object = *(const cudaTextureObject_t*)place;
#endif
  return object;
}

#define HEDDLE_FETCH_REFERENCE(name, kind, parameters, arguments)                                            \
  template <class T, cudaTextureReadMode mode>                                                               \
  static __inline__ __device__ typename __heddle_fetched<T, mode>::type name(                                \
      texture<T, kind, mode> reference, HEDDLE_LIST parameters) {                                            \
    return name<typename __heddle_fetched<T, mode>::type>(__heddle_bound(reference), HEDDLE_LIST arguments); \
  }
#define HEDDLE_LIST(...) __VA_ARGS__
HEDDLE_FETCH_REFERENCE(tex1Dfetch, cudaTextureType1D, (int x), (x))
HEDDLE_FETCH_REFERENCE(tex1D, cudaTextureType1D, (float x), (x))
HEDDLE_FETCH_REFERENCE(tex2D, cudaTextureType2D, (float x, float y), (x, y))
HEDDLE_FETCH_REFERENCE(tex3D, cudaTextureType3D, (float x, float y, float z), (x, y, z))
HEDDLE_FETCH_REFERENCE(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), (x, layer))
HEDDLE_FETCH_REFERENCE(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), (x, y, layer))
HEDDLE_FETCH_REFERENCE(texCubemap, cudaTextureTypeCubemap, (float x, float y, float z), (x, y, z))
#undef HEDDLE_LIST
#undef HEDDLE_FETCH_REFERENCE
#undef HEDDLE_REFERENCE_TEMPLATE

#endif
