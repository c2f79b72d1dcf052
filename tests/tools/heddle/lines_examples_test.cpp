// The ledger by line of every example: each counter of the run belongs to one line.
#include <filesystem>

#include "sim/config/load.h"
#include "tests/examples/example_runs.h"
#include "tests/support/catch.h"
#include "tools/heddle/run/line_request.h"

namespace heddle::command {
namespace {

TEST_CASE("The counters of an example's lines add up to those of its run") {
  const sim::GpuSpec spec = sim::load_gpu("h100", {});
  for (const auto& entry : std::filesystem::directory_iterator(std::string(HEDDLE_SOURCE_DIR) + "/traces")) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string name = entry.path().stem();
    INFO(name);
    launch::LaunchFile file = examples::load_example(name);
    if (!examples::runs_on(file, spec)) continue;
    const sim::RunResult result = examples::run_example(file, spec);
    const report::LineProfile profile =
        line_profile({}, launch::kernel_source(entry.path(), {}), file.launch.kernel, result);
    sim::PcCounters sum;
    sim::Cost cost;
    for (const sim::LineFigures& line : profile.lines) {
      sum += line.counters;
      cost += line.cost;
      CHECK(line.place.line != 0);
      CHECK_FALSE(profile.files.at(line.place.file).line(line.place.line).empty());
    }
    CHECK(sum.issued == result.total.warp_instructions);
    CHECK(sum.branches == result.total.branches);
    CHECK(sum.divergent_branches == result.total.divergent_branches);
    CHECK(sum.stalls == result.total.stalls);
    CHECK(cost.slots == result.total.issue_slots.stalled);
    CHECK(sum.lost_slots == result.total.issue_slots.stalled);
    CHECK(sum.lane_slots == result.total.lane_slots);
    CHECK(cost.lanes == sum.lane_slots.sum() - sum.lane_slots[sim::LaneSlotPart::Executed] -
                            sum.lane_slots[sim::LaneSlotPart::NeverExisted]);
    sim::MemoryCounters memory = result.total.memory;
    memory.dram_late_bytes = 0;  // moved after the end, for whomever
    CHECK(sum.memory == memory);
  }
}

}  // namespace
}  // namespace heddle::command
