#include <algorithm>

#include "tools/hardware/kit/gpu.h"

namespace kit {

namespace {

__global__ void read_all(const unsigned* data, std::size_t count, unsigned* sink) {
  unsigned sum = 0;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x)
    sum += data[i];
  if (sum == 0x9e3779b9) *sink = sum;  // never true, because the scratch memory is zero
}

__device__ unsigned long long nanoseconds() {
  unsigned long long value;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(value));
  return value;
}

/// Computes for a while. Block 0 records how many cycles and nanoseconds that took.
__global__ void burn(float* out, unsigned long long* took, int iterations) {
  const unsigned long long start_ns = nanoseconds();
  const long long start = clock64();
  float x = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int k = 0; k < 64; ++k) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    took[0] = static_cast<unsigned long long>(clock64() - start);
    took[1] = nanoseconds() - start_ns;
  }
  if (x == 0.123f) *out = x;
}

std::string version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

cudaDeviceProp first_device() {
  int count = 0;
  const cudaError_t result = cudaGetDeviceCount(&count);
  if (result != cudaSuccess || count == 0)
    throw NoDevice(std::string("no CUDA device found (") + cudaGetErrorString(result) + ")");
  cudaDeviceProp properties;
  KIT_CUDA(cudaSetDevice(0));
  KIT_CUDA(cudaGetDeviceProperties(&properties, 0));
  return properties;
}

int attribute(cudaDeviceAttr which) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, 0) == cudaSuccess ? value : 0;
}

}  // namespace

void require(cudaError_t result, const char* what) {
  if (result != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(result));
}

void finish(const char* what) {
  require(cudaGetLastError(), what);
  require(cudaDeviceSynchronize(), what);
}

Gpu::Gpu() : properties_(first_device()), scratch_(l2_bytes() / 2 + (1 << 20)), sink_(1) {
  KIT_CUDA(cudaMemset(scratch_.data(), 0, scratch_.bytes()));
}

std::size_t Gpu::free_bytes() const {
  std::size_t free = 0, total = 0;
  KIT_CUDA(cudaMemGetInfo(&free, &total));
  return free;
}

DeviceFacts Gpu::facts() const {
  int driver = 0, runtime = 0;
  KIT_CUDA(cudaDriverGetVersion(&driver));
  KIT_CUDA(cudaRuntimeGetVersion(&runtime));
  DeviceFacts facts;
  facts.name = properties_.name;
  facts.compute_capability = std::to_string(properties_.major) + "." + std::to_string(properties_.minor);
  facts.driver = version(driver);
  facts.cuda = version(runtime);
  facts.numbers = {{"sms", sms()},
                   {"clock_mhz", attribute(cudaDevAttrClockRate) / 1e3},
                   {"memory_clock_mhz", attribute(cudaDevAttrMemoryClockRate) / 1e3},
                   {"memory_bus_bits", attribute(cudaDevAttrGlobalMemoryBusWidth)},
                   {"l2_bytes", static_cast<double>(l2_bytes())},
                   {"memory_bytes", static_cast<double>(properties_.totalGlobalMem)},
                   {"shared_bytes_per_sm", static_cast<double>(properties_.sharedMemPerMultiprocessor)},
                   {"registers_per_sm", properties_.regsPerMultiprocessor},
                   {"threads_per_sm", properties_.maxThreadsPerMultiProcessor}};
  return facts;
}

void Gpu::empty_l2() const {
  const std::size_t count = scratch_.bytes() / sizeof(unsigned);
  read_all<<<8 * sms(), 256>>>(scratch_.data(), count, sink_.data());
}

double Gpu::clock_under_load_mhz() const {
  const DeviceArray<float> out(1);
  const DeviceArray<unsigned long long> took(2);
  for (int run = 0; run < 3; ++run) {  // the first runs raise the clock
    burn<<<2 * sms(), 1024>>>(out.data(), took.data(), 40000);
    finish("burn");
  }
  const auto host = took.host();
  return static_cast<double>(host[0]) / static_cast<double>(host[1]) * 1e3;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double median_us(const std::function<void()>& before, const std::function<void()>& work, double seconds) {
  constexpr int kWarmUps = 3, kFewest = 5, kMost = 101;
  cudaEvent_t start, stop;
  KIT_CUDA(cudaEventCreate(&start));
  KIT_CUDA(cudaEventCreate(&stop));
  std::vector<double> samples;
  const Budget budget(seconds);
  for (int i = 0; i < kMost + kWarmUps && (i < kFewest + kWarmUps || budget.allows(0)); ++i) {
    before();
    KIT_CUDA(cudaEventRecord(start));
    work();
    KIT_CUDA(cudaEventRecord(stop));
    finish("a timed launch");
    float ms = 0;
    KIT_CUDA(cudaEventElapsedTime(&ms, start, stop));
    if (i >= kWarmUps) samples.push_back(static_cast<double>(ms) * 1e3);
  }
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  return median(samples);
}

}  // namespace kit
