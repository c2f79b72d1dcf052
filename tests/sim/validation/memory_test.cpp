// Loads with strides (RRZE gpu-benches, gpu-strides), and bank conflicts of shared memory
// (gpu_shm_microbench).
#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "sim/config/load.h"
#include "tests/sim/validation/published.h"
#include "tests/support/catch.h"

namespace heddle::test {
namespace {

constexpr Dim3 kBlock = {.x = 1024};
constexpr unsigned kWarps = 32;
constexpr unsigned kLoads = 8;  // of an iteration

/// The policy that keeps the queues full best: what counts here is what the loads cost.
sim::GpuSpec in_turn(const std::string& gpu) { return sim::load_gpu(gpu, {"sm.scheduler=lrr"}); }

/// Cycles that a warp's load takes of the SM: what more iterations of the same loop take longer.
double cycles_a_load(TextKernel& kernel, const sim::GpuSpec& spec) {
  constexpr unsigned kFew = 4;
  constexpr unsigned kMany = 20;
  kernel.set("iterations", kFew);
  const Cycle few = cycles_of(kernel, spec);
  kernel.set("iterations", kMany);
  const Cycle many = cycles_of(kernel, spec);
  return static_cast<double>(many - few) / ((kMany - kFew) * kLoads * kWarps);
}

std::string loop_of(const std::string& body) {
  return "MOV R1, c[iterations]\nMOV R3, RZ\nloop:\n" + body +
         "IADD3 R1, R1, -0x1, RZ\nISETP.NE.AND P0, PT, R1, RZ, PT\n@P0 BRA loop\n";
}

/// Each of 8 loads is 4 elements behind the last one, and used.
std::string global_loads(unsigned bytes) {
  std::string body;
  for (unsigned i = 0; i < kLoads; ++i) {
    body += fmt::format("LDG.E{} R{}, [R4.64+{:#x}]\n", bytes == 8 ? ".64" : "", 8 + 2 * i, 4 * i * bytes);
  }
  for (unsigned i = 0; i < kLoads; i += 2)
    body += fmt::format("FFMA R3, R{}, R{}, R3\n", 8 + 2 * i, 10 + 2 * i);
  return body;
}

/// `address` computes the element's number in R0 from the thread's index in R0.
double global_cost(const sim::GpuSpec& spec, unsigned bytes, const std::string& address) {
  TextKernel kernel(fmt::format("S2R R0, SR_TID.X\n{}IMAD.WIDE.U32 R4, R0, {:#x}, c[a]\n", address, bytes) +
                        loop_of(global_loads(bytes)),
                    kBlock, {}, ".param a ptr\n.param iterations u32");
  kernel.add_buffer("a", 1 << 21);
  return cycles_a_load(kernel, spec);
}

double stride_cost(const sim::GpuSpec& spec, unsigned bytes, unsigned stride) {
  return global_cost(spec, bytes,
                     fmt::format("LOP3.LUT R0, R0, 0x3f, RZ, 0xc0, !PT\nIMAD R0, R0, {:#x}, RZ\n", stride));
}

/// A block of this width, a power of two, and 1024 threads, on rows of 4098 elements; 32 rows are apart.
double block_cost(const sim::GpuSpec& spec, unsigned width) {
  const auto shift = static_cast<unsigned>(std::countr_zero(width));
  return global_cost(spec, 4,
                     fmt::format("SHF.R.U32 R2, R0, {:#x}, RZ\nLOP3.LUT R2, R2, 0x1f, RZ, 0xc0, !PT\n"
                                 "LOP3.LUT R0, R0, {:#x}, RZ, 0xc0, !PT\nIMAD R0, R2, 0x1002, R0\n"
                                 "IADD3 R0, R0, 0x1002, RZ\n",
                                 shift, width - 1));
}

struct Cost {
  unsigned stride;
  double measured;
};

TEST_CASE("V5: what a load of 32 lanes costs by its stride") {
  const std::vector<Cost> a100_floats = {{1, 1.02}, {2, 2.00}, {3, 1.63},  {4, 4.00}, {5, 2.20},  {6, 2.36},
                                         {7, 2.67}, {8, 8.0},  {9, 3.03},  {12, 4.0}, {15, 4.45}, {16, 16.0},
                                         {24, 8.0}, {31, 8.5}, {32, 32.0}, {33, 8.8}, {48, 16.0}, {64, 32.0}};
  const std::vector<Cost> a100_doubles = {{1, 2.01}, {2, 4.0}, {3, 2.42}, {4, 8.0}, {8, 16.0}, {16, 32.0}};
  const std::vector<Cost> h200_floats = {{1, 1.01}, {2, 2.01}, {3, 1.63}, {4, 4.01}, {5, 2.00},
                                         {6, 2.32}, {7, 2.41}, {8, 8.0},  {9, 3.00}, {15, 4.60}};
  const std::vector<Cost> h200_doubles = {{1, 2.01}, {2, 4.01}, {4, 8.0}, {8, 16.0}};
  const std::vector<Cost> a40_floats = {{1, 2.00}, {4, 4.0}, {8, 8.0}, {16, 16.0}, {32, 32.0}};
  struct Series {
    const char* gpu;
    unsigned bytes;
    const std::vector<Cost>& costs;
  };
  std::vector<Figure> figures;
  for (const Series& series : {Series{"a100", 4, a100_floats},
                               {"a100", 8, a100_doubles},
                               {"h200", 4, h200_floats},
                               {"h200", 8, h200_doubles},
                               {"rtx3080", 4, a40_floats}}) {
    const sim::GpuSpec spec = in_turn(series.gpu);
    for (const Cost& cost : series.costs) {
      figures.push_back({series.gpu, fmt::format("{} bytes, stride {}", series.bytes, cost.stride),
                         cost.measured, stride_cost(spec, series.bytes, cost.stride)});
    }
  }
  for (const char* gpu : {"a100", "h200"}) {
    figures.push_back(
        {gpu, "4 bytes, stride 1, policy of the GPU file", 1.02, stride_cost(sim::load_gpu(gpu), 4, 1)});
  }
  const std::vector<Cost> a100_blocks = {{1, 9.2}, {2, 5.1}, {4, 3.13}, {8, 4.00}, {16, 2.00}, {32, 1.02}};
  const std::vector<Cost> h200_blocks = {{1, 9.3}, {2, 4.82}, {4, 3.00}, {8, 4.01}, {16, 2.01}, {32, 1.02}};
  for (const Series& series : {Series{"a100", 4, a100_blocks}, {"h200", 4, h200_blocks}}) {
    const sim::GpuSpec spec = in_turn(series.gpu);
    for (const Cost& cost : series.costs) {
      figures.push_back({series.gpu, fmt::format("rows of {} threads", cost.stride), cost.measured,
                         block_cost(spec, cost.stride)});
    }
  }
  check_published("V5", figures);
}

/// Loads of shared memory, `stride` elements from lane to lane; 0 is a broadcast.
double shared_cost(const sim::GpuSpec& spec, unsigned bytes, unsigned stride) {
  const char* const width = bytes == 4 ? "" : bytes == 8 ? ".64" : ".128";
  std::string body;
  for (unsigned i = 0; i < kLoads; ++i) body += fmt::format("LDS{} R{}, [R2]\n", width, 8 + 4 * i);
  for (unsigned i = 0; i < kLoads; i += 2)
    body += fmt::format("IADD3 R3, R3, R{}, R{}\n", 8 + 4 * i, 12 + 4 * i);
  TextKernel kernel(
      fmt::format("S2R R0, SR_LANEID\nIMAD R2, R0, {:#x}, RZ\n", bytes * stride) + loop_of(body), kBlock, {},
      ".param iterations u32\n.shared tile 8192");
  return cycles_a_load(kernel, spec);
}

TEST_CASE("V6: what bank conflicts cost, in broadcasts of a word") {
  struct Series {
    const char* gpu;
    unsigned bytes;
    double broadcast;  // ms, as all that follow
    double by_stride[5];
  };
  const Series all[] = {{"a100", 4, 88.6, {97.7, 174.9, 349.3, 698.3, 1395}},
                        {"v100", 4, 109.5, {109.5, 218.4, 454.4, 923.6, 1847}},
                        {"a100", 8, 108.5, {187.0, 349.9, 698.4, 1396, 2791}},
                        {"v100", 8, 141.5, {222.7, 436.8, 883.0, 1837, 3693}},
                        {"a100", 16, 191.9, {375.1, 699.2, 1396, 2791, 2792}},
                        {"v100", 16, 263.7, {453.5, 873.6, 1817, 3694, 3694}}};
  std::vector<Figure> figures;
  for (const Series& series : all) {
    const sim::GpuSpec spec = in_turn(series.gpu);
    const double base = series.gpu == std::string("a100") ? 88.6 : 109.5;
    const double simulated_base = shared_cost(spec, 4, 0);
    const auto add = [&](const std::string& what, double measured, unsigned stride) {
      figures.push_back({series.gpu, fmt::format("{} bytes, {}", series.bytes, what),
                         std::round(100 * measured / base) / 100,
                         shared_cost(spec, series.bytes, stride) / simulated_base});
    };
    add("broadcast", series.broadcast, 0);
    for (unsigned i = 0; i < 5; ++i) add(fmt::format("stride {}", 1U << i), series.by_stride[i], 1U << i);
  }
  check_published("V6", figures);
}

}  // namespace
}  // namespace heddle::test
