// Cooperative groups: blocks, tiles of warps, coalesced threads, grids.
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"

// The barrier of a cooperative grid: blocks count up, and the first one adds what makes the top bit change.
static __device__ unsigned int __heddle_grid_barrier;

namespace cooperative_groups {

#define HEDDLE_DEVICE __inline__ __device__ __attribute__((always_inline))

namespace details {
HEDDLE_DEVICE static unsigned int lane() {
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
HEDDLE_DEVICE static unsigned int thread_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
HEDDLE_DEVICE static unsigned int block_size() { return blockDim.x * blockDim.y * blockDim.z; }
HEDDLE_DEVICE static unsigned int lanes_below(unsigned int mask) { return (unsigned int)__popc(mask & ((1u << lane()) - 1u)); }

// Shuffles of any type whose size is a multiple of 4 or less than 4.
template <class T, class Shuffle>
HEDDLE_DEVICE T shuffled(T value, Shuffle shuffle) {
  constexpr int words = (sizeof(T) + 3) / 4;
  unsigned int bits[words] = {};
  __builtin_memcpy(bits, &value, sizeof(T));
  for (int i = 0; i < words; ++i) bits[i] = shuffle(bits[i]);
  __builtin_memcpy(&value, bits, sizeof(T));
  return value;
}
enum class kind { block, grid, coalesced, tile };
}  // namespace details

// A group whose kind is known at run time.
class thread_group {
 public:
  HEDDLE_DEVICE unsigned int size() const {
    return kind_ == details::kind::block ? details::block_size() : (unsigned int)__popc(mask_);
  }
  HEDDLE_DEVICE unsigned int num_threads() const { return size(); }
  HEDDLE_DEVICE unsigned int thread_rank() const {
    return kind_ == details::kind::block ? details::thread_in_block() : details::lanes_below(mask_);
  }
  HEDDLE_DEVICE void sync() const {
    if (kind_ == details::kind::block) {
      __syncthreads();
    } else {
      __syncwarp(mask_);
    }
  }
  HEDDLE_DEVICE bool is_valid() const { return true; }

 protected:
  HEDDLE_DEVICE thread_group(details::kind kind, unsigned int mask) : kind_(kind), mask_(mask) {}
  friend __device__ thread_group tiled_partition(const thread_group& parent, unsigned int size);

  details::kind kind_;
  unsigned int mask_;
};

class thread_block : public thread_group {
 public:
  HEDDLE_DEVICE static void sync() { __syncthreads(); }
  HEDDLE_DEVICE static unsigned int size() { return details::block_size(); }
  HEDDLE_DEVICE static unsigned int num_threads() { return size(); }
  HEDDLE_DEVICE static unsigned int thread_rank() { return details::thread_in_block(); }
  HEDDLE_DEVICE static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  HEDDLE_DEVICE static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  HEDDLE_DEVICE static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  HEDDLE_DEVICE static dim3 dim_threads() { return group_dim(); }

