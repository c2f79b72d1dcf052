// The prototypes of CUDA's runtime API, so that the host half of a .cu file can be read.
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__

#include "driver_types.h"
#include "vector_types.h"

#ifndef CUDART_VERSION
#define CUDART_VERSION 12040
#endif

#define HEDDLE_API __host__ cudaError_t
// What device code may call too.
#define HEDDLE_API_BOTH __host__ __device__ cudaError_t

enum cudaGetDriverEntryPointFlags {
  cudaEnableDefault,
  cudaEnableLegacyStream,
  cudaEnablePerThreadDefaultStream
};

enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess,
  cudaDriverEntryPointSymbolNotFound,
  cudaDriverEntryPointVersionNotSufficent
};

extern "C" {
HEDDLE_API cudaDeviceReset(void);
HEDDLE_API_BOTH cudaDeviceSynchronize(void);
HEDDLE_API cudaThreadSynchronize(void);
HEDDLE_API cudaThreadExit(void);
HEDDLE_API cudaDeviceSetLimit(cudaLimit limit, size_t value);
HEDDLE_API cudaDeviceGetLimit(size_t* value, cudaLimit limit);
HEDDLE_API cudaDeviceSetCacheConfig(cudaFuncCache config);
HEDDLE_API cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
HEDDLE_API cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
HEDDLE_API cudaDeviceGetPCIBusId(char* id, int length, int device);
HEDDLE_API cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int from, int to);
HEDDLE_API cudaDeviceCanAccessPeer(int* can, int device, int peer);
HEDDLE_API cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
HEDDLE_API cudaDeviceDisablePeerAccess(int peer);
HEDDLE_API cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
HEDDLE_API cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
HEDDLE_API cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
HEDDLE_API cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value);
HEDDLE_API cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value);
HEDDLE_API cudaDeviceGraphMemTrim(int device);
HEDDLE_API cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties);
HEDDLE_API cudaMemPoolDestroy(cudaMemPool_t pool);
HEDDLE_API cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
HEDDLE_API cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
HEDDLE_API cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);
HEDDLE_API cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list, size_t count);
HEDDLE_API cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location);
HEDDLE_API_BOTH cudaGetLastError(void);
HEDDLE_API_BOTH cudaPeekAtLastError(void);
__host__ __device__ const char* cudaGetErrorName(cudaError_t error);
__host__ __device__ const char* cudaGetErrorString(cudaError_t error);
HEDDLE_API_BOTH cudaGetDeviceCount(int* count);
// As CUDA 12 has it: the structure grew, and what was compiled before keeps the old function.
#define cudaGetDeviceProperties cudaGetDeviceProperties_v2
HEDDLE_API cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
HEDDLE_API_BOTH cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
HEDDLE_API cudaChooseDevice(int* device, const cudaDeviceProp* properties);
HEDDLE_API cudaSetDevice(int device);
HEDDLE_API_BOTH cudaGetDevice(int* device);
HEDDLE_API cudaSetValidDevices(int* devices, int count);
HEDDLE_API cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);
HEDDLE_API cudaSetDeviceFlags(unsigned int flags);
HEDDLE_API cudaGetDeviceFlags(unsigned int* flags);
HEDDLE_API cudaDriverGetVersion(int* version);
HEDDLE_API cudaRuntimeGetVersion(int* version);
HEDDLE_API cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                   cudaDriverEntryPointQueryResult* status = 0);
HEDDLE_API cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned int version,
                                            unsigned long long flags, cudaDriverEntryPointQueryResult* status = 0);
HEDDLE_API cudaProfilerStart(void);
HEDDLE_API cudaProfilerStop(void);

HEDDLE_API cudaStreamCreate(cudaStream_t* stream);
HEDDLE_API_BOTH cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
HEDDLE_API cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority);
HEDDLE_API_BOTH cudaStreamDestroy(cudaStream_t stream);
HEDDLE_API_BOTH cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0);
HEDDLE_API cudaStreamSynchronize(cudaStream_t stream);
HEDDLE_API cudaStreamGetPriority(cudaStream_t stream, int* priority);
HEDDLE_API cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags);
HEDDLE_API cudaStreamQuery(cudaStream_t stream);
HEDDLE_API cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned int flags);
HEDDLE_API cudaStreamAttachMemAsync(cudaStream_t stream, void* memory, size_t length = 0,
                                    unsigned int flags = cudaMemAttachSingle);
HEDDLE_API cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
HEDDLE_API cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
HEDDLE_API cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
HEDDLE_API cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID id, const cudaStreamAttrValue* value);
HEDDLE_API cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID id, cudaStreamAttrValue* value);
HEDDLE_API cudaCtxResetPersistingL2Cache(void);
HEDDLE_API cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);

