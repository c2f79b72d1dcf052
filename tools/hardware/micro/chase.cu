// One thread follows pointers through memory. That gives the latency of the level in which they fit.
#include "tools/hardware/micro/bench.h"

namespace kit {

namespace {

constexpr unsigned kLine = 128;  // bytes between links
constexpr int kUnroll = 16;

/// An order that no hardware can predict and that visits all links if their number is a power of two.
__host__ __device__ std::uint64_t next_link(std::uint64_t link, std::uint64_t links) {
  return (link * 1664525 + 1013904223) % links;
}

__global__ void lay_chain(char* memory, std::uint64_t links) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t k = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x; k < links; k += step)
    *reinterpret_cast<char**>(memory + k * kLine) = memory + next_link(k, links) * kLine;
}

/// Follows `warm_up` links, then `hops` with the clock. The clock is read while the last load is still in
/// flight, which is an error of less than one in a thousand. If kPastL1, loads bypass L1.
template <bool kPastL1>
__global__ void follow(const char* start, unsigned warm_up, unsigned hops, const char** end,
                       long long* cycles) {
  const char* at = start;
  long long begin = 0;
  for (int round = 0; round < 2; ++round) {
    const unsigned count = round == 0 ? warm_up : hops;
    begin = clock64();
#pragma unroll 1
    for (unsigned k = 0; k < count; k += kUnroll) {
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) {
        if (kPastL1)
          asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at));
        else
          asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(at));
      }
    }
  }
  *cycles = clock64() - begin;
  *end = at;
}

struct Hops {
  unsigned warm_up, timed;
};

/// The warm-up goes through the chain once, if that takes less than about a second.
Hops hops_for(std::uint64_t links) {
  constexpr std::uint64_t kFewest = 1024, kMostWarmUps = 1 << 21, kMost = 16384;
  const std::uint64_t once = links < kFewest ? kFewest : links;
  return {static_cast<unsigned>(once < kMostWarmUps ? once : 0),
          static_cast<unsigned>(once < kMost ? once : kMost)};
}

class Chase {
 public:
  explicit Chase(std::size_t most_bytes) : memory_(most_bytes) {}

  /// Cycles per hop. `right` tells whether the walk ends at the right place.
  double cycles(std::size_t bytes, bool past_l1, bool& right) const {
    const std::uint64_t links = bytes / kLine;
    lay_chain<<<256, 256>>>(memory_.data(), links);
    const DeviceArray<const char*> end(1);
    const DeviceArray<long long> cycles(1);
    const Hops hops = hops_for(links);
    std::vector<double> samples;
    for (int run = 0; run < 3; ++run) {
      const auto kernel = past_l1 ? follow<true> : follow<false>;
      kernel<<<1, 1>>>(memory_.data(), hops.warm_up, hops.timed, end.data(), cycles.data());
      finish("chase");
      samples.push_back(static_cast<double>(cycles.host()[0]) / hops.timed);
    }
    std::uint64_t link = 0;
    for (unsigned k = 0; k < hops.warm_up + hops.timed; ++k) link = next_link(link, links);
    right = end.host()[0] == memory_.data() + link * kLine;
    return median(samples);
  }

 private:
  DeviceArray<char> memory_;
};

}  // namespace

/// chase: cycles per hop for several sizes, in random lines of 128 bytes. latency.L1, .L2, .DRAM are three of
/// these points; L2's bypasses L1, and DRAM's includes the TLB misses of its size.
void measure_chase(Bench& bench) {
  std::size_t most = std::size_t{1} << 30;
  while (most > bench.gpu.free_bytes() / 2) most /= 2;
  const Chase chase(most);
  const auto one = [&](const std::string& name, std::size_t bytes, bool past_l1, Named at) {
    bool right = false;
    const double cycles = chase.cycles(bytes, past_l1, right);
    bench.add_checked(right, name, cycles, "cycles", at);
  };
  std::size_t beyond_l2 = 1 << 20;
  while (beyond_l2 < 8 * bench.gpu.l2_bytes() && beyond_l2 < most) beyond_l2 *= 2;
  one("latency.L1", 16 << 10, false, {});
  one("latency.L2", 512 << 10, true, {});
  one("latency.DRAM", beyond_l2, false, {});
  for (std::size_t bytes = 8 << 10; bytes <= most && bench.budget.allows(5); bytes *= 2)
    one("chase", bytes, false, {{"bytes", static_cast<double>(bytes)}});
}

}  // namespace kit
