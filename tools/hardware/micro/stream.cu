// Bandwidth of memory as a function of the warps per SM: a read, a copy with a factor, and a sum of two
// vectors, of doubles.
#include "tools/hardware/micro/bench.h"

namespace kit {

namespace {

using Kernel = void (*)(double* a, const double* b, const double* c, std::size_t count);

// All elements of b are 1, those of c are 2. A thread handles one element at a time, as in
// tests/validation/kernels/stream_loop.sass. So the number of loads in flight depends on the warps and not on
// the compiler.
__global__ void read(double* a, const double* b, const double*, std::size_t count) {
  double sum = 0;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x,
                    first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (std::size_t i = first; i < count; i += step) sum += b[i];
  a[first] = sum;
}

__global__ void scale(double* a, const double* b, const double*, std::size_t count) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
#pragma unroll 1
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
    a[i] = 3 * b[i];
}

__global__ void triad(double* a, const double* b, const double* c, std::size_t count) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
#pragma unroll 1
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
    a[i] = b[i] + 3 * c[i];
}

__global__ void set(double* a, double value, std::size_t count) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) a[i] = value;
}

struct Vectors {
  explicit Vectors(std::size_t count_each) : count(count_each), a(count), b(count), c(count) {
    set<<<1024, 256>>>(a.data(), 0, count);
    set<<<1024, 256>>>(b.data(), 1, count);
    set<<<1024, 256>>>(c.data(), 2, count);
    finish("set");
  }

  /// Whether the sum of the first `elements` is exactly `total`; all are whole numbers.
  bool sums_to(std::size_t elements, double total) const {
    double sum = 0;
    std::vector<double> host(elements);
    KIT_CUDA(cudaMemcpy(host.data(), a.data(), elements * sizeof(double), cudaMemcpyDeviceToHost));
    for (const double value : host) sum += value;
    return sum == total;
  }

  std::size_t count;
  DeviceArray<double> a, b, c;
};

struct Stream {
  const char* name;
  Kernel kernel;
  int vectors;  ///< Vectors that are read or written.
  double each;  ///< Value of each element of the result; 0: each thread's sum.
};

void measure_one(Bench& bench, const Vectors& vectors, const Stream& stream, unsigned block) {
  const unsigned blocks = 2 * static_cast<unsigned>(bench.gpu.sms());
  const double us = median_us([] {},
                              [&] {
                                stream.kernel<<<blocks, block>>>(vectors.a.data(), vectors.b.data(),
                                                                 vectors.c.data(), vectors.count);
                              },
                              0.1);
  const double count = static_cast<double>(vectors.count);
  const bool right = stream.each == 0 ? vectors.sums_to(std::size_t{blocks} * block, count)
                                      : vectors.sums_to(vectors.count, count * stream.each);
  bench.add_checked(right, std::string("stream.") + stream.name, 8e-3 * count * stream.vectors / us, "GB/s",
                    {{"warps", block / 16}});
}

}  // namespace

/// stream.read, .scale, .triad: GB/s with this many warps on each SM, in two blocks. Each vector has four
/// times the size of L2.
void measure_stream(Bench& bench) {
  std::size_t bytes = 4 * bench.gpu.l2_bytes();
  while (3 * bytes > bench.gpu.free_bytes() / 2) bytes /= 2;
  const Vectors vectors(bytes / sizeof(double));
  for (const Stream& stream :
       {Stream{"read", read, 1, 0}, Stream{"scale", scale, 2, 3}, Stream{"triad", triad, 3, 7}})
    for (const unsigned block : {32u, 64u, 128u, 256u, 512u, 1024u}) {
      if (!bench.budget.allows(3)) return bench.leave_out("stream", "no time left");
      if (2 * block <= bench.gpu.threads_per_sm()) measure_one(bench, vectors, stream, block);
    }
}

}  // namespace kit
