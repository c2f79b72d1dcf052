// Atomic additions, all on one word or spread over more words.
#include "tools/hardware/micro/pipes.h"

namespace kit {

namespace {

constexpr unsigned kAmount = 3;  // there is a special instruction in shared memory for adding one

__global__ void add_global(unsigned* words, unsigned mask, unsigned amount, int iterations) {
  unsigned* at = words + ((blockIdx.x * blockDim.x + threadIdx.x) & mask);
#pragma unroll 1
  for (int i = 0; i < iterations; ++i)
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(amount) : "memory");
}

__global__ void add_shared(unsigned* out, long long* clocks, unsigned mask, unsigned amount, int iterations) {
  __shared__ unsigned words[32];
  if (threadIdx.x < 32) words[threadIdx.x] = 0;
  __syncthreads();
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&words[threadIdx.x & mask]));
  const long long start = clock64();
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int u = 0; u < 8; ++u)
      asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(at), "r"(amount) : "memory");
  }
  __syncthreads();
  const long long stop = clock64();
  if (threadIdx.x < 32) out[threadIdx.x] = words[threadIdx.x];
  keep_clocks(clocks, start, stop);
}

/// atomics.global: additions of all SMs, in 1e9 per second, on this many neighbouring words.
void measure_global(Bench& bench, unsigned addresses) {
  constexpr int kThreads = 256, kIterations = 64;
  const unsigned blocks = 8 * static_cast<unsigned>(bench.gpu.sms());
  const DeviceArray<unsigned> words(addresses);
  const double us =
      median_us([&] { KIT_CUDA(cudaMemsetAsync(words.data(), 0, words.bytes())); },
                [&] { add_global<<<blocks, kThreads>>>(words.data(), addresses - 1, kAmount, kIterations); });
  const unsigned all = blocks * kThreads;
  const std::vector<unsigned> host = words.host();
  bool right = true;
  for (unsigned w = 0; w < addresses; ++w) {
    const unsigned threads = all / addresses + (w < all % addresses ? 1 : 0);
    right = right && host[w] == threads * kIterations * kAmount;
  }
  bench.add_checked(right, "atomics.global", 1e-3 * all * kIterations / us, "1e9/s",
                    {{"addresses", addresses}});
}

/// atomics.shared: cycles of an SM per warp addition, with the lanes on this many neighbouring words.
void measure_in_shared(Bench& bench, unsigned addresses) {
  constexpr int kThreads = 256, kIterations = 16;
  const DeviceArray<unsigned> out(32);
  const double cycles = cycles_of_block(kThreads, [&](long long* clocks) {
    add_shared<<<1, kThreads>>>(out.data(), clocks, addresses - 1, kAmount, kIterations);
  });
  const std::vector<unsigned> host = out.host();
  bool right = true;
  for (unsigned w = 0; w < 32; ++w)
    right = right && host[w] == (w < addresses ? kThreads / addresses * 8 * kIterations * kAmount : 0);
  bench.add_checked(right, "atomics.shared", cycles / (kThreads / 32 * 8 * kIterations), "cycles",
                    {{"addresses", addresses}});
}

}  // namespace

void measure_atomics(Bench& bench) {
  for (const unsigned addresses : {1u, 2u, 4u, 8u, 16u, 32u}) measure_in_shared(bench, addresses);
  for (const unsigned addresses : {1u, 8u, 32u, 256u, 4096u, 65536u, 1u << 20})
    measure_global(bench, addresses);
}

}  // namespace kit
