// The prototypes of CUDA's runtime API. Of all that is linked into this library only these functions, and
// those that compilers call, are seen from outside.
#pragma once

#define HEDDLE_DRIVER_ONE_FORM
#pragma GCC visibility push(default)
#include "tools/cuda/include/__heddle_texture_reference_api.h"
#include "tools/cuda/include/cuda.h"
#include "tools/cuda/include/cuda_runtime_api.h"

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
char __cudaInitModule(void** handle);
// Heddle's own, of its cuda_runtime.h: where the program has its __managed__ variables. Called before it registers them.
void __heddleRegisterManaged(void* begin, void* end);
void __cudaRegisterFunction(void** handle, const char* host_function, char* device_function,
                            const char* device_name, int thread_limit, uint3* thread, uint3* block,
                            dim3* block_size, dim3* grid_size, int* warp_size);
void __cudaRegisterVar(void** handle, char* host_variable, char* device_address, const char* device_name,
                       int is_external, size_t size, int is_constant, int is_global);
void __cudaRegisterManagedVar(void** handle, void** host_pointer, char* device_address,
                              const char* device_name, int is_external, size_t size, int is_constant,
                              int is_global);
void __cudaRegisterTexture(void** handle, const textureReference* reference, const void** device_address,
                           const char* device_name, int kind, int is_normalized, int is_external);
// What stubs of CUDA 12.1 and later call: a kernel stands for itself.
cudaError_t __cudaGetKernel(const void** kernel, const void* host_function);
cudaError_t __cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                               cudaStream_t stream);
}
#pragma GCC visibility pop
