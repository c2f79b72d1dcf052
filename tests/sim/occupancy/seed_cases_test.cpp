// Occupancy as teaching material and published measurements have it, on compute capabilities without a GPU
// file.
#include "sim/config/compute_capabilities.h"
#include "sim/config/load.h"
#include "sim/occupancy/occupancy.h"
#include "tests/support/catch.h"

namespace heddle::sim {

namespace {

constexpr std::uint32_t kKiB = 1024;

KernelResources kernel_of(Dim3 block, std::uint32_t registers, std::uint32_t shared = 0) {
  KernelResources kernel;
  kernel.block = block;
  kernel.registers_per_thread = registers;
  kernel.dynamic_shared = shared;
  return kernel;
}

Occupancy found_on(std::string_view version, const KernelResources& kernel) {
  const ComputeCapability* device = find_compute_capability(version);
  REQUIRE(device != nullptr);
  return occupancy_of(device->occupancy, kernel);
}

struct Case {
  std::string_view version;
  Dim3 block;
  std::uint32_t registers;
  std::uint32_t shared;
  std::uint32_t blocks;
  double occupancy;
  std::vector<Resource> limiters;  ///< Empty: the source does not say.
};

void check(const std::vector<Case>& cases) {
  for (const Case& expected : cases) {
    CAPTURE(expected.version, expected.block.x, expected.block.y, expected.registers, expected.shared);
    const Occupancy found =
        found_on(expected.version, kernel_of(expected.block, expected.registers, expected.shared));
    CHECK(found.blocks_per_sm == expected.blocks);
    CHECK(found.occupancy == Approx(expected.occupancy).epsilon(1e-12));
    if (!expected.limiters.empty()) CHECK(found.limiters() == expected.limiters);
  }
}

}  // namespace

TEST_CASE("lectures on occupancy, as the hardware has them") {
  using enum Resource;
  check({{"9.0", {32}, 8, 12 * kKiB, 17, 17.0 / 64, {Shared}},
         {"7.5", {256}, 158, 32 * kKiB, 1, 0.25, {Registers}},
         {"8.0", {256}, 64, 0, 4, 0.5, {Registers}},
         {"8.0", {256}, 32, 0, 8, 1, {}},
         {"8.0", {256}, 32, 64 * kKiB, 2, 0.25, {Shared}},
         {"8.0", {256}, 32, 16 * kKiB, 8, 1, {Warps, Registers}},
         {"8.0", {64}, 32, 0, 32, 1, {Warps, Blocks, Registers}},
         {"8.0", {1024}, 32, 0, 2, 1, {}},
         {"9.0", {256}, 40, 8 * kKiB, 6, 0.75, {Registers}},
         {"9.0", {128}, 40, 0, 12, 0.75, {Registers}},
         {"9.0", {512}, 40, 0, 3, 0.75, {Registers}},
         {"9.0", {128}, 32, 0, 16, 1, {}},
         {"9.0", {256}, 32, 0, 8, 1, {}},
         {"9.0", {512}, 32, 0, 4, 1, {}},
         {"7.0", {128}, 37, 0, 12, 0.75, {Registers}},
         {"7.0", {320}, 37, 0, 4, 0.625, {Registers}},
         {"9.0", {16, 16}, 10, 0, 8, 1, {}},
         {"9.0", {16, 16}, 15, 2 * kKiB, 8, 1, {}},
         {"9.0", {32, 32}, 20, 8448, 2, 1, {}}});
  CHECK(found_on("8.0", kernel_of({256}, 32, 16 * kKiB)).limit(Resource::Shared) == 9);
  CHECK(found_on("7.5", kernel_of({256}, 158, 32 * kKiB)).limit(Resource::Shared) == 2);
}

TEST_CASE("occupancy that profilers showed for published kernels") {
  using enum Resource;
  // SGEMM kernels of tutorials on 8.6 and 8.9, with the registers that ptxas gives them.
  check({{"9.0", {256}, 128, 0, 2, 0.25, {Registers}},
         {"8.9", {256}, 128, 0, 2, 1.0 / 3, {Registers}},
         {"8.9", {256}, 149, 0, 1, 1.0 / 6, {Registers}},
         {"8.9", {256}, 157, 0, 1, 1.0 / 6, {Registers}},
         {"8.6", {1024}, 36, 0, 1, 2.0 / 3, {}},
         {"8.6", {1024}, 40, 0, 1, 2.0 / 3, {}},
         {"8.6", {1024}, 36, 8 * kKiB, 1, 2.0 / 3, {}},
         {"8.6", {512}, 44, 4 * kKiB, 2, 2.0 / 3, {}},
         {"8.6", {256}, 128, 8 * kKiB, 2, 1.0 / 3, {}},
         {"8.6", {256}, 116, 8 * kKiB, 2, 1.0 / 3, {}},
         {"8.6", {256}, 100, 16 * kKiB, 2, 1.0 / 3, {}},
         {"8.6", {128}, 168, 16 * kKiB, 3, 0.25, {}},
         {"8.6", {256}, 170, 48 * kKiB, 1, 1.0 / 6, {}}});
}

TEST_CASE("occupancy by shared memory and by carve-out is what the driver of a B300 answers") {
  const std::pair<std::uint32_t, std::uint32_t> by_shared[] = {{0, 8},  {16, 8},  {32, 6},  {56, 4},
                                                               {64, 3}, {100, 2}, {128, 1}, {227, 1}};
  for (const auto& [shared, blocks] : by_shared) {
    CAPTURE(shared);
    KernelResources kernel = kernel_of({256}, 16, shared * kKiB);
    kernel.carveout_percent = 100;
    CHECK(found_on("10.3", kernel).blocks_per_sm == blocks);
  }
  const std::pair<std::uint32_t, std::uint32_t> by_carveout[] = {{0, 1}, {25, 1}, {50, 4}, {75, 5}, {100, 6}};
  for (const auto& [percent, blocks] : by_carveout) {
    CAPTURE(percent);
    KernelResources kernel = kernel_of({256}, 16, 32 * kKiB);
    kernel.carveout_percent = percent;
    const Occupancy found = found_on("10.3", kernel);
    CHECK(found.blocks_per_sm == blocks);
    CHECK(found.shared_carveout == found.shared_capacity);
  }
}

TEST_CASE("named barriers bind from 9.0 on") {
  KernelResources kernel = kernel_of({64}, 16);
  kernel.barriers = 16;
  CHECK(found_on("8.0", kernel).blocks_per_sm == 32);
  CHECK(found_on("9.0", kernel).blocks_per_sm == 4);
  CHECK(found_on("9.0", kernel).limiters() == std::vector{Resource::Barriers});
  CHECK(found_on("12.0", kernel).blocks_per_sm == 1);
  kernel.barriers = 0;
  CHECK(found_on("12.0", kernel).limit(Resource::Barriers) == kNoBlockLimit);
}

TEST_CASE("a launch on 6.0 must fit four pools of registers, though there are two") {
  // 9 warps of 6400 registers: 10 of them fill two pools evenly (64000), 12 of them four (76800).
  CHECK(found_on("6.0", kernel_of({288}, 200)).blocks_per_sm == 0);
  // 15 warps with 4096 registers: 7 or 8 in each pool of two, and 16 would do for four.
  CHECK(found_on("6.0", kernel_of({480}, 128)).blocks_per_sm == 1);
}

TEST_CASE("caching by halves costs blocks, and is given up where a half is too small for one") {
  KernelResources kernel = kernel_of({320}, 16);
  CHECK(found_on("5.2", kernel).blocks_per_sm == 6);
  kernel.caching = PartitionedCaching::Preferred;
  // 64 / 10 warps are 6 blocks; 32 / 10 are 3 in each half: none lost. 9 warps: 7 blocks, or 3 in each half.
  CHECK(found_on("5.2", kernel).blocks_per_sm == 6);
  kernel.block.x = 288;
  CHECK(found_on("5.2", kernel).blocks_per_sm == 6);
  CHECK(found_on("5.2", kernel).partitioned_caching);
  CHECK(found_on("5.0", kernel).blocks_per_sm == 7);
  CHECK_FALSE(found_on("5.0", kernel).partitioned_caching);
  // 32 warps of 2048 registers take all 65536, so half an SM cannot hold one block.
  kernel = kernel_of({1024}, 64);
  kernel.caching = PartitionedCaching::Preferred;
  CHECK(found_on("5.2", kernel).blocks_per_sm == 1);
  CHECK_FALSE(found_on("5.2", kernel).partitioned_caching);
  kernel.caching = PartitionedCaching::Forced;
  CHECK(found_on("5.2", kernel).blocks_per_sm == 0);
}

}  // namespace heddle::sim
