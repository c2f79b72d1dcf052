// Kernels whose threads meet in memory: locks, frontiers, counters.
#include <fmt/format.h>

#include <algorithm>

#include "isa/stream/kernel_fault.h"
#include "sim/config/load.h"
#include "sim/sm/warp_scheduler.h"
#include "tests/examples/example_runs.h"
#include "tests/support/catch.h"

namespace heddle::examples {
namespace {

std::string fault_of(launch::LaunchFile& file, const sim::GpuSpec& spec) {
  try {
    run_example(file, spec);
    return "";
  } catch (const stream::KernelFault& fault) {
    return fault.what();
  }
}

TEST_CASE("a spin lock within a warp ends under barriers, and is a deadlock under a stack") {
  launch::LaunchFile ends = load_example("spin_lock");
  run_example(ends, sim::load_gpu("v100", {"sm.divergence=barrier"}));
  CHECK(launch::run_checks(ends).empty());

  launch::LaunchFile hangs = load_example("spin_lock", {"blocks=1", "block=32"});
  const std::string message = fault_of(hangs, sim::load_gpu("v100", {"sm.divergence=stack"}));
  INFO(message);
  // The first lane got the lock and stands behind the loop; the others go round it.
  CHECK(message.find("block (0,0,0), warp 0, lanes 0xfffffffe of 0xffffffff: deadlock: these lanes have gone") !=
        std::string::npos);
  CHECK(message.find("lanes 0x1 wait at instruction 6") != std::string::npos);
  CHECK(message.find("for lanes 0xfffffffe") != std::string::npos);
}

TEST_CASE("the next frontier holds each vertex that has got a level, once, in any order") {
  for (const char* divergence : kMechanisms) {
    launch::LaunchFile file = load_example("bfs_step");
    run_example(file, sim::load_gpu("a100", {divergence}));
    const auto level = file.memory.find("level")->as<const std::uint32_t>();
    const auto next = file.memory.find("next")->as<const std::uint32_t>();
    std::vector<std::uint32_t> expected;
    for (std::uint32_t vertex = 0; vertex < level.size(); ++vertex) {
      if (level[vertex] == 1) expected.push_back(vertex);
    }
    std::vector<std::uint32_t> found(next.begin(),
                                     next.begin() + static_cast<std::ptrdiff_t>(expected.size()));
    std::ranges::sort(found);
    CHECK(found == expected);
    CHECK(expected.size() > 1000);
  }
}

// Which SM gets a lock first depends on when; so does all that follows.
TEST_CASE("SMs that contend for a lock take the same cycles when every cycle is visited") {
  for (const sim::SchedulerPolicy& policy : sim::scheduler_policies()) {
    const sim::GpuSpec spec = sim::load_gpu("v100", {"sms=3", fmt::format("sm.scheduler={}", policy.name)});
    INFO(policy.name);
    launch::LaunchFile jumped = load_example("try_lock", {"blocks=6"});
    launch::LaunchFile ticked = load_example("try_lock", {"blocks=6"});
    CHECK(test::differences(run_example(jumped, spec), run_example(ticked, spec, test::mode(true))) ==
          std::vector<std::string>{});
  }
}

}  // namespace
}  // namespace heddle::examples