HEDDLE_API cudaEventCreate(cudaEvent_t* event);
HEDDLE_API_BOTH cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
HEDDLE_API_BOTH cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
HEDDLE_API cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = 0, unsigned int flags = 0);
HEDDLE_API cudaEventQuery(cudaEvent_t event);
HEDDLE_API cudaEventSynchronize(cudaEvent_t event);
HEDDLE_API_BOTH cudaEventDestroy(cudaEvent_t event);
HEDDLE_API cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);

HEDDLE_API cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                            cudaStream_t stream);
HEDDLE_API cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments);
HEDDLE_API cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                       size_t shared, cudaStream_t stream);
HEDDLE_API cudaFuncSetCacheConfig(const void* function, cudaFuncCache config);
HEDDLE_API cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig config);
HEDDLE_API_BOTH cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function);
HEDDLE_API cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value);
HEDDLE_API_BOTH cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block,
                                                              size_t shared);
HEDDLE_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int block,
                                                                  size_t shared, unsigned int flags);
HEDDLE_API cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks, int block);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream);

HEDDLE_API cudaMallocManaged(void** pointer, size_t size, unsigned int flags = cudaMemAttachGlobal);
HEDDLE_API_BOTH cudaMalloc(void** pointer, size_t size);
HEDDLE_API cudaMallocHost(void** pointer, size_t size);
HEDDLE_API cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height);
HEDDLE_API cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent);
HEDDLE_API cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* description, size_t width,
                           size_t height = 0, unsigned int flags = 0);
HEDDLE_API cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* description, cudaExtent extent,
                             unsigned int flags = 0);
HEDDLE_API cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream);
HEDDLE_API cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream);
HEDDLE_API cudaFreeAsync(void* pointer, cudaStream_t stream);
HEDDLE_API_BOTH cudaFree(void* pointer);
HEDDLE_API cudaFreeHost(void* pointer);
HEDDLE_API cudaFreeArray(cudaArray_t array);
HEDDLE_API cudaHostAlloc(void** pointer, size_t size, unsigned int flags);
HEDDLE_API cudaHostRegister(void* pointer, size_t size, unsigned int flags);
HEDDLE_API cudaHostUnregister(void* pointer);
HEDDLE_API cudaHostGetDevicePointer(void** device, void* host, unsigned int flags);
HEDDLE_API cudaHostGetFlags(unsigned int* flags, void* host);
HEDDLE_API cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer);
HEDDLE_API cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned int flags);
HEDDLE_API cudaIpcCloseMemHandle(void* pointer);
HEDDLE_API cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event);
HEDDLE_API cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle);
HEDDLE_API cudaMemGetInfo(size_t* available, size_t* total);
HEDDLE_API cudaMemcpy(void* to, const void* from, size_t count, cudaMemcpyKind kind);
HEDDLE_API cudaMemcpyPeer(void* to, int toDevice, const void* from, int fromDevice, size_t count);
HEDDLE_API cudaMemcpyPeerAsync(void* to, int toDevice, const void* from, int fromDevice, size_t count,
                               cudaStream_t stream = 0);
HEDDLE_API cudaMemcpy2D(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width, size_t height,
                        cudaMemcpyKind kind);
HEDDLE_API cudaMemcpy2DAsync(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width,
                             size_t height, cudaMemcpyKind kind, cudaStream_t stream = 0);
HEDDLE_API cudaMemcpy3D(const cudaMemcpy3DParms* parameters);
HEDDLE_API cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream = 0);
HEDDLE_API cudaMemcpyToArray(cudaArray_t to, size_t w, size_t h, const void* from, size_t count, cudaMemcpyKind kind);
HEDDLE_API cudaMemcpy2DToArray(cudaArray_t to, size_t w, size_t h, const void* from, size_t pitch, size_t width,
                               size_t height, cudaMemcpyKind kind);
HEDDLE_API cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t w, size_t h, size_t count, cudaMemcpyKind kind);
HEDDLE_API cudaArrayGetInfo(cudaChannelFormatDesc* description, cudaExtent* extent, unsigned int* flags,
                            cudaArray_t array);
HEDDLE_API cudaGetChannelDesc(cudaChannelFormatDesc* description, cudaArray_const_t array);
HEDDLE_API cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t w, size_t h, size_t width,
                                 size_t height, cudaMemcpyKind kind);
HEDDLE_API_BOTH cudaMemcpyAsync(void* to, const void* from, size_t count, cudaMemcpyKind kind,
                                cudaStream_t stream = 0);
