// 21,000 answers of NVIDIA's calculator (cuda_occupancy.h of CUDA 13.0), recorded by cuda_occupancy_test.cpp.
// They are for machines without the header. Columns: as in KernelResources; then the blocks an SM holds, and
// the limiting factors as the header numbers them (1 warps, 2 registers, 4 shared memory, 8 blocks, 16
// barriers, 32 virtual resources).
#include <fstream>
#include <map>

#include "sim/occupancy/refusals.h"
#include "tests/sim/occupancy/configurations.h"
#include "tests/support/catch.h"

namespace heddle::sim {

TEST_CASE("occupancy is that of NVIDIA's calculator on 21,000 recorded kernels") {
  std::ifstream file(HEDDLE_SOURCE_DIR "/tests/sim/occupancy/data/cuda_occupancy.csv");
  std::string line;
  REQUIRE(std::getline(file, line));
  std::map<std::string_view, int> of_each;
  while (std::getline(file, line)) {
    const auto [configuration, expected] = from_line(line);
    if (answer_of(configuration) != expected) FAIL(line);
    // What never runs is refused with a reason, and nothing else is.
    const OccupancySpec& spec = configuration.device->occupancy;
    if (refusals(spec, configuration.kernel).empty() != (expected.blocks > 0)) FAIL("refusal of " << line);
    ++of_each[configuration.device->version];
  }
  CHECK(of_each.size() == compute_capabilities().size());
  for (const auto& [version, count] : of_each) {
    CAPTURE(version);
    CHECK(count == 1000);
  }
}

}  // namespace heddle::sim
