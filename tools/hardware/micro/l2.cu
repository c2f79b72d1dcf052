// Bandwidth of L2: vectors of doubles that fit in L2 are read, written, or copied with a factor in several
// rounds, by all threads that the SMs can hold.
#include "tools/hardware/micro/bench.h"

namespace kit {

namespace {

using Kernel = void (*)(double* a, const double* b, unsigned count, int rounds);

// All elements of b are 1. Loads bypass L1, which would hold what its SM read in the round before. As in
// tests/validation/kernels/stream_stay.sass.
__global__ void read(double* a, const double* b, unsigned count, int rounds) {
  const unsigned step = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0;
#pragma unroll 1
  do {
#pragma unroll 1
    for (unsigned i = first; i < count; i += step) sum += __ldcg(b + i);
  } while (--rounds != 0);
  a[first] = sum;
}

__global__ void store(double* a, const double*, unsigned count, int rounds) {
  const unsigned step = gridDim.x * blockDim.x;
#pragma unroll 1
  do {
    const double value = rounds;
#pragma unroll 1
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) a[i] = value;
  } while (--rounds != 0);
}

__global__ void scale(double* a, const double* b, unsigned count, int rounds) {
  const unsigned step = gridDim.x * blockDim.x;
#pragma unroll 1
  do {
#pragma unroll 1
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) a[i] = 1.25 * __ldcg(b + i);
  } while (--rounds != 0);
}

struct Rounds {
  const char* name;
  Kernel kernel;
  int vectors;  ///< Vectors that are read or written.
  double each;  ///< Value of each element of the result; 0: each thread's sum.
};

/// Whether the result of all rounds is exactly right; it consists of whole numbers and quarters.
bool is_right(const Rounds& kind, const DeviceArray<double>& a, unsigned count, unsigned threads, int rounds) {
  const std::vector<double> host = a.host();
  double sum = 0;
  for (unsigned i = 0; i < (kind.each == 0 ? threads : count); ++i) sum += host[i];
  return sum == (kind.each == 0 ? static_cast<double>(count) * rounds : count * kind.each);
}

}  // namespace

/// l2.read, .store, .scale: GB/s with as many warps as the SMs hold, in two blocks each. A vector takes an
/// eighth of L2.
void measure_l2(Bench& bench) {
  constexpr int kFew = 20, kMany = 100;
  const auto count = static_cast<unsigned>(bench.gpu.l2_bytes() / 8 / sizeof(double));
  const unsigned block = bench.gpu.threads_per_sm() / 64 * 32;
  const unsigned blocks = 2 * static_cast<unsigned>(bench.gpu.sms());
  const unsigned places = count > blocks * block ? count : blocks * block;
  const DeviceArray<double> a(places);
  const DeviceArray<double> b(std::vector<double>(count, 1));
  for (const Rounds& kind :
       {Rounds{"read", read, 1, 0}, Rounds{"store", store, 1, 1}, Rounds{"scale", scale, 2, 1.25}}) {
    if (!bench.budget.allows(2)) return bench.leave_out(std::string("l2.") + kind.name, "no time left");
    const auto us = [&](int rounds) {
      return median_us([] {}, [&] { kind.kernel<<<blocks, block>>>(a.data(), b.data(), count, rounds); }, 0.1);
    };
    const double few = us(kFew), many = us(kMany);
    const double bytes = 8.0 * count * kind.vectors * (kMany - kFew);
    bench.add_checked(is_right(kind, a, count, blocks * block, kMany), std::string("l2.") + kind.name,
                      bytes / (many - few) * 1e-3, "GB/s", {{"warps", block / 16}});
  }
}

}  // namespace kit
