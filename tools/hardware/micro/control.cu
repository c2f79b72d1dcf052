// The cost of control: barriers, divergent branches, the launch of a grid.
#include "tools/hardware/micro/pipes.h"

namespace kit {

namespace {

template <int kUnroll>
__global__ void barriers(long long* clocks, int iterations) {
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) asm volatile("bar.sync 0;" ::: "memory");
  }
  const long long stop = clock64();
  keep_clocks(clocks, start, stop);
}

constexpr int kPathLength = 16;

/// kPathLength dependent multiply-adds. They are written in PTX, each with a different factor, so that the
/// compiler does not merge paths.
template <unsigned kFactor>
__device__ __forceinline__ void path(unsigned& x) {
#pragma unroll
  for (int k = 0; k < kPathLength; ++k) asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(x) : "n"(kFactor));
}

/// The paths from kFirst on, each after a separate branch. A switch would become a tree, in which paths have
/// different lengths.
template <unsigned kFirst>
__device__ __forceinline__ void paths_from(unsigned& x, unsigned mine) {
  if constexpr (kFirst < 32) {
    if (mine == kFirst) path<2 * kFirst + 3>(x);
    __syncwarp();
    paths_from<kFirst + 1>(x, mine);
  }
}

/// One warp whose lanes take `taken` of 32 paths in each iteration.
__global__ void paths(unsigned* out, long long* clocks, unsigned taken, int iterations) {
  unsigned x = threadIdx.x;
  const unsigned mine = threadIdx.x * taken / 32;
  const long long start = clock64();
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) paths_from<0>(x, mine);
  const long long stop = clock64();
  out[threadIdx.x] = x;
  if (threadIdx.x == 0) {
    clocks[0] = start;
    clocks[1] = stop;
  }
}

__global__ void empty() {}

}  // namespace

/// barrier: cycles from one barrier of a block to the next, if warps do nothing else.
void measure_barrier(Bench& bench) {
  constexpr int kIterations = 32;
  for (const int warps : {1, 2, 4, 8, 12, 16, 24, 32}) {
    const auto few = [&](long long* clocks) { barriers<64><<<1, 32 * warps>>>(clocks, kIterations); };
    const auto many = [&](long long* clocks) { barriers<128><<<1, 32 * warps>>>(clocks, kIterations); };
    const double cycles = cycles_of_block(32 * warps, many) - cycles_of_block(32 * warps, few);
    bench.add("barrier", cycles / (64 * kIterations), "cycles", {{"warps", warps}});
  }
}

/// paths: cycles of one warp for 32 paths of 16 dependent multiply-adds, as a function of the number of paths
/// that its lanes take.
void measure_paths(Bench& bench) {
  constexpr int kIterations = 64;
  for (const unsigned taken : {1u, 2u, 4u, 8u, 16u, 32u}) {
    const DeviceArray<unsigned> out(32);
    const double cycles = cycles_of_block(
        32, [&](long long* clocks) { paths<<<1, 32>>>(out.data(), clocks, taken, kIterations); });
    const std::vector<unsigned> host = out.host();
    bool right = true;
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned factor = 2 * (lane * taken / 32) + 3;
      unsigned x = lane;
      for (int k = 0; k < kIterations * kPathLength; ++k) x = x * factor + factor;
      right = right && x == host[lane];
    }
    bench.add_checked(right, "paths", cycles / kIterations, "cycles", {{"paths", taken}});
  }
}

/// launch.empty: an empty kernel, timed by events like the examples. launch.next: from one launch to the next
/// in a stream.
void measure_launch(Bench& bench) {
  for (const unsigned blocks : {1u, 132u, 1024u, 8192u, 65536u}) {
    const double us = median_us([] {}, [&] { empty<<<blocks, 32>>>(); });
    bench.add("launch.empty", us, "us", {{"blocks", blocks}});
  }
  constexpr int kLaunches = 200;
  const double us = median_us([] {},
                              [] {
                                for (int i = 0; i < kLaunches; ++i) empty<<<1, 32>>>();
                              });
  bench.add("launch.next", us / kLaunches, "us");
}

}  // namespace kit
