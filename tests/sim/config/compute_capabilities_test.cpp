// The table of limits against NVIDIA's guide, typed in a second time, and against the GPU files.
#include "sim/config/compute_capabilities.h"

#include "sim/config/load.h"
#include "tests/support/catch.h"

namespace heddle::sim {

namespace {

const char* const kConfigs = HEDDLE_SOURCE_DIR "/configs";

/// Technical specifications of the CUDA C++ Programming Guide; 8.8 as compute_capabilities.def says.
struct Row {
  std::string_view version;
  std::uint32_t threads_per_sm;
  std::uint32_t blocks_per_sm;
  std::uint32_t shared_kib_per_sm;
  std::uint32_t shared_kib_per_block;
  std::uint32_t registers_per_block_in_k;
};

constexpr Row kGuide[] = {
    {"5.0", 2048, 32, 64, 48, 64},    {"5.2", 2048, 32, 96, 48, 64},    {"5.3", 2048, 32, 64, 48, 32},
    {"6.0", 2048, 32, 64, 48, 64},    {"6.1", 2048, 32, 96, 48, 64},    {"6.2", 2048, 32, 64, 48, 32},
    {"7.0", 2048, 32, 96, 96, 64},    {"7.2", 2048, 32, 96, 96, 64},    {"7.5", 1024, 16, 64, 64, 64},
    {"8.0", 2048, 32, 164, 163, 64},  {"8.6", 1536, 16, 100, 99, 64},   {"8.7", 1536, 16, 164, 163, 64},
    {"8.8", 1536, 16, 100, 99, 64},   {"8.9", 1536, 24, 100, 99, 64},   {"9.0", 2048, 32, 228, 227, 64},
    {"10.0", 2048, 32, 228, 227, 64}, {"10.1", 1536, 24, 228, 227, 64}, {"10.3", 2048, 32, 228, 227, 64},
    {"11.0", 1536, 24, 228, 227, 64}, {"12.0", 1536, 24, 100, 99, 64},  {"12.1", 1536, 24, 100, 99, 64},
};

}  // namespace

TEST_CASE("the limits of each compute capability are those of NVIDIA's guide") {
  const std::span<const ComputeCapability> table = compute_capabilities();
  REQUIRE(table.size() == std::size(kGuide));
  for (std::size_t i = 0; i < table.size(); ++i) {
    CAPTURE(kGuide[i].version);
    const OccupancySpec& spec = table[i].occupancy;
    CHECK(table[i].version == kGuide[i].version);
    CHECK(spec.max_warps * spec.warp_size == kGuide[i].threads_per_sm);
    CHECK(spec.max_blocks == kGuide[i].blocks_per_sm);
    CHECK(spec.shared_bytes == kGuide[i].shared_kib_per_sm * 1024);
    CHECK(spec.shared_bytes_per_block == kGuide[i].shared_kib_per_block * 1024);
    CHECK(spec.registers_per_block == kGuide[i].registers_per_block_in_k * 1024);
    CHECK(spec.registers == 65536);
    CHECK((spec.carveouts.empty() || spec.carveouts.back() == spec.shared_bytes));
  }
}

TEST_CASE("GPU files of real GPUs have the limits of their compute capability") {
  std::size_t compared = 0;
  for (const std::string& name : available_gpus(kConfigs)) {
    CAPTURE(name);
    const GpuSpec gpu = load_gpu(name, {}, kConfigs);
    const ComputeCapability* row = find_compute_capability(gpu.compute_capability);
    if (row == nullptr) continue;
    OccupancySpec expected = row->occupancy;
    expected.gpcs = gpu.occupancy.gpcs;  // belongs to the GPU
    CHECK(gpu.occupancy == expected);
    ++compared;
  }
  CHECK(compared >= 12);
}

TEST_CASE("compute capabilities are found by the names that compilers give them") {
  const std::pair<const char*, const char*> cases[] = {{"8.6", "8.6"},
                                                       {"sm_86", "8.6"},
                                                       {"86", "8.6"},
                                                       {"sm_90a", "9.0"},
                                                       {"compute_120f", "12.0"},
                                                       {"sm_103", "10.3"},
                                                       {"textbook", "textbook"},
                                                       {"sm_", "sm_"}};
  for (const auto& [text, version] : cases) {
    CAPTURE(text);
    CHECK(compute_capability_version(text) == version);
  }
  CHECK(find_compute_capability("8.6")->architecture == "Ampere");
  CHECK(find_compute_capability("8.1") == nullptr);
}

}  // namespace heddle::sim
