// Occupancy of published cases, and what cannot be launched. The rules themselves are checked against a
// reference in occupancy_reference_test.cpp.
#include "sim/occupancy/occupancy.h"

#include <fmt/format.h>

#include "isa/base/diagnostic.h"
#include "sim/config/load.h"
#include "tests/support/catch.h"

namespace heddle::sim {

namespace {

using Limiters = std::vector<std::string_view>;

Limiters limiters_of(const Occupancy& occupancy) {
  Limiters keys;
  for (const Resource resource : occupancy.limiters()) keys.push_back(info(resource).key);
  return keys;
}

constexpr std::uint32_t kKiB = 1024;

stream::LaunchShape launch_of(Dim3 block, std::uint32_t registers, std::uint32_t shared_bytes) {
  stream::LaunchShape launch;
  launch.kernel = std::string("k");
  launch.block = block;
  launch.registers_per_thread = registers;
  launch.shared_bytes_per_block = shared_bytes;
  return launch;
}

OccupancySpec spec_of(const std::string& gpu) {
  return load_gpu(gpu, {}, HEDDLE_SOURCE_DIR "/configs").occupancy;
}

struct Case {
  Dim3 block;
  std::uint32_t registers;
  std::uint32_t shared_bytes;
  std::uint32_t blocks;
  double occupancy;
  Limiters limiters;
};

void check_cases(const OccupancySpec& spec, const std::vector<Case>& cases) {
  for (const Case& expected : cases) {
    CAPTURE(expected.block.x, expected.block.y, expected.registers, expected.shared_bytes);
    const Occupancy found =
        theoretical_occupancy(spec, launch_of(expected.block, expected.registers, expected.shared_bytes));
    CHECK(found.blocks_per_sm == expected.blocks);
    CHECK(found.occupancy == expected.occupancy);
    CHECK(found.warps_per_sm == expected.occupancy * spec.max_warps);
    CHECK(limiters_of(found) == expected.limiters);
  }
}

/// Everything that is said about a launch that cannot be.
std::string refusal(const OccupancySpec& spec, const stream::LaunchShape& launch) {
  try {
    theoretical_occupancy(spec, launch);
  } catch (const InputError& error) {
    return error.what();
  }
  return "not refused";
}

void check_says(const std::string& text, const std::string& part) {
  CAPTURE(text, part);
  CHECK(text.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("occupancy on V100 counts registers by warps and by sub-partitions") {
  check_cases(spec_of("v100"), {
                                   {{128}, 37, 0, 12, 0.75, {"registers"}},
                                   {{320}, 37, 0, 4, 0.625, {"registers"}},
                                   {{1024}, 32, 0, 2, 1.0, {"warps", "registers"}},
                                   {{1024}, 32, 96 * kKiB, 1, 0.5, {"shared"}},
                                   {{256}, 32, 12 * kKiB + 1, 7, 0.875, {"shared"}},
                               });
}

TEST_CASE("occupancy on T4 is bound by registers where the full carve-out would hold two blocks") {
  check_cases(spec_of("t4"), {{{256}, 158, 32 * kKiB, 1, 0.25, {"registers"}}});
  const Occupancy found = theoretical_occupancy(spec_of("t4"), launch_of({256}, 158, 32 * kKiB));
  CHECK(found.limit(Resource::Registers) == 1);
  CHECK(found.limit(Resource::Shared) == 2);
  CHECK(found.shared_carveout == 32 * kKiB);
}

TEST_CASE("occupancy on A100 of the published examples") {
  check_cases(spec_of("a100"), {
                                   {{256}, 64, 0, 4, 0.5, {"registers"}},
                                   {{256}, 32, 0, 8, 1.0, {"warps", "registers"}},
                                   {{256}, 32, 64 * kKiB, 2, 0.25, {"shared"}},
                                   {{256}, 32, 16 * kKiB, 8, 1.0, {"warps", "registers"}},
                                   {{64}, 32, 0, 32, 1.0, {"warps", "blocks", "registers"}},
                                   {{1024}, 32, 0, 2, 1.0, {"warps", "registers"}},
                               });
  CHECK(theoretical_occupancy(spec_of("a100"), launch_of({256}, 32, 16 * kKiB)).limit(Resource::Shared) == 9);
}

TEST_CASE("occupancy on H100 counts the shared memory that the system reserves") {
  check_cases(spec_of("h100"), {
                                   {{32}, 8, 12 * kKiB, 17, 17.0 / 64, {"shared"}},
                                   {{256}, 40, 8 * kKiB, 6, 0.75, {"registers"}},
                                   {{128}, 40, 0, 12, 0.75, {"registers"}},
                                   {{512}, 40, 0, 3, 0.75, {"registers"}},
                                   {{128}, 32, 0, 16, 1.0, {"warps", "registers"}},
                                   {{256}, 32, 0, 8, 1.0, {"warps", "registers"}},
                                   {{512}, 32, 0, 4, 1.0, {"warps", "registers"}},
                                   {{16, 16}, 10, 0, 8, 1.0, {"warps"}},
                                   {{16, 16}, 15, 2 * kKiB, 8, 1.0, {"warps"}},
                                   {{32, 32}, 20, 8448, 2, 1.0, {"warps", "registers"}},
                                   {{128}, 128, 0, 4, 0.25, {"registers"}},
                               });
}

TEST_CASE("occupancy by shared memory is that measured on a GPU with 228 KiB") {
  // What the occupancy call of the driver answered on a B300, 256 threads a block, KiB of shared memory.
  const OccupancySpec spec = spec_of("h100");
  const std::pair<std::uint32_t, std::uint32_t> rows[] = {{0, 8},  {16, 8},  {32, 6},  {56, 4},
                                                          {64, 3}, {100, 2}, {128, 1}, {227, 1}};
  for (const auto& [shared, blocks] : rows) {
    CAPTURE(shared);
    CHECK(theoretical_occupancy(spec, launch_of({256}, 16, shared * kKiB)).blocks_per_sm == blocks);
  }
}

TEST_CASE("occupancy on 8.6 and 8.9 is that of published matrix products") {
  check_cases(spec_of("rtx3080"), {
                                      {{1024}, 36, 0, 1, 2.0 / 3, {"warps", "registers"}},
                                      {{1024}, 36, 8 * kKiB, 1, 2.0 / 3, {"warps", "registers"}},
                                      {{512}, 44, 4 * kKiB, 2, 2.0 / 3, {"registers"}},
                                      {{256}, 128, 8 * kKiB, 2, 1.0 / 3, {"registers"}},
                                      {{256}, 100, 16 * kKiB, 2, 1.0 / 3, {"registers"}},
                                      {{128}, 168, 16 * kKiB, 3, 0.25, {"registers"}},
                                      {{256}, 170, 48 * kKiB, 1, 1.0 / 6, {"registers"}},
                                  });
  check_cases(spec_of("rtx4090"), {{{256}, 128, 0, 2, 1.0 / 3, {"registers"}},
                                   {{256}, 149, 0, 1, 1.0 / 6, {"registers"}},
                                   {{32}, 16, 0, 24, 0.5, {"blocks"}}});
}

TEST_CASE("a launch's named barriers limit its blocks where the GPU has few") {
  stream::LaunchShape launch = launch_of({64}, 16, 0);
  launch.barriers_per_block = 16;
  CHECK(theoretical_occupancy(spec_of("a100"), launch).blocks_per_sm == 32);
  CHECK(theoretical_occupancy(spec_of("h100"), launch).blocks_per_sm == 4);
  CHECK(limiters_of(theoretical_occupancy(spec_of("h100"), launch)) == Limiters{"barriers"});
}

TEST_CASE("a resource that is not used limits nothing") {
  const Occupancy found = theoretical_occupancy(spec_of("v100"), launch_of({64}, 0, 0));
  CHECK(found.limit(Resource::Registers) == kNoBlockLimit);
  CHECK(found.limit(Resource::Shared) == kNoBlockLimit);
  CHECK(limiters_of(found) == Limiters{"warps", "blocks"});
}

TEST_CASE("the carve-out is the least legal one that holds the blocks") {
  CHECK(theoretical_occupancy(spec_of("v100"), launch_of({256}, 32, 0)).shared_carveout == 0);
  CHECK(theoretical_occupancy(spec_of("v100"), launch_of({256}, 32, 1)).shared_carveout == 8 * kKiB);
  CHECK(theoretical_occupancy(spec_of("v100"), launch_of({256}, 32, 4 * kKiB)).shared_carveout == 32 * kKiB);
  CHECK(theoretical_occupancy(spec_of("v100"), launch_of({256}, 32, 4 * kKiB + 1)).shared_carveout ==
        64 * kKiB);
  // Each block takes 1 KiB more from here on: 2 x 65, 8 x 1, 17 x 13.
  CHECK(theoretical_occupancy(spec_of("a100"), launch_of({256}, 32, 64 * kKiB)).shared_carveout ==
        132 * kKiB);
  CHECK(theoretical_occupancy(spec_of("a100"), launch_of({256}, 32, 0)).shared_carveout == 8 * kKiB);
  CHECK(theoretical_occupancy(spec_of("h100"), launch_of({32}, 8, 12 * kKiB)).shared_carveout == 228 * kKiB);
}

TEST_CASE("without carve-outs shared memory has its fixed size") {
  CHECK(theoretical_occupancy(spec_of("tiny"), launch_of({64}, 8, 0)).shared_carveout == 16 * kKiB);
}

TEST_CASE("launches beyond a limit are refused with the limit's name") {
  const OccupancySpec spec = spec_of("a100");
  const std::pair<stream::LaunchShape, std::string> cases[] = {
      {launch_of({0, 4, 1}, 8, 0), "a block of 0 x 4 x 1 has no threads"},
      {launch_of({1025}, 8, 0), "at most 1024 threads (occupancy.max_threads_per_block)"},
      {launch_of({33, 32}, 8, 0), "a block of 33 x 32 x 1 threads is larger"},
      // The product of these wraps around to 0 in 64 bits.
      {launch_of({0x80000000, 0x80000000, 4}, 8, 0), "at most 1024 threads"},
      {launch_of({32}, 257, 0), "257 registers a thread; at most 256 (occupancy.max_registers_per_thread)"},
      {launch_of({1024}, 65, 0), "takes 73728 registers; at most 65536 (occupancy.registers_per_block)"},
      {launch_of({32}, 8, 163 * kKiB + 1), "at most 166912 (occupancy.shared_bytes_per_block)"},
  };
  for (const auto& [launch, message] : cases) {
    check_says(refusal(spec, launch), message);
  }
}

TEST_CASE("a block pays registers for as many warps as fill all sub-partitions") {
  // 9 warps of 7168 registers are 64512, but they are dealt out over 4 pools as 12 would be.
  check_says(refusal(spec_of("h100"), launch_of({288}, 224, 0)), "takes 86016 registers");
  CHECK(theoretical_occupancy(spec_of("h100"), launch_of({256}, 224, 0)).blocks_per_sm == 1);
}

TEST_CASE("all limits that a launch breaks are named at once") {
  const std::string text = refusal(spec_of("a100"), launch_of({32}, 999, 999 * kKiB));
  check_says(text, "999 registers");
  check_says(text, "1022976 bytes of shared memory");
}

TEST_CASE("a spec too small for a legal block says which resource is short") {
  OccupancySpec spec = spec_of("tiny");
  spec.max_warps = 4;
  check_says(refusal(spec, launch_of({160}, 8, 0)), "not even one block fits an SM");
  check_says(refusal(spec, launch_of({160}, 8, 0)), "warps");
}

TEST_CASE("a larger warp size makes fewer and larger warps") {
  OccupancySpec spec = spec_of("h100");
  spec.warp_size = 64;
  const Occupancy found = theoretical_occupancy(spec, launch_of({96}, 32, 0));
  // 2 warps a block, one of them half empty, of 2048 registers each: 8 a pool, 32 an SM.
  CHECK(found.blocks_per_sm == 16);
  CHECK(found.warps_per_sm == 32);
  CHECK(limiters_of(found) == Limiters{"registers"});
}

}  // namespace heddle::sim
