// Latency and interval of shuffles, votes, loads from shared and constant memory, and tensor cores.
#include "tools/hardware/micro/pipes.h"

namespace kit {

namespace {

struct Shfl : Operation<unsigned> {
  static unsigned seed() { return 5; }
  static unsigned a() { return 1; }
  static unsigned b() { return 0; }
  static __device__ void step(unsigned& x, unsigned a, unsigned) {
    asm volatile("shfl.sync.bfly.b32 %0, %0, %1, 31, -1;" : "+r"(x) : "r"(a));
  }
  static unsigned after(unsigned x, unsigned, unsigned, int) { return x; }  // all lanes have the same value
};

/// Each step votes which lanes have a number greater than a. The answer alternates between none and all.
struct IsetpVote : Operation<unsigned> {
  static unsigned seed() { return 0; }
  static unsigned a() { return 7; }
  static unsigned b() { return 0; }
  static __device__ void step(unsigned& x, unsigned a, unsigned) {
    asm volatile("{ .reg .pred p; setp.le.u32 p, %0, %1; vote.sync.ballot.b32 %0, p, -1; }"
                 : "+r"(x)
                 : "r"(a));
  }
  static unsigned after(unsigned x, unsigned, unsigned, int n) { return n % 2 == 0 ? x : 0xffffffff; }
};

/// The sum over a warp. The result is in a uniform register and is moved back to an ordinary one.
struct Redux : Operation<unsigned> {
  static constexpr int kLeastCapability = 80;
  static unsigned seed() { return 5; }
  static unsigned a() { return 0; }
  static unsigned b() { return 0; }
  static __device__ void step(unsigned& x, unsigned, unsigned) {
#if __CUDA_ARCH__ >= 800
    asm volatile("redux.sync.add.u32 %0, %0, -1;" : "+r"(x));
#endif
  }
  static unsigned after(unsigned x, unsigned, unsigned, int n) {
    for (int i = 0; i < n; ++i) x *= 32;
    return x;
  }
};

/// Products of 16 x 8 x 16 (or 8) half-precision numbers, all 1, added to 32-bit sums. The four sums of a
/// thread are one chain.
struct Sums {
  float c[4];
};

template <int kDepth>
struct Hmma : Operation<Sums> {
  static constexpr int kLeastCapability = kDepth == 16 ? 80 : 75;
  static Sums seed() { return {{1, 2, 3, 4}}; }
  static Sums a() { return {{}}; }
  static Sums b() { return {{}}; }
  static __device__ void step(Sums& x, const Sums&, const Sums&) {
    const unsigned ones = 0x3c003c00;
#if __CUDA_ARCH__ >= 800
    if (kDepth == 16)
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, "
          "{%0, %1, %2, %3};"
          : "+f"(x.c[0]), "+f"(x.c[1]), "+f"(x.c[2]), "+f"(x.c[3])
          : "r"(ones));
#endif
    if (kDepth == 8)
      asm volatile(
          "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4}, {%4}, "
          "{%0, %1, %2, %3};"
          : "+f"(x.c[0]), "+f"(x.c[1]), "+f"(x.c[2]), "+f"(x.c[3])
          : "r"(ones));
  }
  static Sums after(Sums x, const Sums&, const Sums&, int n) {
    for (float& sum : x.c) sum += static_cast<float>(kDepth * n);
    return x;
  }
  static bool close(const Sums& have, const Sums& want) {
    for (int i = 0; i < 4; ++i)
      if (have.c[i] != want.c[i]) return false;
    return true;
  }
};

/// A chain of word loads from shared memory. Each address comes from the load before. The lanes use different
/// banks.
template <int kUnroll>
__global__ void chase_shared(unsigned* out, long long* clocks, int iterations) {
  __shared__ unsigned chain[1024];
  for (unsigned w = threadIdx.x; w < 1024; w += blockDim.x)
    chain[w] = static_cast<unsigned>(__cvta_generic_to_shared(&chain[(w + 32) % 1024]));
  __syncthreads();
  unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&chain[threadIdx.x]));
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(chain));
  const long long start = clock64();
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
  }
  const long long stop = clock64();
  out[threadIdx.x] = (at - base) / 4;
  if (threadIdx.x % 32 == 0) {
    clocks[0] = start;
    clocks[1] = stop;
  }
}

constexpr unsigned kConstantWords = 256;
__constant__ unsigned constant_chain[kConstantWords];

/// The same through the constant cache, with the address in a register. All lanes read the same word. Words
/// hold byte offsets.
template <int kUnroll>
__global__ void chase_constant(unsigned* out, long long* clocks, int iterations) {
  unsigned at = out[threadIdx.x];
  const long long start = clock64();
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) at = *(const unsigned*)((const char*)constant_chain + at);
  }
  const long long stop = clock64();
  out[threadIdx.x] = at;
  if (threadIdx.x % 32 == 0) {
    clocks[0] = start;
    clocks[1] = stop;
  }
}

using Chase = void (*)(unsigned*, long long*, int);

/// Cycles per load, from loop bodies of two lengths. `right` tells whether each lane ends at the right word.
template <class Expected>
double cycles_per_load(Chase chase_128, Chase chase_256, bool& right, const Expected& expected) {
  constexpr int kIterations = 32;
  double cycles[2];
  for (int i = 0; i < 2; ++i) {
    const Chase chase = i == 0 ? chase_128 : chase_256;
    const DeviceArray<unsigned> out(32);
    cycles[i] = cycles_of_block(32, [&](long long* clocks) {
      KIT_CUDA(cudaMemset(out.data(), 0, out.bytes()));
      chase<<<1, 32>>>(out.data(), clocks, kIterations);
    });
    const std::vector<unsigned> host = out.host();
    for (unsigned lane = 0; lane < 32; ++lane)
      right = right && host[lane] == expected(lane, static_cast<unsigned>((i + 1) * 128 * kIterations));
  }
  return (cycles[1] - cycles[0]) / (128.0 * kIterations);
}

void measure_loads(Bench& bench) {
  bool right = true;
  double cycles = cycles_per_load(chase_shared<128>, chase_shared<256>, right,
                                  [](unsigned lane, unsigned loads) { return (lane + 32 * loads) % 1024; });
  bench.add_checked(right, "latency.LDS", cycles, "cycles");

  std::vector<unsigned> chain(kConstantWords);
  for (unsigned w = 0; w < kConstantWords; ++w) chain[w] = (w + 1) % kConstantWords * 4;
  KIT_CUDA(cudaMemcpyToSymbol(constant_chain, chain.data(), sizeof constant_chain));
  right = true;
  cycles = cycles_per_load(chase_constant<128>, chase_constant<256>, right,
                           [](unsigned, unsigned loads) { return loads % kConstantWords * 4; });
  bench.add_checked(right, "latency.LDC", cycles, "cycles");
}

}  // namespace

void measure_other_pipes(Bench& bench) {
  measure_pipe<Shfl>(bench, "SHFL");
  measure_pipe<IsetpVote>(bench, "ISETP+VOTE");
  measure_pipe<Redux>(bench, "REDUX+MOV");
  measure_pipe<Hmma<16>>(bench, "HMMA.16816.F32");
  measure_pipe<Hmma<8>>(bench, "HMMA.1688.F32");
  measure_loads(bench);
}

}  // namespace kit
