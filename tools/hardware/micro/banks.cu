// The cost of a warp's load as a function of its lane addresses: in the banks of shared memory, and in the
// lines of L1.
#include "tools/hardware/micro/pipes.h"

namespace kit {

namespace {

constexpr int kThreads = 1024;
constexpr int kUnroll = 8;
constexpr int kIterations = 64;

template <int kWords>
__device__ __forceinline__ unsigned load_shared(unsigned address) {
  unsigned v[4] = {};
  if (kWords == 1) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v[0]) : "r"(address));
  if (kWords == 2) asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(v[0]), "=r"(v[1]) : "r"(address));
  if (kWords == 4)
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                 : "r"(address));
  return v[0] + v[1] + v[2] + v[3];
}

/// Loads with `stride` pieces of kWords words between lanes. Each of the kUnroll loads is one row of 128
/// bytes further, so the banks are the same. `zero` is 0, but the compiler does not know that; otherwise it
/// would move the loads out of the loop.
template <int kWords>
__global__ void __launch_bounds__(kThreads)
    shared_loads(unsigned* out, long long* clocks, unsigned stride, unsigned zero, int iterations) {
  extern __shared__ __align__(16) unsigned words[];
  for (unsigned w = threadIdx.x; w < (32 * 33 * kWords + kUnroll * 32); w += blockDim.x) words[w] = w;
  __syncthreads();
  unsigned at =
      static_cast<unsigned>(__cvta_generic_to_shared(words)) + threadIdx.x % 32 * stride * kWords * 4;
  unsigned sum = 0;
  const long long start = clock64();
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) sum += load_shared<kWords>(at + 128 * u);
    at += zero;
  }
  const long long stop = clock64();
  out[threadIdx.x] = sum;
  keep_clocks(clocks, start, stop);
}

template <int kWords>
void measure_shared_loads(Bench& bench, unsigned stride) {
  const unsigned bytes = (32 * 33 * kWords + kUnroll * 32) * 4;
  const DeviceArray<unsigned> out(kThreads);
  const double cycles = cycles_of_block(kThreads, [&](long long* clocks) {
    shared_loads<kWords><<<1, kThreads, bytes>>>(out.data(), clocks, stride, 0, kIterations);
  });
  const std::vector<unsigned> host = out.host();
  bool right = true;
  for (unsigned t = 0; t < kThreads; ++t) {
    unsigned sum = 0;
    for (unsigned u = 0; u < kUnroll; ++u)
      for (unsigned w = 0; w < kWords; ++w) sum += t % 32 * stride * kWords + 32 * u + w;
    right = right && host[t] == sum * kIterations;
  }
  bench.add_checked(right, "shared.load", cycles / (kThreads / 32 * kUnroll * kIterations), "cycles",
                    {{"bytes", 4 * kWords}, {"stride", stride}});
}

__device__ __forceinline__ void load_global(unsigned& word, const unsigned* at) {
  asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(word) : "l"(at));
}

__device__ __forceinline__ void load_global(unsigned long long& word, const unsigned long long* at) {
  asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(word) : "l"(at));
}

/// The same for global memory. All data are in L1.
template <class Word>
__global__ void __launch_bounds__(kThreads) global_loads(Word* out, long long* clocks, const Word* words,
                                                         unsigned stride, unsigned zero, int iterations) {
  const Word* at = words + threadIdx.x % 32 * stride;
  Word sum = 0;
  const long long start = clock64();
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      Word word;
      load_global(word, at + 32 * u);
      sum += word;
    }
    at += zero;
  }
  const long long stop = clock64();
  out[threadIdx.x] = sum;
  keep_clocks(clocks, start, stop);
}

template <class Word>
void measure_global_loads(Bench& bench, unsigned stride) {
  std::vector<Word> words(32 * 64 + 32 * kUnroll);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<Word>(i);
  const DeviceArray<Word> data(words), out(kThreads);
  const double cycles = cycles_of_block(kThreads, [&](long long* clocks) {
    global_loads<Word><<<1, kThreads>>>(out.data(), clocks, data.data(), stride, 0, kIterations);
  });
  const std::vector<Word> host = out.host();
  bool right = true;
  for (unsigned t = 0; t < kThreads; ++t) {
    Word sum = 0;
    for (unsigned u = 0; u < kUnroll; ++u) sum += t % 32 * stride + 32 * u;
    right = right && host[t] == sum * kIterations;
  }
  bench.add_checked(right, "l1.load", cycles / (kThreads / 32 * kUnroll * kIterations), "cycles",
                    {{"bytes", sizeof(Word)}, {"stride", stride}});
}

}  // namespace

/// shared.load: cycles of an SM per warp load, for several bytes per lane and strides in such pieces; with
/// stride 0 all lanes load the same piece.
void measure_shared(Bench& bench) {
  for (const unsigned stride : {0u, 1u, 2u, 4u, 8u, 16u, 32u, 33u}) {
    measure_shared_loads<1>(bench, stride);
    measure_shared_loads<2>(bench, stride);
    measure_shared_loads<4>(bench, stride);
  }
}

/// l1.load: the same from L1.
void measure_strides(Bench& bench) {
  for (const unsigned stride :
       {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 12u, 15u, 16u, 24u, 31u, 32u, 33u, 48u, 64u}) {
    measure_global_loads<unsigned>(bench, stride);
    measure_global_loads<unsigned long long>(bench, stride);
  }
}

}  // namespace kit
