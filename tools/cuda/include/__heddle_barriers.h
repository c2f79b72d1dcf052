// Barriers and fences that clang moves no access of memory over.
//
// clang takes the instructions behind them for ones that nobody but the thread itself writes a __shared__ variable
// around: it keeps what it has read before a barrier for what stands there behind it. An empty statement that may
// write all memory, on either side, says otherwise and costs nothing.
#ifndef HEDDLE_BARRIERS_H
#define HEDDLE_BARRIERS_H

#define HEDDLE_ORDERED static __inline__ __device__ __attribute__((always_inline))
#define HEDDLE_ALL_MEMORY asm volatile("" : : : "memory")
#define HEDDLE_BARRIER(name, parameters, arguments)  \
  HEDDLE_ORDERED void __heddle##name parameters {    \
    HEDDLE_ALL_MEMORY;                               \
    name arguments;                                  \
    HEDDLE_ALL_MEMORY;                               \
  }
#define HEDDLE_REDUCING_BARRIER(name)       \
  HEDDLE_ORDERED int __heddle##name(int a) { \
    HEDDLE_ALL_MEMORY;                      \
    const int result = name(a);             \
    HEDDLE_ALL_MEMORY;                      \
    return result;                          \
  }

HEDDLE_BARRIER(__syncthreads, (), ())
HEDDLE_BARRIER(__syncwarp, (unsigned int mask = 0xffffffffu), (mask))
HEDDLE_BARRIER(__barrier_sync, (unsigned int barrier), (barrier))
HEDDLE_BARRIER(__barrier_sync_count, (unsigned int barrier, unsigned int threads), (barrier, threads))
HEDDLE_BARRIER(__threadfence, (), ())
HEDDLE_BARRIER(__threadfence_block, (), ())
HEDDLE_BARRIER(__threadfence_system, (), ())
HEDDLE_REDUCING_BARRIER(__syncthreads_count)
HEDDLE_REDUCING_BARRIER(__syncthreads_and)
HEDDLE_REDUCING_BARRIER(__syncthreads_or)

#undef HEDDLE_REDUCING_BARRIER
#undef HEDDLE_BARRIER
#undef HEDDLE_ALL_MEMORY
#undef HEDDLE_ORDERED

#define __syncthreads __heddle__syncthreads
#define __syncwarp __heddle__syncwarp
#define __barrier_sync __heddle__barrier_sync
#define __barrier_sync_count __heddle__barrier_sync_count
#define __threadfence __heddle__threadfence
#define __threadfence_block __heddle__threadfence_block
#define __threadfence_system __heddle__threadfence_system
#define __syncthreads_count __heddle__syncthreads_count
#define __syncthreads_and __heddle__syncthreads_and
#define __syncthreads_or __heddle__syncthreads_or

// The place of the set bit that is the offset-th from bit `base` on, upwards or downwards; all ones if there is none. In
// C++, since the instruction fns is slow on GPUs, too: it halves what is left, and all lanes take the same way.
static inline __device__ unsigned int __heddle_fns(unsigned int mask, unsigned int base, int offset) {
  if (offset == 0) return (mask >> base & 1) != 0 ? base : 0xffffffffu;
  // Downwards is upwards in the mask turned round.
  const bool up = offset > 0;
  unsigned int left = (up ? mask : __brev(mask)) & (0xffffffffu << (up ? base : 31u - base));
  unsigned int wanted = up ? (unsigned int)offset : 0u - (unsigned int)offset;
  if (wanted > (unsigned int)__popc(left)) return 0xffffffffu;
  unsigned int place = 0;
  for (unsigned int width = 16; width != 0; width /= 2) {
    const unsigned int below = (unsigned int)__popc(left & ((1u << width) - 1u));
    const bool is_above = wanted > below;
    wanted -= is_above ? below : 0u;
    left >>= is_above ? width : 0u;
    place += is_above ? width : 0u;
  }
  return up ? place : 31u - place;
}
#define __fns(mask, base, offset) __heddle_fns(mask, base, offset)

#endif