 private:
  HEDDLE_DEVICE thread_block() : thread_group(details::kind::block, 0xffffffffu) {}
  friend __device__ thread_block this_thread_block();
};
__device__ __inline__ __attribute__((always_inline)) thread_block this_thread_block() { return thread_block(); }

class grid_group {
 public:
  HEDDLE_DEVICE bool is_valid() const { return true; }
  HEDDLE_DEVICE unsigned long long size() const { return num_blocks() * details::block_size(); }
  HEDDLE_DEVICE unsigned long long num_threads() const { return size(); }
  HEDDLE_DEVICE unsigned long long thread_rank() const {
    return block_rank() * details::block_size() + details::thread_in_block();
  }
  HEDDLE_DEVICE unsigned long long block_rank() const {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  HEDDLE_DEVICE unsigned long long num_blocks() const { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  HEDDLE_DEVICE dim3 group_dim() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  HEDDLE_DEVICE dim3 dim_blocks() const { return group_dim(); }
  HEDDLE_DEVICE dim3 block_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  HEDDLE_DEVICE void sync() const {
    __syncthreads();
    if (details::thread_in_block() == 0) {
      const unsigned int step = block_rank() == 0 ? 0x80000000u - ((unsigned int)num_blocks() - 1u) : 1u;
      __threadfence();
      const unsigned int old = atomicAdd(&__heddle_grid_barrier, step);
      while (((old ^ *(volatile unsigned int*)&__heddle_grid_barrier) & 0x80000000u) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
  }

 private:
  HEDDLE_DEVICE grid_group() {}
  friend __device__ grid_group this_grid();
};
__device__ __inline__ __attribute__((always_inline)) grid_group this_grid() { return grid_group(); }

// The functions of threads in one warp that tiles and coalesced groups share.
class coalesced_group : public thread_group {
 public:
  HEDDLE_DEVICE unsigned int size() const { return (unsigned int)__popc(mask_); }
  HEDDLE_DEVICE unsigned int num_threads() const { return size(); }
  HEDDLE_DEVICE unsigned int thread_rank() const { return details::lanes_below(mask_); }
  HEDDLE_DEVICE unsigned int meta_group_rank() const { return 0; }
  HEDDLE_DEVICE unsigned int meta_group_size() const { return 1; }
  HEDDLE_DEVICE void sync() const { __syncwarp(mask_); }
  template <class T>
  HEDDLE_DEVICE T shfl(T value, unsigned int rank) const {
    const int lane = mask_ == 0xffffffffu ? (int)rank
                     : rank == 0          ? __ffs((int)mask_) - 1
                                          : (int)__fns(mask_, 0, (int)rank + 1);
    return details::shuffled(value, [&](unsigned int w) { return __shfl_sync(mask_, w, lane); });
  }
  template <class T>
  HEDDLE_DEVICE T shfl_down(T value, unsigned int delta) const {
    const unsigned int rank = thread_rank() + delta;
    return shfl(value, rank < size() ? rank : thread_rank());
  }
  template <class T>
  HEDDLE_DEVICE T shfl_up(T value, unsigned int delta) const {
    return shfl(value, thread_rank() >= delta ? thread_rank() - delta : thread_rank());
  }
  HEDDLE_DEVICE int any(int p) const { return __any_sync(mask_, p); }
  HEDDLE_DEVICE int all(int p) const { return __all_sync(mask_, p); }
  HEDDLE_DEVICE unsigned int ballot(int p) const { return packed(__ballot_sync(mask_, p)); }
  template <class T>
  HEDDLE_DEVICE unsigned int match_any(T value) const { return packed(__match_any_sync(mask_, value)); }
  template <class T>
  HEDDLE_DEVICE unsigned int match_all(T value, int& p) const { return packed(__match_all_sync(mask_, value, &p)); }
  HEDDLE_DEVICE unsigned int heddle_mask() const { return mask_; }

 protected:
  HEDDLE_DEVICE explicit coalesced_group(unsigned int mask) : thread_group(details::kind::coalesced, mask) {}
  // Bits of lanes as bits of ranks.
  HEDDLE_DEVICE unsigned int packed(unsigned int lanes) const {
    if (mask_ == 0xffffffffu) return lanes;
    unsigned int ranks = 0;
    for (unsigned int left = mask_, rank = 0; left != 0; left &= left - 1, ++rank)
      ranks |= ((lanes & left & (0u - left)) != 0 ? 1u : 0u) << rank;
    return ranks;
  }
  friend __device__ coalesced_group coalesced_threads();
  template <class G>
  friend __device__ coalesced_group labeled_partition(const G& group, unsigned int label);
};
__device__ __inline__ __attribute__((always_inline)) coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}
template <class G>
__device__ __inline__ __attribute__((always_inline)) coalesced_group labeled_partition(const G& group, unsigned int label) {
  return coalesced_group(__match_any_sync(group.heddle_mask(), label));
}
template <class G>
__device__ __inline__ __attribute__((always_inline)) coalesced_group binary_partition(const G& group, bool p) {
  return labeled_partition(group, p ? 1u : 0u);
}

template <unsigned int Size, class Parent = void>
class thread_block_tile : public thread_group {
 public:
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
  HEDDLE_DEVICE static constexpr unsigned int size() { return Size; }
  HEDDLE_DEVICE static constexpr unsigned int num_threads() { return Size; }
  HEDDLE_DEVICE static unsigned int thread_rank() { return details::lane() & (Size - 1); }
  HEDDLE_DEVICE static unsigned int meta_group_rank() { return details::thread_in_block() / Size; }
  HEDDLE_DEVICE static unsigned int meta_group_size() { return (details::block_size() + Size - 1) / Size; }
  HEDDLE_DEVICE void sync() const { __syncwarp(mask()); }
  template <class T>
  HEDDLE_DEVICE T shfl(T value, int rank) const {
    return details::shuffled(value, [&](unsigned int w) { return __shfl_sync(mask(), w, rank, Size); });
  }
  template <class T>
  HEDDLE_DEVICE T shfl_down(T value, unsigned int delta) const {
    return details::shuffled(value, [&](unsigned int w) { return __shfl_down_sync(mask(), w, delta, Size); });
  }
  template <class T>
  HEDDLE_DEVICE T shfl_up(T value, unsigned int delta) const {
    return details::shuffled(value, [&](unsigned int w) { return __shfl_up_sync(mask(), w, delta, Size); });
  }
  template <class T>
  HEDDLE_DEVICE T shfl_xor(T value, int lanes) const {
    return details::shuffled(value, [&](unsigned int w) { return __shfl_xor_sync(mask(), w, lanes, Size); });
  }
  HEDDLE_DEVICE int any(int p) const { return (__ballot_sync(mask(), p) & mask()) != 0; }
  HEDDLE_DEVICE int all(int p) const { return (__ballot_sync(mask(), p) & mask()) == mask(); }
  HEDDLE_DEVICE unsigned int ballot(int p) const { return ranks_of(__ballot_sync(mask(), p)); }
  template <class T>
  HEDDLE_DEVICE unsigned int match_any(T value) const { return ranks_of(__match_any_sync(mask(), value)); }
  template <class T>
  HEDDLE_DEVICE unsigned int match_all(T value, int& p) const { return ranks_of(__match_all_sync(mask(), value, &p)); }
  HEDDLE_DEVICE unsigned int heddle_mask() const { return mask(); }

  HEDDLE_DEVICE thread_block_tile() : thread_group(details::kind::tile, mask()) {}
  template <class Other>
  HEDDLE_DEVICE thread_block_tile(const thread_block_tile<Size, Other>&) : thread_block_tile() {}

 private:
  HEDDLE_DEVICE static unsigned int first() { return details::lane() & ~(Size - 1) & 31u; }
  HEDDLE_DEVICE static unsigned int mask() { return Size == 32 ? 0xffffffffu : ((1u << (Size & 31u)) - 1u) << first(); }
  HEDDLE_DEVICE static unsigned int ranks_of(unsigned int lanes) {
    return Size == 32 ? lanes : (lanes >> first()) & ((1u << (Size & 31u)) - 1u);
  }
};

template <unsigned int Size, class Parent>
__device__ __inline__ __attribute__((always_inline)) thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return thread_block_tile<Size, Parent>();
}
__device__ __inline__ __attribute__((always_inline)) thread_group tiled_partition(const thread_group&, unsigned int size) {
  const unsigned int lane = details::lane();
  const unsigned int mask = size >= 32 ? 0xffffffffu : ((1u << size) - 1u) << (lane & ~(size - 1));
  return thread_group(details::kind::tile, mask);
}

template <class G>
__device__ __inline__ __attribute__((always_inline)) void sync(const G& group) { group.sync(); }

#undef HEDDLE_DEVICE

}  // namespace cooperative_groups

#endif
