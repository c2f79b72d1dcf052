// Barriers and fences that loads and stores do not cross. Clang 14 takes its intrinsics for calls that touch no variable
// of the file, and moves loads of __shared__ and __device__ variables before them. The empty assembly statements may touch
// everything.
#ifndef HEDDLE_BARRIERS_H
#define HEDDLE_BARRIERS_H

#define HEDDLE_ORDERED(call)       \
  {                                \
    asm volatile("" ::: "memory"); \
    call;                          \
    asm volatile("" ::: "memory"); \
  }
#define HEDDLE_ORDERED_COUNT(call) \
  {                                \
    asm volatile("" ::: "memory"); \
    const int result = call;       \
    asm volatile("" ::: "memory"); \
    return result;                 \
  }

static inline __device__ void __heddle_syncthreads() HEDDLE_ORDERED(__syncthreads())
static inline __device__ int __heddle_syncthreads_and(int a) HEDDLE_ORDERED_COUNT(__syncthreads_and(a))
static inline __device__ int __heddle_syncthreads_or(int a) HEDDLE_ORDERED_COUNT(__syncthreads_or(a))
static inline __device__ int __heddle_syncthreads_count(int a) HEDDLE_ORDERED_COUNT(__syncthreads_count(a))
static inline __device__ void __heddle_syncwarp(unsigned int mask = 0xffffffff) HEDDLE_ORDERED(__syncwarp(mask))
static inline __device__ void __heddle_threadfence() HEDDLE_ORDERED(__threadfence())
static inline __device__ void __heddle_threadfence_block() HEDDLE_ORDERED(__threadfence_block())
static inline __device__ void __heddle_threadfence_system() HEDDLE_ORDERED(__threadfence_system())

#undef HEDDLE_ORDERED
#undef HEDDLE_ORDERED_COUNT

#define __syncthreads() __heddle_syncthreads()
#define __syncthreads_and(a) __heddle_syncthreads_and(a)
#define __syncthreads_or(a) __heddle_syncthreads_or(a)
#define __syncthreads_count(a) __heddle_syncthreads_count(a)
#define __syncwarp(...) __heddle_syncwarp(__VA_ARGS__)
#define __threadfence() __heddle_threadfence()
#define __threadfence_block() __heddle_threadfence_block()
#define __threadfence_system() __heddle_threadfence_system()

// The place of the set bit that is the offset-th from bit `base` on, upwards or downwards; all ones if there is none. In
// C++, since the instruction fns is slow on GPUs, too.
static inline __device__ unsigned int __heddle_fns(unsigned int mask, unsigned int base, int offset) {
  if (offset == 0) return (mask >> base & 1) != 0 ? base : 0xffffffffu;
  const int step = offset > 0 ? 1 : -1;
  int left = offset > 0 ? offset : -offset;
  for (int bit = (int)base; bit >= 0 && bit < 32; bit += step)
    if ((mask >> bit & 1) != 0 && --left == 0) return (unsigned int)bit;
  return 0xffffffffu;
}
#define __fns(mask, base, offset) __heddle_fns(mask, base, offset)

#endif