HEDDLE_API cudaMemcpyToSymbol(const void* symbol, const void* from, size_t count, size_t offset = 0,
                              cudaMemcpyKind kind = cudaMemcpyHostToDevice);
HEDDLE_API cudaMemcpyFromSymbol(void* to, const void* symbol, size_t count, size_t offset = 0,
                                cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
HEDDLE_API cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t count, size_t offset,
                                   cudaMemcpyKind kind, cudaStream_t stream = 0);
HEDDLE_API cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t count, size_t offset,
                                     cudaMemcpyKind kind, cudaStream_t stream = 0);
HEDDLE_API cudaMemset(void* pointer, int value, size_t count);
HEDDLE_API_BOTH cudaMemsetAsync(void* pointer, int value, size_t count, cudaStream_t stream = 0);
HEDDLE_API cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height);
HEDDLE_API cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent);
HEDDLE_API cudaGetSymbolAddress(void** pointer, const void* symbol);
HEDDLE_API cudaGetSymbolSize(size_t* size, const void* symbol);
HEDDLE_API cudaMemPrefetchAsync(const void* pointer, size_t count, int device, cudaStream_t stream = 0);
HEDDLE_API cudaMemAdvise(const void* pointer, size_t count, cudaMemoryAdvise advice, int device);
HEDDLE_API cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);

HEDDLE_API cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                   const cudaTextureDesc* texture, const void* view);
HEDDLE_API cudaDestroyTextureObject(cudaTextureObject_t object);
HEDDLE_API cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource);
HEDDLE_API cudaDestroySurfaceObject(cudaSurfaceObject_t object);
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind);

HEDDLE_API cudaGraphCreate(cudaGraph_t* graph, unsigned int flags);
HEDDLE_API cudaGraphDestroy(cudaGraph_t graph);
HEDDLE_API cudaGraphExecDestroy(cudaGraphExec_t graph);
HEDDLE_API cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream);
HEDDLE_API cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
HEDDLE_API cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph);
HEDDLE_API cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                  size_t count, const cudaKernelNodeParams* parameters);
HEDDLE_API cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                  size_t count, const cudaMemcpy3DParms* parameters);
HEDDLE_API cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                  size_t count, const cudaMemsetParams* parameters);
HEDDLE_API cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                size_t count, const cudaHostNodeParams* parameters);
HEDDLE_API cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags = 0);
HEDDLE_API cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags = 0);
HEDDLE_API cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream);
HEDDLE_API cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                    size_t count);
HEDDLE_API cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before, size_t count);
HEDDLE_API cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                    size_t count, cudaMemAllocNodeParams* parameters);
HEDDLE_API cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                   size_t count, void* pointer);
HEDDLE_API cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                                    size_t count, void* to, const void* from, size_t bytes, cudaMemcpyKind kind);

// What device code launches kernels with. The forms without V2 are of CUDA 11: headers name them, no kernel can call them.
HEDDLE_API_BOTH __cudaDeviceSynchronizeDeprecationAvoidance(void);
__host__ __device__ void* cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ void* cudaGetParameterBufferV2(void* function, dim3 grid, dim3 block, unsigned int shared);
__device__ cudaError_t cudaLaunchDeviceV2(void* parameters, cudaStream_t stream);
HEDDLE_API_BOTH cudaLaunchDevice(void* function, void* parameters, dim3 grid, dim3 block, unsigned int shared,
                                 cudaStream_t stream);
}

static inline HEDDLE_API cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, cudaGraphNode_t*,
                                              char*, size_t) {
  return cudaGraphInstantiate(executable, graph, 0ULL);
}
static inline HEDDLE_API cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}

// As CUDA 13 has them.
static inline HEDDLE_API cudaMemPrefetchAsync(const void* pointer, size_t count, cudaMemLocation location, unsigned int,
                                              cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(pointer, count, location.id, stream);
}
static inline HEDDLE_API cudaMemAdvise(const void* pointer, size_t count, cudaMemoryAdvise advice,
                                       cudaMemLocation location) {
  return cudaMemAdvise(pointer, count, advice, location.id);
}

static inline __host__ cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return cudaExtent{w, h, d}; }
static inline __host__ cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return cudaPos{x, y, z}; }
static inline __host__ cudaPitchedPtr make_cudaPitchedPtr(void* p, size_t pitch, size_t xs, size_t ys) {
  return cudaPitchedPtr{p, pitch, xs, ys};
}

#undef HEDDLE_API
#undef HEDDLE_API_BOTH

#endif
