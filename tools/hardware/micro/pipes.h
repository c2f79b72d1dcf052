// Dependent latency and issue interval of one kind of instruction. An operation is a struct with
//   Value                       what a thread keeps in registers
//   step(Value& x, Value a, b)  kInstructions of it, each depending on the one before; in PTX, so that the
//                               compiler merges and drops as little as possible. What it still changes is
//                               visible only in SASS.
//   seed, a, b                  initial numbers
//   after(Value x, a, b, n)     the result of n steps, computed on the CPU; close() compares
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/hardware/micro/bench.h"

namespace kit {

/// Stores the clock values of each warp as a pair, where cycles_of_block() reads them.
inline __device__ void keep_clocks(long long* clocks, long long start, long long stop) {
  if (threadIdx.x % 32 != 0) return;
  clocks[threadIdx.x / 32 * 2] = start;
  clocks[threadIdx.x / 32 * 2 + 1] = stop;
}

/// Executes kUnroll steps per iteration, in turn on kChains independent values. Each warp records when it
/// began and ended. Each thread loads its operands from memory; otherwise the compiler would use uniform
/// registers.
template <class Operation, int kUnroll, int kChains>
__global__ void __launch_bounds__(1024) repeat(typename Operation::Value* out, long long* clocks,
                                               const typename Operation::Value* operands, int iterations) {
  typename Operation::Value x[kChains];
#pragma unroll
  for (int c = 0; c < kChains; ++c) x[c] = operands[3 * threadIdx.x];
  const typename Operation::Value a = operands[3 * threadIdx.x + 1], b = operands[3 * threadIdx.x + 2];
  __syncthreads();
  const long long start = clock64();
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
#pragma unroll
    for (int u = 0; u < kUnroll / kChains; ++u) {
#pragma unroll
      for (int c = 0; c < kChains; ++c) Operation::step(x[c], a, b);
    }
  }
  const long long stop = clock64();
#pragma unroll
  for (int c = 0; c < kChains; ++c) out[threadIdx.x * kChains + c] = x[c];
  keep_clocks(clocks, start, stop);
}

/// Runs a kernel of one block that takes (..., clocks, ...). Returns the cycles from the start of its first
/// warp to the end of its last, as the median of several launches.
template <class Launch>
double cycles_of_block(int threads, const Launch& launch_with) {
  constexpr int kLaunches = 7;
  const DeviceArray<long long> clocks(2 * ((threads + 31) / 32));
  std::vector<double> samples;
  for (int run = 0; run < kLaunches; ++run) {
    launch_with(clocks.data());
    finish("a microbenchmark");
    const std::vector<long long> host = clocks.host();
    long long first = host[0], last = host[1];
    for (std::size_t i = 2; i < host.size(); i += 2) {
      first = host[i] < first ? host[i] : first;
      last = host[i + 1] > last ? host[i + 1] : last;
    }
    if (run != 0) samples.push_back(static_cast<double>(last - first));
  }
  return median(samples);
}

/// Measures one kind of instruction and checks its results.
template <class Operation>
class Pipe {
 public:
  using Value = typename Operation::Value;

  /// Cycles of one block with this many threads, for kUnroll steps per iteration.
  template <int kUnroll, int kChains>
  double cycles(int threads) {
    std::vector<Value> operands;
    for (int i = 0; i < threads; ++i)
      operands.insert(operands.end(), {Operation::seed(), Operation::a(), Operation::b()});
    const DeviceArray<Value> in(operands), out(static_cast<std::size_t>(threads) * kChains);
    const double result = cycles_of_block(threads, [&](long long* clocks) {
      repeat<Operation, kUnroll, kChains><<<1, threads>>>(out.data(), clocks, in.data(), kIterations);
    });
    const Value want = Operation::after(Operation::seed(), Operation::a(), Operation::b(),
                                        kIterations * (kUnroll / kChains));
    for (const Value& have : out.host()) right_ = right_ && Operation::close(have, want);
    return result;
  }

  /// The overhead of the loop is the same for 256 steps per iteration as for 128, so the difference has none.
  template <int kChains>
  double cycles_per_instruction(int threads) {
    return (cycles<256, kChains>(threads) - cycles<128, kChains>(threads)) /
           (128.0 * kIterations * Operation::kInstructions);
  }

  bool right() const { return right_; }

 private:
  static constexpr int kIterations = 32;
  bool right_ = true;
};

/// latency.NAME: one warp; each step depends on the one before. interval.NAME: eight warps in each of the
/// four sub-partitions, four chains each; cycles between two warp instructions of a sub-partition.
template <class Operation>
void measure_pipe(Bench& bench, const std::string& name) {
  constexpr int kThreads = 1024, kWarpsOfSubpartition = 8;
  if (bench.gpu.capability() < Operation::kLeastCapability) {
    const int least = Operation::kLeastCapability;
    return bench.leave_out(name, "needs compute capability " + std::to_string(least / 10) + "." +
                                     std::to_string(least % 10) + " or later");
  }
  if (!bench.budget.allows(1)) return bench.leave_out(name, "no time left");
  Pipe<Operation> pipe;
  const double latency = pipe.template cycles_per_instruction<1>(32);
  const double interval = pipe.template cycles_per_instruction<4>(kThreads) / kWarpsOfSubpartition;
  bench.add_checked(pipe.right(), "latency." + name, latency, "cycles");
  if (pipe.right()) bench.add("interval." + name, interval, "cycles");
}

/// What most operations have in common: one register, exact results.
template <class V>
struct Operation {
  using Value = V;
  static constexpr int kLeastCapability = 75;
  /// Instructions per step. If the name of an operation has a plus sign, its figure is for all of them.
  static constexpr int kInstructions = 1;
  static bool close(V have, V want) { return have == want || (have != have && want != want); }
};

/// An approximate special function. The errors of a chain stay small if it converges.
struct Approximation : Operation<float> {
  static bool close(float have, float want) {
    return Operation<float>::close(have, want) || std::fabs(have - want) <= 1e-3f * std::fabs(want);
  }
};

/// Single-precision fused multiply-add.
struct Ffma : Operation<float> {
  static float seed() { return 3; }
  static float a() { return 0.5f; }
  static float b() { return 1; }
  static __device__ void step(float& x, float a, float b) {
    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(b));
  }
  static float after(float x, float a, float b, int n) {
    for (int i = 0; i < n; ++i) x = std::fma(x, a, b);
    return x;
  }
};

/// Double-precision fused multiply-add.
struct Dfma : Operation<double> {
  static double seed() { return 3; }
  static double a() { return 0.5; }
  static double b() { return 1; }
  static __device__ void step(double& x, double a, double b) {
    asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(x) : "d"(a), "d"(b));
  }
  static double after(double x, double a, double b, int n) {
    for (int i = 0; i < n; ++i) x = std::fma(x, a, b);
    return x;
  }
};

}  // namespace kit
