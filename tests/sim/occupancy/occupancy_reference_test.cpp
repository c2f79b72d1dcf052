// The occupancy rules against a reference that does not divide: it fills an SM warp by warp until nothing
// more fits.
#include <algorithm>
#include <random>

#include "isa/base/diagnostic.h"
#include "sim/occupancy/occupancy.h"
#include "tests/support/catch.h"

namespace heddle::sim {

namespace {

/// An SM that is filled. Each resource can be left out, to see what the others allow.
class FilledSm {
 public:
  FilledSm(const OccupancySpec& spec, const stream::LaunchShape& launch)
      : spec_(spec),
        launch_(launch),
        pools_(spec.register_partitions, spec.registers / spec.register_partitions) {}

  /// Blocks that fit, 0 to `most`.
  std::uint32_t fill(std::uint32_t most) {
    while (blocks_ < most && add_block()) ++blocks_;
    return blocks_;
  }

 private:
  static std::uint32_t counted_up(std::uint32_t amount, std::uint32_t unit) {
    std::uint32_t rounded = 0;
    while (rounded < amount) rounded += unit;
    return rounded;
  }

  bool add_block() {
    shared_ += counted_up(launch_.shared_bytes_per_block + spec_.shared_reserved, spec_.shared_unit);
    if (blocks_ + 1 > spec_.max_blocks || shared_ > spec_.shared_bytes) return false;
    for (std::uint32_t thread = 0; thread < launch_.block.x; thread += spec_.warp_size) {
      if (!add_warp()) return false;
    }
    return true;
  }

  bool add_warp() {
    const std::uint32_t registers =
        counted_up(launch_.registers_per_thread * spec_.warp_size, spec_.register_unit);
    const auto freest = std::max_element(pools_.begin(), pools_.end());
    if (++warps_ > spec_.max_warps || *freest < registers) return false;
    *freest -= registers;
    return true;
  }

  const OccupancySpec& spec_;
  const stream::LaunchShape& launch_;
  std::vector<std::uint32_t> pools_;
  std::uint32_t blocks_ = 0;
  std::uint32_t warps_ = 0;
  std::uint32_t shared_ = 0;
};

class RandomCases {
 public:
  explicit RandomCases(std::uint32_t seed) : random_(seed) {}

  OccupancySpec spec() {
    OccupancySpec spec;
    spec.max_registers_per_thread = 255;
    spec.warp_size = pick({16, 32, 64});
    spec.register_partitions = spec.register_launch_partitions = pick({1, 2, 4});
    spec.max_warps = pick({16, 32, 48, 64});
    spec.max_blocks = pick({8, 16, 24, 32});
    spec.max_threads_per_block = std::min(1024u, spec.max_warps * spec.warp_size);
    spec.registers = spec.registers_per_block = pick({16384, 32768, 65536});
    spec.register_unit = pick({64, 256, 512});
    spec.shared_reserved = pick({0, 1024});
    spec.shared_unit = pick({128, 256});
    spec.shared_bytes = pick({65536, 98304, 102400, 167936, 233472});
    spec.shared_bytes_per_block = spec.shared_bytes - spec.shared_reserved;
    spec.shared_without_opt_in = std::min(spec.shared_bytes_per_block, 49152u);
    return spec;
  }

  stream::LaunchShape launch(const OccupancySpec& spec) {
    stream::LaunchShape launch;
    launch.block.x = between(1, spec.max_threads_per_block);
    launch.registers_per_thread = between(0, between(0, 255));
    // Small blocks of shared memory are the common ones, and the ones that many of fit.
    launch.shared_bytes_per_block = between(0, between(0, spec.shared_bytes_per_block));
    return launch;
  }

 private:
  std::uint32_t between(std::uint32_t least, std::uint32_t most) {
    return least + static_cast<std::uint32_t>(random_() % (std::uint64_t{most} - least + 1));
  }
  std::uint32_t pick(std::initializer_list<std::uint32_t> values) {
    return values.begin()[between(0, static_cast<std::uint32_t>(values.size()) - 1)];
  }

