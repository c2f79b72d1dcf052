// Runs a kernel from text on two GPUs at once, each in a thread of its own, reads figures, and catches a fault.
#include <heddle/heddle.h>

#include <cstdint>
#include <iostream>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::uint32_t kCount = 4096;
constexpr std::uint32_t kBlock = 128;

// y[i] = a * x[i] + y[i]
constexpr const char* kSaxpy = R"(
.kernel saxpy
.param n u32
.param a f32
.param x ptr
.param y ptr
    S2R R0, SR_TID.X
    S2R R1, SR_CTAID.X
    IMAD R0, R1, c[blockDim.x], R0
    ISETP.GE.U32.AND P0, PT, R0, c[n], PT
@P0 EXIT
    IMAD.WIDE R2, R0, 0x4, c[x]
    LDG.E R6, [R2.64]
    IMAD.WIDE R4, R0, 0x4, c[y]
    LDG.E R7, [R4.64]
    FFMA R7, R6, c[a], R7
    STG.E [R4.64], R7
    EXIT
)";

struct Outcome {
  std::string failure;
  std::uint64_t cycles = 0;
  std::uint64_t again = 0;
};

std::uint64_t run_once(heddle::session::Device& device, const heddle::session::Module& module, Outcome& outcome) {
  using namespace heddle;
  std::vector<float> x(kCount);
  std::iota(x.begin(), x.end(), 0.0F);
  std::vector<float> y(kCount, 1.0F);
  const session::DevicePointer device_x = device.allocate(kCount * sizeof(float), "x");
  const session::DevicePointer device_y = device.allocate(kCount * sizeof(float), "y");
  device.copy_to_device(device_x, std::span<const float>(x));
  device.copy_to_device(device_y, std::span<const float>(y));
  const session::LaunchId id = device.launch(
      module.kernel("saxpy"), {.grid = {kCount / kBlock}, .block = {kBlock}}, {kCount, 2.0F, device_x, device_y});
  const sim::RunFigures& figures = device.figures(id);
  device.copy_to_host(std::span<float>(y), device_y);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    if (y[i] != 2.0F * x[i] + 1.0F) outcome.failure = "y[" + std::to_string(i) + "] is wrong";
  }
  // Twelve instructions a warp, as no lane leaves early.
  if (figures.total.warp_instructions != 12 * kCount / 32) outcome.failure = "warp instructions";
  if (figures.ledgers.lane_slots.total != 12 * kCount) outcome.failure = "lane slots";
  if (!(figures.achieved_occupancy > 0 && figures.achieved_occupancy <= 1)) outcome.failure = "occupancy";
  device.free(device_x);
  device.free(device_y);
  return figures.cycles;
}

/// Lane 3 of warp 2 of block 1 is the first thread behind an `x` of so many elements.
void run_out_of_bounds(const heddle::sim::GpuSpec& gpu, const heddle::session::Module& module, Outcome& outcome) {
  using namespace heddle;
  constexpr std::uint32_t kElements = kBlock + 2 * 32 + 3;
  session::Device device(gpu);
  const session::DevicePointer x = device.allocate(kElements * sizeof(float), "x");
  const session::DevicePointer y = device.allocate(kCount * sizeof(float), "y");
  device.launch(module.kernel(), {.grid = {2}, .block = {kBlock}}, {kCount, 2.0F, x, y});
  try {
    device.synchronize();
    outcome.failure = "no fault";
  } catch (const stream::KernelFault& fault) {
    const stream::FaultPlace& at = fault.place();
    const Addr address = x.address + kElements * sizeof(float);
    if (fault.kind() != stream::FaultKind::OutOfBounds || at.pc != 6 || at.lane != 3 || at.address != address ||
        at.block != 1 || at.warp != 2) {
      outcome.failure = std::string("a fault elsewhere: ") + fault.what();
    }
  }
}

void use_gpu(const std::string& name, Outcome& outcome) {
  try {
    const heddle::sim::GpuSpec gpu = heddle::sim::load_gpu(name);
    const auto module = heddle::session::Module::from_text(kSaxpy, "saxpy.sass");
    heddle::session::Device first(gpu);
    outcome.cycles = run_once(first, module, outcome);
    heddle::session::Device second(gpu);
    outcome.again = run_once(second, module, outcome);
    run_out_of_bounds(gpu, module, outcome);
  } catch (const std::exception& error) {
    outcome.failure = error.what();
  }
}

}  // namespace

int main() {
  Outcome h100;
  Outcome v100;
  std::thread one(use_gpu, "h100", std::ref(h100));
  std::thread other(use_gpu, "v100", std::ref(v100));
  one.join();
  other.join();
  for (const Outcome* outcome : {&h100, &v100}) {
    if (outcome->failure.empty() && outcome->cycles == outcome->again && outcome->cycles != 0) continue;
    std::cerr << "failed: " << outcome->failure << ' ' << outcome->cycles << ' ' << outcome->again << '\n';
    return 1;
  }
  if (h100.cycles == v100.cycles) {
    std::cerr << "failed: two GPUs took the same cycles\n";
    return 1;
  }
  std::cout << "h100 " << h100.cycles << " cycles, v100 " << v100.cycles << " cycles\n";
  return 0;
}
