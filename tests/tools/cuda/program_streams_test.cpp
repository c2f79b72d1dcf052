// Streams side by side: starts and ends as drawn by hand from the link's bandwidth and from what the GPU has
// room for. The GPU is `tiny`: a clock of 1 GHz, a link of 16 bytes a nanosecond and 1 us of latency, two
// SMs, each with room for one block of 15 KiB of shared memory.
#include <fmt/format.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "tests/tools/cuda/cuda_program.h"

namespace heddle::cuda {

namespace {

// Its blocks last so many cycles, whatever runs beside them.
constexpr const char* kLast = R"(
__global__ void last(int cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {}
}
constexpr int kWholeSm = 15 * 1024;
struct Events {
  cudaEvent_t start, ends[8];
  int count = 0;
  Events() {
    cudaEventCreate(&start);
    for (auto& end : ends) cudaEventCreate(&end);
    cudaEventRecord(start);
    cudaEventSynchronize(start);
  }
  void end(cudaStream_t stream) { cudaEventRecord(ends[count++], stream); }
  void print() {
    cudaDeviceSynchronize();
    for (int i = 0; i < count; ++i) {
      float milliseconds = 0;
      cudaEventElapsedTime(&milliseconds, start, ends[i]);
      std::printf("%.0f ", milliseconds * 1e6f);
    }
  }
};
)";

constexpr const char* kStreams = R"(
  cudaStream_t a, b;
  check(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
)";

/// What a program prints, the same on any number of threads. In microseconds, of a GPU whose launches take a
/// few dozen nanoseconds.
std::vector<long> microseconds_of(const std::string& body) {
  const CudaProgram program(program_of(kLast, kStreams + body));
  const FinishedProgram one = program.run();
  CHECK(one.errors == "");
  for (const char* threads : {"HEDDLE_THREADS=2", "HEDDLE_THREADS=3"})
    CHECK(program.run({threads}).output == one.output);
  std::vector<long> times;
  std::istringstream words(one.output);
  for (double nanoseconds = 0; words >> nanoseconds;) {
    constexpr double kMostLate = 200;
    const double whole = std::floor(nanoseconds / 1000);
    INFO(one.output);
    CHECK(nanoseconds - 1000 * whole <= kMostLate);
    times.push_back(std::lround(whole));
  }
  return times;
}

}  // namespace

// to device  AAAAABBBBB
// kernels         AAAAAAAAAAAAAAAAAAAA
//                      BBBBBBBBBBBBBBBBBBBB
// to host                             AAA  BBB
// microsecond 0         10        20        30
TEST_CASE("Copies and kernels of two streams overlap as drawn by hand") {
  if (!has_clang()) return;
  CHECK(microseconds_of(R"(
  char *host, *device;
  check(cudaMallocHost(&host, 1 << 20));
  check(cudaMalloc(&device, 1 << 20));
  Events events;
  for (cudaStream_t stream : {a, b}) {
    check(cudaMemcpyAsync(device, host, 64000, cudaMemcpyHostToDevice, stream));
    events.end(stream);
    last<<<1, 32, 0, stream>>>(20000);
    events.end(stream);
    check(cudaMemcpyAsync(host, device, 32000, cudaMemcpyDeviceToHost, stream));
    events.end(stream);
  }
  events.print();
)") == std::vector<long>{5, 25, 28, 10, 30, 33});
}

// The third line of a drawing is what the GPU holds: two blocks.
TEST_CASE("Kernels of two streams share the SMs as far as these have room") {
  if (!has_clang()) return;
  // Each fills the GPU: one after the other.
  CHECK(microseconds_of(R"(
  Events events;
  last<<<2, 32, kWholeSm, a>>>(20000);
  events.end(a);
  last<<<2, 32, kWholeSm, b>>>(20000);
  events.end(b);
  events.print();
)") == std::vector<long>{20, 40});
  // Each fills half of it: side by side.
  CHECK(microseconds_of(R"(
  Events events;
  last<<<1, 32, kWholeSm, a>>>(20000);
  events.end(a);
  last<<<1, 32, kWholeSm, b>>>(30000);
  events.end(b);
  events.print();
)") == std::vector<long>{20, 30});
  // Three blocks and one, in two places: 40 us, where one kernel after the other takes 60, and none can take
  // less.
  //   SM 0  AAAA AAAA
  //   SM 1  AAAA BBBB
  CHECK(microseconds_of(R"(
  Events events;
  last<<<3, 32, kWholeSm, a>>>(20000);
  events.end(a);
  last<<<1, 32, kWholeSm, b>>>(20000);
  events.end(b);
  events.print();
)") == std::vector<long>{40, 40});
}

// a  AAAAAAAAAA          CCCCC
// b            BBBBBBBBBB
TEST_CASE("A stream waits for an event of another one, and that one for its own") {
  if (!has_clang()) return;
  CHECK(microseconds_of(R"(
  Events events;
  last<<<1, 32, 0, a>>>(10000);
  events.end(a);
  check(cudaStreamWaitEvent(b, events.ends[0], 0));
  last<<<1, 32, 0, b>>>(10000);
  events.end(b);
  check(cudaStreamWaitEvent(a, events.ends[1], 0));
  last<<<1, 32, 0, a>>>(5000);
  events.end(a);
  events.print();
)") == std::vector<long>{10, 20, 25});
}

}  // namespace heddle::cuda