  std::mt19937 random_;
};

/// A block may take registers for as many warps as fill all pools evenly.
bool may_launch(const OccupancySpec& spec, const stream::LaunchShape& launch) {
  std::uint32_t warps = 0;
  for (std::uint32_t thread = 0; thread < launch.block.x || warps % spec.register_partitions != 0;
       thread += spec.warp_size) {
    ++warps;
  }
  std::uint32_t registers = 0;
  while (registers < launch.registers_per_thread * spec.warp_size) registers += spec.register_unit;
  return warps * registers <= spec.registers_per_block;
}

}  // namespace

TEST_CASE("occupancy is what fits an SM that is filled warp by warp") {
  const std::uint32_t seed = 20240501;
  RandomCases cases(seed);
  std::uint32_t refused = 0;
  for (int i = 0; i < 5000; ++i) {
    const OccupancySpec spec = cases.spec();
    const stream::LaunchShape launch = cases.launch(spec);
    CAPTURE(seed, i, spec.warp_size, spec.register_partitions, spec.max_warps, spec.max_blocks,
            spec.registers, spec.register_unit, spec.shared_bytes, spec.shared_reserved, spec.shared_unit,
            launch.block.x, launch.registers_per_thread, launch.shared_bytes_per_block);
    if (!may_launch(spec, launch)) {
      ++refused;
      REQUIRE_THROWS_AS(theoretical_occupancy(spec, launch), InputError);
      continue;
    }
    REQUIRE(theoretical_occupancy(spec, launch).blocks_per_sm ==
            FilledSm(spec, launch).fill(spec.max_blocks));
  }
  // Both kinds must have been seen for this test to mean anything.
  CHECK(refused > 100);
  CHECK(refused < 2500);
}

TEST_CASE("each limit is what fits when the other resources abound") {
  const std::uint32_t seed = 77;
  RandomCases cases(seed);
  for (int i = 0; i < 2000; ++i) {
    const OccupancySpec spec = cases.spec();
    const stream::LaunchShape launch = cases.launch(spec);
    if (!may_launch(spec, launch)) continue;
    CAPTURE(seed, i, launch.block.x, launch.registers_per_thread, launch.shared_bytes_per_block);
    OccupancySpec only_registers = spec;
    only_registers.max_warps = only_registers.max_blocks = 1u << 30;
    only_registers.shared_bytes = 1u << 31;
    OccupancySpec only_shared = spec;
    only_shared.max_warps = only_shared.max_blocks = 1u << 30;
    only_shared.registers = 1u << 31;
    const Occupancy found = theoretical_occupancy(spec, launch);
    // 5000 is more than fit by any resource that is used at all here, but for very small amounts.
    const std::uint32_t most = 5000;
    REQUIRE(std::min(found.limit(Resource::Registers), most) == FilledSm(only_registers, launch).fill(most));
    REQUIRE(std::min(found.limit(Resource::Shared), most) == FilledSm(only_shared, launch).fill(most));
  }
}

TEST_CASE("the limiters are all resources with the least number of blocks") {
  RandomCases cases(5);
  for (int i = 0; i < 2000; ++i) {
    const OccupancySpec spec = cases.spec();
    const stream::LaunchShape launch = cases.launch(spec);
    if (!may_launch(spec, launch)) continue;
    const Occupancy found = theoretical_occupancy(spec, launch);
    const std::vector<Resource> limiters = found.limiters();
    REQUIRE_FALSE(limiters.empty());
    for (std::size_t r = 0; r < kResources; ++r) {
      const auto resource = static_cast<Resource>(r);
      const bool named = std::find(limiters.begin(), limiters.end(), resource) != limiters.end();
      REQUIRE(found.limit(resource) >= found.blocks_per_sm);
      REQUIRE(named == (found.limit(resource) == found.blocks_per_sm));
    }
  }
}

TEST_CASE("occupancy never rises with more registers or more shared memory") {
  RandomCases cases(6);
  for (int i = 0; i < 300; ++i) {
    const OccupancySpec spec = cases.spec();
    stream::LaunchShape launch = cases.launch(spec);
    if (!may_launch(spec, launch)) continue;
    CAPTURE(i, launch.block.x, launch.registers_per_thread, launch.shared_bytes_per_block);
    std::uint32_t before = spec.max_blocks;
    for (const std::uint32_t shared : {0u, 1u, 1000u, 5000u, 20000u, 50000u, 64000u}) {
      launch.shared_bytes_per_block = shared;
      const std::uint32_t blocks = theoretical_occupancy(spec, launch).blocks_per_sm;
      REQUIRE(blocks <= before);
      before = blocks;
    }
    for (; launch.registers_per_thread <= 255 && may_launch(spec, launch); ++launch.registers_per_thread) {
      const std::uint32_t blocks = theoretical_occupancy(spec, launch).blocks_per_sm;
      REQUIRE(blocks <= before);
      before = blocks;
    }
  }
}

}  // namespace heddle::sim
