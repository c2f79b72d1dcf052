// The guards are those of the toolkit, since programs ask for them and parts of an installed one may be found.
// What NVIDIA's compiler includes before each .cu file, for clang without NVIDIA's toolkit: qualifiers, vector
// types, built-in variables, the runtime API's prototypes, atomics, intrinsics and device mathematics. Clang's own
// CUDA headers do the larger part; they are made to be included in this order.
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#define CUDA_VERSION 12040
#define CUDART_VERSION 12040
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 0
#define __CUDA_API_VERSION 12040

#if !defined(__CUDA__) || !defined(__clang__)
// Host code in plain C++ sees the API alone.
#include "cuda_runtime_api.h"
#include "vector_functions.h"
#include "vector_types.h"
#include "__heddle_api_templates.h"
#else

// What CUDA's own functions do belongs to the lines that call them: clang 14 does not write where it has inlined code,
// but gives code of functions without lines the line of the call.
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

#include <__clang_cuda_math_forward_declares.h>

// libstdc++ keeps __float128 to itself when this is defined.
#define __CUDACC__ 1
// Programs ask for it to know whether there are qualifiers.
#define __NVCC__ 1
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#include <cmath>
#include <cstdlib>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cuda_runtime_api.h"
#include "host_defines.h"
#include "vector_functions.h"
#include "vector_types.h"

typedef unsigned int cuuint32_t;
typedef unsigned long cuuint64_t;

#pragma push_macro("__CUDA_ARCH__")
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 9999
#endif

#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#include <__clang_cuda_cmath.h>
// Newer versions of clang use, for compute capability 9.0, and define some of what __heddle_intrinsics.h does.
__device__ static inline unsigned int __isShared(const void*);
__device__ static inline size_t __cvta_generic_to_shared(const void*);
#define __reduce_add_sync __clang_reduce_add_sync
#define __reduce_min_sync __clang_reduce_min_sync
#define __reduce_max_sync __clang_reduce_max_sync
#define __reduce_and_sync __clang_reduce_and_sync
#define __reduce_or_sync __clang_reduce_or_sync
#define __reduce_xor_sync __clang_reduce_xor_sync
#include <__clang_cuda_intrinsics.h>
#undef __reduce_add_sync
#undef __reduce_min_sync
#undef __reduce_max_sync
#undef __reduce_and_sync
#undef __reduce_or_sync
#undef __reduce_xor_sync
#include <__clang_cuda_complex_builtins.h>

#pragma pop_macro("__CUDA_ARCH__")

extern "C" {
__device__ int vprintf(const char*, const char*);
__device__ int printf(const char*, ...);
__device__ void free(void*) __attribute__((nothrow));
__device__ void* malloc(size_t) __attribute__((nothrow, malloc));
__device__ void __assertfail(const char* message, const char* file, unsigned line, const char* function, size_t size);
__device__ static inline void __assert_fail(const char* message, const char* file, unsigned line,
                                            const char* function) {
  __assertfail(message, file, line, function, sizeof(char));
}
}

namespace std {
__device__ static inline void free(void* pointer) { ::free(pointer); }
__device__ static inline void* malloc(size_t size) { return ::malloc(size); }
}  // namespace std

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return {x, y, z}; }

#include "__heddle_api_templates.h"
#include "__heddle_atomics.h"
#include "__heddle_barriers.h"
#include "__heddle_device_launch.h"
#include "__heddle_dpx.h"
#include "__heddle_intrinsics.h"
#include "__heddle_math.h"
#include "__heddle_std_device.h"
#include "__heddle_textures.h"
#ifdef HEDDLE_TEXTURE_REFERENCES
#include "__heddle_texture_references.h"
#endif
#ifndef __CUDA_ARCH__
#include "__heddle_managed.h"
#endif
#ifdef HEDDLE_RDC
// Clang registers what has kernels or variables, and other files may call the functions of a file that has neither.
static __device__ __attribute__((used)) char __heddle_registers_file;
#endif

#pragma clang attribute pop

#endif  // CUDA C++
#endif
