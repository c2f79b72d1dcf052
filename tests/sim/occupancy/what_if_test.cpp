// What-ifs against a search through all amounts, and NVIDIA's published answers.
#include "sim/occupancy/what_if.h"

#include "sim/config/compute_capabilities.h"
#include "tests/sim/occupancy/configurations.h"
#include "tests/support/catch.h"

namespace heddle::sim {

namespace {

const OccupancySpec& spec_of(std::string_view version) { return find_compute_capability(version)->occupancy; }

KernelResources kernel_of(std::uint32_t threads, std::uint32_t registers, std::uint32_t shared = 0) {
  KernelResources kernel;
  kernel.block = {threads, 1, 1};
  kernel.registers_per_thread = registers;
  kernel.dynamic_shared = shared;
  return kernel;
}

using Sizes = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("registers for full occupancy are 32 on 64 warps and 40 on 48") {
  CHECK(reach(spec_of("9.0"), kernel_of(256, 40), 1).registers == 32u);
  CHECK(reach(spec_of("8.6"), kernel_of(256, 64), 1).registers == 40u);
  CHECK(reach(spec_of("7.5"), kernel_of(256, 158), 1).registers == 64u);
  CHECK(reach(spec_of("9.0"), kernel_of(256, 40), 0.75).registers == 40u);
  // 1024 threads are 32 of 48 warps, and a second block never fits.
  CHECK_FALSE(reach(spec_of("8.6"), kernel_of(1024, 16), 1).registers);
  CHECK(reach(spec_of("8.6"), kernel_of(1024, 16), 0.667).registers == 64u);
}

TEST_CASE("what reaches a target is the greatest amount that does, found one by one") {
  const std::uint32_t seed = 31;
  Configurations configurations(seed);
  for (const ComputeCapability& device : compute_capabilities()) {
    for (int i = 0; i < 20; ++i) {
      const KernelResources kernel = configurations.kernel_for(device.occupancy);
      const double target = 0.125 * (i % 8 + 1);
      const OccupancyReach found = reach(device.occupancy, kernel, target);
      CAPTURE(seed, to_line({&device, kernel}, {}), target);
      std::optional<std::uint32_t> registers;
      for (std::uint32_t n = 0; n <= 255; ++n) {
        KernelResources changed = kernel;
        changed.registers_per_thread = n;
        if (occupancy_of(device.occupancy, changed).occupancy >= target) registers = n;
      }
      REQUIRE(found.registers == registers);
      Sizes sizes;
      for (std::uint32_t n = 32; n <= 1024; n += 32) {
        KernelResources changed = kernel;
        changed.block = {n, 1, 1};
        if (occupancy_of(device.occupancy, changed).occupancy >= target) sizes.push_back(n);
      }
      REQUIRE(found.block_sizes == sizes);
      std::optional<std::uint32_t> shared;
      for (std::uint32_t n = 0; n <= device.occupancy.shared_bytes; n += 128) {
        KernelResources changed = kernel;
        changed.static_shared = 0;
        changed.dynamic_shared = n;
        changed.max_dynamic_shared.reset();
        if (occupancy_of(device.occupancy, changed).occupancy >= target) shared = n;
      }
      REQUIRE(found.shared == shared);
    }
  }
}

TEST_CASE("the suggested block is the largest with the most threads, and all ties are listed") {
  const BlockSuggestion plain = suggest_block(spec_of("9.0"), kernel_of(1, 32), 1024);
  CHECK(plain.threads == 1024);
  CHECK(plain.ties == Sizes{64, 128, 256, 512, 1024});
  CHECK(plain.occupancy.occupancy == 1);
  // 48 warps: 1024 threads fit once, 768 twice.
  CHECK(suggest_block(spec_of("8.6"), kernel_of(1, 32), 1024).threads == 768);
  CHECK(suggest_block(spec_of("8.6"), kernel_of(1, 32), 1024).ties ==
        Sizes{96, 128, 192, 256, 384, 512, 768});
  // A limit that is no multiple of the warp size is tried itself.
  CHECK(suggest_block(spec_of("9.0"), kernel_of(1, 255), 20).threads == 20);
  CHECK(suggest_block(spec_of("9.0"), kernel_of(1, 32, 300000), 1024).threads == 0);
}

TEST_CASE("the suggested block follows shared memory that grows with it") {
  // 164 KiB hold 2048 threads of 64 bytes with 1 KiB reserved for each of at most 32 blocks.
  const auto of_block = [](std::uint32_t threads) { return 64 * threads; };
  const BlockSuggestion found = suggest_block(spec_of("8.0"), kernel_of(1, 32), 1024, of_block);
  CHECK(found.threads == 1024);
  CHECK(found.ties == Sizes{64, 128, 256, 512, 1024});
  const auto much = [](std::uint32_t threads) { return 200 * threads; };
  const BlockSuggestion little = suggest_block(spec_of("8.0"), kernel_of(1, 32), 1024, much);
  // 167936 bytes over 200 a thread are 839 threads without the reserved KiB; by size: 832 x 1, 416 x 2
  // (84,224 each).
  CHECK(little.threads * little.occupancy.blocks_per_sm == 832);
  CHECK(little.threads == 832);
}

TEST_CASE("curves are the occupancy at each amount") {
  const OccupancySpec& spec = spec_of("8.9");
  const KernelResources kernel = kernel_of(256, 40, 8192);
  const std::vector<CurvePoint> sizes = curve_over_block_size(spec, kernel);
  REQUIRE(sizes.size() == 32);
  CHECK(sizes.front().amount == 32);
  CHECK(sizes.back().amount == 1024);
  CHECK(sizes[7].occupancy.blocks_per_sm == occupancy_of(spec, kernel).blocks_per_sm);
  const std::vector<CurvePoint> registers = curve_over_registers(spec, kernel);
  REQUIRE(registers.size() == 255);
  CHECK(registers[39].amount == 40);
  CHECK(registers[39].occupancy.warps_per_sm == occupancy_of(spec, kernel).warps_per_sm);
  const std::vector<CurvePoint> shared = curve_over_shared(spec, kernel);
  REQUIRE(shared.size() == 100);
  CHECK(shared[8].occupancy.blocks_per_sm == occupancy_of(spec, kernel).blocks_per_sm);
  CHECK(shared.back().occupancy.blocks_per_sm == 1);
}

}  // namespace heddle::sim
