// Waves, tails and clusters; and the textbook's formula.
#include "sim/occupancy/grid.h"

#include "sim/config/compute_capabilities.h"
#include "sim/occupancy/textbook.h"
#include "tests/support/catch.h"

namespace heddle::sim {

TEST_CASE("a grid that fills its waves loses nothing, and one block more loses nearly a wave") {
  const GridFit full = fit_grid(1056, 528);
  CHECK(full.waves == 2);
  CHECK(full.full_waves == 2);
  CHECK(full.tail_blocks == 0);
  CHECK(full.efficiency == 1);
  const GridFit more = fit_grid(529, 528);
  CHECK(more.full_waves == 1);
  CHECK(more.tail_blocks == 1);
  CHECK(more.efficiency == Approx(529.0 / 1056));
  CHECK(fit_grid(1, 528).efficiency == Approx(1.0 / 528));
}

TEST_CASE("clusters keep to one GPC each") {
  // 66 pairs of SMs over 8 GPCs: two of 18 SMs, six of 16.
  CHECK(max_active_clusters(132, 8, 1, 1) == 132);
  CHECK(max_active_clusters(132, 8, 1, 2) == 66);
  CHECK(max_active_clusters(132, 8, 1, 4) == 2 * 4 + 6 * 4);
  CHECK(max_active_clusters(132, 8, 1, 8) == 16);
  CHECK(max_active_clusters(132, 8, 1, 16) == 8);
  CHECK(max_active_clusters(132, 8, 2, 16) == 2 * 2 + 6 * 2);
  CHECK(max_active_clusters(132, 8, 1, 17) == 2);
  CHECK(max_active_clusters(132, 0, 1, 16) == 8);
  // The SMs are all there, whatever their number.
  for (std::uint32_t sms = 1; sms < 200; ++sms) {
    for (const std::uint32_t gpcs : {0u, 1u, 3u, 8u, 11u})
      REQUIRE(max_active_clusters(sms, gpcs, 3, 1) == 3 * sms);
  }
}

TEST_CASE("the textbook's formula is that of the lectures") {
  struct Case {
    std::string_view version;
    std::uint32_t threads, registers, shared;
    std::uint64_t warps;
  };
  // 19 blocks of a warp; 65536 / 40 registers = 1638 threads = 51 warps.
  const Case cases[] = {{"9.0", 32, 8, 12288, 19},   {"9.0", 256, 40, 8192, 51}, {"9.0", 128, 40, 0, 51},
                        {"9.0", 512, 40, 0, 51},     {"8.0", 256, 64, 0, 32},    {"8.0", 256, 32, 0, 64},
                        {"8.0", 256, 32, 65536, 16}, {"8.0", 64, 32, 0, 64},     {"9.0", 256, 10, 0, 64},
                        {"9.0", 256, 15, 2048, 64}};
  for (const Case& expected : cases) {
    CAPTURE(expected.version, expected.threads, expected.registers, expected.shared);
    KernelResources kernel;
    kernel.block = {expected.threads, 1, 1};
    kernel.registers_per_thread = expected.registers;
    kernel.dynamic_shared = expected.shared;
    const TextbookOccupancy found =
        textbook_occupancy(find_compute_capability(expected.version)->occupancy, kernel);
    CHECK(found.warps == expected.warps);
    CHECK(found.occupancy == Approx(static_cast<double>(expected.warps) / 64));
  }
}

}  // namespace heddle::sim
