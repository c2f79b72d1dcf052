// The C++ half of CUDA's runtime API: overloads that take typed pointers, symbols and kernels.
#ifndef HEDDLE_API_TEMPLATES_H
#define HEDDLE_API_TEMPLATES_H

template <class T>
static inline __host__ __device__ cudaError_t cudaMalloc(T** pointer, size_t size) {
  return ::cudaMalloc((void**)(void*)pointer, size);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T** pointer, size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void**)(void*)pointer, size, flags);
}
template <class T>
static inline cudaError_t cudaMallocHost(T** pointer, size_t size, unsigned int = 0) {
  return ::cudaMallocHost((void**)(void*)pointer, size);
}
template <class T>
static inline cudaError_t cudaHostAlloc(T** pointer, size_t size, unsigned int flags) {
  return ::cudaHostAlloc((void**)(void*)pointer, size, flags);
}
template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return ::cudaHostGetDevicePointer((void**)(void*)device, host, flags);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void**)(void*)pointer, pitch, width, height);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync((void**)(void*)pointer, size, stream);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)(void*)pointer, size, pool, stream);
}
template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)(void*)pointer, size, pool, stream);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t count, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void*)&symbol, from, count, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t count, size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, (const void*)&symbol, count, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t count,
                                                  size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void*)&symbol, from, count, offset, kind, stream);
}
template <class T>
static inline cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return ::cudaGetSymbolAddress(pointer, (const void*)&symbol);
}
template <class T>
static inline cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return ::cudaGetSymbolSize(size, (const void*)&symbol);
}
template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T* function, cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig((const void*)function, config);
}
template <class T>
static inline cudaError_t cudaFuncSetAttribute(T* function, cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute((const void*)function, attribute, value);
}
template <class T>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* function) {
  return ::cudaFuncGetAttributes(attributes, (const void*)function);
}
template <class T>
static inline cudaError_t cudaLaunchKernel(T* function, dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                                           cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void*)function, grid, block, arguments, shared, stream);
}
template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(T* function, dim3 grid, dim3 block, void** arguments,
                                                      size_t shared = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void*)function, grid, block, arguments, shared, stream);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T function, int block,
                                                                        size_t shared) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)function, block, shared);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T function, int block,
                                                                                 size_t shared,
                                                                                 unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)function, block, shared,
                                                                  flags);
}
// The block size, a multiple of a warp, with which most threads are resident.
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, T function, size_t shared = 0,
                                                             int limit = 0) {
  cudaFuncAttributes attributes;
  cudaError_t error = ::cudaFuncGetAttributes(&attributes, (const void*)function);
  if (error != cudaSuccess) return error;
  int device = 0, sms = 0, best = 0;
  if ((error = ::cudaGetDevice(&device)) != cudaSuccess) return error;
  if ((error = ::cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device)) != cudaSuccess) return error;
  int largest = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < largest) largest = limit;
  for (int size = largest; size > 0; size = (size - 1) / 32 * 32) {
    int blocks = 0;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)function, size, shared);
    if (error != cudaSuccess) return error;
    if (blocks * size <= best) continue;
    best = blocks * size;
    *grid = blocks * sms;
    *block = size;
  }
  return cudaSuccess;
}

template <class T>
struct __heddle_channel {
  static constexpr int bits = sizeof(T) * 8;
  static constexpr cudaChannelFormatKind kind = T(0.5f) != T(0)   ? cudaChannelFormatKindFloat
                                                : T(-1) < T(0) ? cudaChannelFormatKindSigned
                                                               : cudaChannelFormatKindUnsigned;
};
template <class T>
static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return ::cudaCreateChannelDesc(__heddle_channel<T>::bits, 0, 0, 0, __heddle_channel<T>::kind);
}
#define HEDDLE_CHANNELS(name, type)                                                                              \
  template <>                                                                                                    \
  inline cudaChannelFormatDesc cudaCreateChannelDesc<name##2>() {                                                \
    constexpr int bits = __heddle_channel<type>::bits;                                                           \
    return ::cudaCreateChannelDesc(bits, bits, 0, 0, __heddle_channel<type>::kind);                              \
  }                                                                                                              \
  template <>                                                                                                    \
  inline cudaChannelFormatDesc cudaCreateChannelDesc<name##4>() {                                                \
    constexpr int bits = __heddle_channel<type>::bits;                                                           \
    return ::cudaCreateChannelDesc(bits, bits, bits, bits, __heddle_channel<type>::kind);                        \
  }
HEDDLE_CHANNELS(char, signed char)
HEDDLE_CHANNELS(uchar, unsigned char)
HEDDLE_CHANNELS(short, short)
HEDDLE_CHANNELS(ushort, unsigned short)
HEDDLE_CHANNELS(int, int)
HEDDLE_CHANNELS(uint, unsigned int)
HEDDLE_CHANNELS(float, float)
#undef HEDDLE_CHANNELS

#endif
