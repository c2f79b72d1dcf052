// What must hold of occupancy on every compute capability, whatever the kernel.
#include "tests/sim/occupancy/configurations.h"
#include "tests/support/catch.h"

namespace heddle::sim {

namespace {

constexpr std::uint32_t kSeed = 2026;

/// Blocks for ascending amounts of one resource must not ascend; `set` puts an amount into a kernel.
template <typename Set>
void check_never_rises(const ComputeCapability& device, KernelResources kernel, std::uint32_t most,
                       std::uint32_t step, const Set& set) {
  std::uint32_t before = kNoBlockLimit;
  for (std::uint32_t amount = 0; amount <= most; amount += step) {
    set(kernel, amount);
    const std::uint32_t blocks = occupancy_of(device.occupancy, kernel).blocks_per_sm;
    if (blocks > before) FAIL("seed " << kSeed << ": " << to_line({&device, kernel}, {blocks, 0}));
    before = blocks;
  }
}

template <typename Check>
void for_each_kernel(int of_each, const Check& check) {
  Configurations configurations(kSeed);
  for (const ComputeCapability& device : compute_capabilities()) {
    for (int i = 0; i < of_each; ++i) check(device, configurations.kernel_for(device.occupancy));
  }
}

}  // namespace

TEST_CASE("occupancy never rises with more registers") {
  for_each_kernel(100, [](const ComputeCapability& device, const KernelResources& kernel) {
    check_never_rises(device, kernel, 260, 1,
                      [](KernelResources& k, std::uint32_t n) { k.registers_per_thread = n; });
  });
}

TEST_CASE("occupancy never rises with more shared memory") {
  for_each_kernel(50, [](const ComputeCapability& device, const KernelResources& kernel) {
    const std::uint32_t most = device.occupancy.shared_bytes + 4096;
    check_never_rises(device, kernel, most, 321,
                      [](KernelResources& k, std::uint32_t bytes) { k.dynamic_shared = bytes; });
    check_never_rises(device, kernel, most, 321,
                      [](KernelResources& k, std::uint32_t bytes) { k.static_shared = bytes; });
  });
}

TEST_CASE("occupancy never rises with more named barriers or virtual resources") {
  for_each_kernel(300, [](const ComputeCapability& device, const KernelResources& kernel) {
    check_never_rises(device, kernel, 16, 1, [](KernelResources& k, std::uint32_t n) { k.barriers = n; });
    check_never_rises(device, kernel, 140, 1,
                      [](KernelResources& k, std::uint32_t n) { k.virtual_resources = n; });
  });
}

TEST_CASE("occupancy never falls with more shared memory in the carve-out") {
  for_each_kernel(100, [](const ComputeCapability& device, KernelResources kernel) {
    std::uint32_t before = 0;
    for (std::uint32_t percent = 0; percent <= 100; ++percent) {
      kernel.carveout_percent = percent;
      const std::uint32_t blocks = occupancy_of(device.occupancy, kernel).blocks_per_sm;
      if (blocks < before) FAIL("seed " << kSeed << ": " << to_line({&device, kernel}, {blocks, 0}));
      before = blocks;
    }
  });
}

TEST_CASE("what an SM holds fits it, by plain addition") {
  for_each_kernel(1000, [](const ComputeCapability& device, const KernelResources& kernel) {
    const OccupancySpec& spec = device.occupancy;
    const Occupancy found = occupancy_of(spec, kernel);
    const bool fits = found.warps_per_sm <= spec.max_warps && found.blocks_per_sm <= spec.max_blocks &&
                      found.blocks_per_sm * found.block.registers <= spec.registers &&
                      found.blocks_per_sm * found.block.shared_bytes <= found.shared_capacity &&
                      found.shared_capacity <= spec.shared_bytes + spec.shared_unit;
    const bool runs = found.blocks_per_sm > 0;
    if (runs && !fits) FAIL("seed " << kSeed << ": " << to_line({&device, kernel}, {found.blocks_per_sm, 0}));
  });
}

}  // namespace heddle::sim
