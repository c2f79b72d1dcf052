// CUDA's qualifiers.
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#if defined(__CUDA__) && defined(__clang__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// Host code has the variable where it says; the runtime lets the GPU use it there. It knows such variables by the section.
#define __managed__ __attribute__((device, section("heddle_managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#ifndef __noinline__
#define __noinline__ __attribute__((noinline))
#endif
#else
// Host code in plain C++ that calls the runtime API.
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif
#define __grid_constant__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __maxnreg__(n)
#define __cluster_dims__(...)
#define __device_builtin__
#define __builtin_align__(n) __align__(n)
#define __cudart_builtin__
#define __nv_pure__ __attribute__((pure))
#define CUDARTAPI
#define CUDART_CB
#define CUDA_CB

#endif
