// What is left on an SM: for one kernel what its occupancy says, for several what each resource leaves.
#include "sim/occupancy/sm_room.h"

#include <random>

#include "sim/config/load.h"
#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

BlockDemand demand(const OccupancySpec& spec, const KernelResources& kernel) {
  return demand_of(occupancy_of(spec, kernel), kernel.barriers);
}

KernelResources random_kernel(std::mt19937_64& random) {
  KernelResources kernel;
  kernel.block = {static_cast<std::uint32_t>(1 + random() % 1024), 1, 1};
  kernel.registers_per_thread = static_cast<std::uint32_t>(random() % 256);
  kernel.dynamic_shared = random() % 2 == 0 ? 0 : static_cast<std::uint32_t>(random() % (100 << 10));
  kernel.barriers = static_cast<std::uint32_t>(random() % 17);
  return kernel;
}

TEST_CASE("as many blocks of one kernel fit as occupancy says, in whatever order they come and go") {
  std::mt19937_64 random(46);
  for (const char* gpu : {"tiny", "p100", "v100", "a100", "rtx3080", "h100"}) {
    const OccupancySpec spec = load_gpu(gpu).occupancy;
    for (int round = 0; round < 300; ++round) {
      const KernelResources kernel = random_kernel(random);
      const std::uint32_t most = occupancy_of(spec, kernel).blocks_per_sm;
      if (most == 0) continue;
      const BlockDemand block = demand(spec, kernel);
      INFO(gpu << ", " << kernel.block.x << " threads of " << kernel.registers_per_thread << " registers");
      SmRoom room(spec);
      std::vector<SmRoom::Pools> held;
      for (int step = 0; step < 60; ++step) {
        REQUIRE(room.room_for(block) == most - held.size());
        const bool takes = held.empty() || (held.size() < most && random() % 2 == 0);
        if (takes) {
          held.push_back(room.take(block));
        } else {
          const auto which = static_cast<std::ptrdiff_t>(random() % held.size());
          room.give_back(block, held[static_cast<std::size_t>(which)]);
          held.erase(held.begin() + which);
        }
      }
    }
  }
}

/// tiny: 16 warps, 8 blocks, 4 pools of 4096 registers, 16 KiB of shared memory of which a block takes 1
/// more.
struct Room {
  OccupancySpec spec = load_gpu("tiny").occupancy;
  SmRoom room{spec};

  BlockDemand of(std::uint32_t threads, std::uint32_t registers, std::uint32_t shared) const {
    KernelResources kernel;
    kernel.block = {threads, 1, 1};
    kernel.registers_per_thread = registers;
    kernel.dynamic_shared = shared;
    return demand(spec, kernel);
  }
};

TEST_CASE("warps that one kernel takes another one lacks") {
  Room sm;
  sm.room.take(sm.of(10 * 32, 0, 0));
  CHECK(sm.room.room_for(sm.of(2 * 32, 0, 0)) == 3);
  CHECK(sm.room.room_for(sm.of(7 * 32, 0, 0)) == 0);
}

TEST_CASE("block slots run out, whosever they are") {
  Room sm;
  for (int i = 0; i < 5; ++i) sm.room.take(sm.of(32, 0, 0));
  CHECK(sm.room.room_for(sm.of(64, 0, 0)) == 3);
}

TEST_CASE("a warp's registers must come from one pool") {
  Room sm;
  // 3 of 4 pools give 96 x 32 registers to a warp each, and keep 1024; the last one has 4096.
  sm.room.take(sm.of(3 * 32, 96, 0));
  CHECK(sm.room.room_for(sm.of(32, 96, 0)) == 1);
  CHECK(sm.room.room_for(sm.of(32, 32, 0)) == 7);  // of 3 + 4, were it not for 8 blocks an SM
  CHECK(sm.room.room_for(sm.of(64, 32, 0)) == 3);
  CHECK(sm.room.room_for(sm.of(2 * 32, 96, 0)) == 0);
}

TEST_CASE("shared memory is shared") {
  Room sm;
  sm.room.take(sm.of(32, 0, 9 << 10));                  // 10 of 16 KiB
  CHECK(sm.room.room_for(sm.of(32, 0, 2 << 10)) == 2);  // 3 each
  CHECK(sm.room.room_for(sm.of(32, 0, 5 << 10)) == 1);
  CHECK(sm.room.room_for(sm.of(32, 0, 6 << 10)) == 0);
}

TEST_CASE("what shared memory is set to for the first block stays until the SM is empty") {
  const OccupancySpec spec = load_gpu("h100").occupancy;
  KernelResources small;
  small.block = {1024, 1, 1};
  small.registers_per_thread = 16;
  KernelResources large = small;
  large.dynamic_shared = 64 << 10;
  SmRoom room(spec);
  CHECK(room.room_for(demand(spec, large)) == 2);
  const SmRoom::Pools pools = room.take(demand(spec, small));
  CHECK(room.room_for(demand(spec, small)) == 1);
  CHECK(room.room_for(demand(spec, large)) == 0);
  room.give_back(demand(spec, small), pools);
  CHECK(room.room_for(demand(spec, large)) == 2);
}

}  // namespace
}  // namespace heddle::sim
