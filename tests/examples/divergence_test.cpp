// What diverging warps lose: the article's table of two paths, counted issue by issue.
#include <algorithm>

#include "sim/config/load.h"
#include "tests/examples/example_runs.h"
#include "tests/support/catch.h"

namespace heddle::examples {
namespace {

/// Lane slots of the two paths: 100 instructions of path A, 1 of path B.
struct Lanes {
  std::uint64_t used = 0;
  std::uint64_t of = 0;
  friend bool operator==(const Lanes&, const Lanes&) = default;
};

bool is_work(const launch::LaunchFile& file, Pc pc) {
  const bool path_a = pc >= pc_of(file, "path_a") && pc < pc_of(file, "leave_a");
  return path_a || (pc >= pc_of(file, "path_b") && pc < pc_of(file, "join"));
}

Lanes path_lanes(const std::string& example, const std::string& gpu, const char* divergence) {
  launch::LaunchFile file = load_example(example);
  Lanes lanes;
  for (const sim::WarpIssued& event : trace_example(file, sim::load_gpu(gpu, {divergence})).issued) {
    if (!is_work(file, event.pc)) continue;
    lanes.used += lane_count(event.executed);
    lanes.of += 32;
  }
  return lanes;
}

TEST_CASE("the two paths use the lane slots that the formula says") {
  // (100 A + B) / (32 x (100 [if A] + 1 [if B])) for A and B lanes on the paths.
  for (const char* gpu : {"h100", "a100", "v100", "tiny"}) {
    for (const char* divergence : kMechanisms) {
      INFO(gpu << ", " << divergence);
      CHECK(path_lanes("divergent_all_a", gpu, divergence) == Lanes{3200, 3200});
      CHECK(path_lanes("divergent_all_b", gpu, divergence) == Lanes{32, 32});
      CHECK(path_lanes("divergent_16_16", gpu, divergence) == Lanes{1616, 3232});
      CHECK(path_lanes("divergent_31a_1b", gpu, divergence) == Lanes{3101, 3232});
      CHECK(path_lanes("divergent_1a_31b", gpu, divergence) == Lanes{131, 3232});
    }
  }
}

/// The same from the counters by instruction, which no observer had to listen for.
Lanes path_lanes_by_pc(const std::string& example, const std::string& gpu, const char* divergence) {
  launch::LaunchFile file = load_example(example);
  const sim::RunResult result = run_example(file, sim::load_gpu(gpu, {divergence}));
  Lanes lanes;
  for (Pc pc = 0; pc < result.by_pc.size(); ++pc) {
    if (!is_work(file, pc)) continue;
    lanes.used += result.by_pc[pc].lane_slots[sim::LaneSlotPart::Executed];
    lanes.of += result.by_pc[pc].lane_slots.sum();
  }
  return lanes;
}

TEST_CASE("summed over the instructions of each path, the ledger by instruction has these lane slots") {
  for (const char* gpu : {"h100", "a100", "v100", "tiny"}) {
    for (const char* divergence : kMechanisms) {
      INFO(gpu << ", " << divergence);
      CHECK(path_lanes_by_pc("divergent_all_a", gpu, divergence) == Lanes{3200, 3200});
      CHECK(path_lanes_by_pc("divergent_all_b", gpu, divergence) == Lanes{32, 32});
      CHECK(path_lanes_by_pc("divergent_16_16", gpu, divergence) == Lanes{1616, 3232});
      CHECK(path_lanes_by_pc("divergent_31a_1b", gpu, divergence) == Lanes{3101, 3232});
      CHECK(path_lanes_by_pc("divergent_1a_31b", gpu, divergence) == Lanes{131, 3232});
    }
  }
}

TEST_CASE("the paths run one after the other, each under its mask, and meet again") {
  const char* divergence = GENERATE(kMechanisms[0], kMechanisms[1]);
  struct Case {
    const char* example;
    LaneMask a;  // data are above the threshold in the first lanes
    LaneMask b;
  };
  for (const Case& row : {Case{"divergent_16_16", 0x0000ffff, 0xffff0000},
                          {"divergent_31a_1b", 0x7fffffff, 0x80000000},
                          {"divergent_1a_31b", 0x00000001, 0xfffffffe},
                          {"divergent_all_a", 0xffffffff, 0},
                          {"divergent_all_b", 0, 0xffffffff}}) {
    INFO(row.example << ", " << divergence);
    launch::LaunchFile file = load_example(row.example);
    const test::Timeline run = trace_example(file, sim::load_gpu("h100", {divergence}));
    const Pc path_a = pc_of(file, "path_a");
    const Pc path_b = pc_of(file, "path_b");
    const Pc join = pc_of(file, "join");
    std::vector<std::pair<Pc, LaneMask>> expected;
    const LaneMask all = 0xffffffff;
    for (Pc pc = 0; pc < path_a; ++pc) expected.emplace_back(pc, all);
    for (Pc pc = path_a; pc < path_b && row.a != 0; ++pc) expected.emplace_back(pc, row.a);
    for (Pc pc = path_b; pc < join && row.b != 0; ++pc) expected.emplace_back(pc, row.b);
    expected.emplace_back(join, all);
    expected.emplace_back(join + 1, all);
    std::vector<std::pair<Pc, LaneMask>> found;
    for (const sim::WarpIssued& event : run.issued) found.emplace_back(event.pc, event.active);
    CHECK(found == expected);
    CHECK(run.result.total.divergent_branches == (row.a != 0 && row.b != 0 ? 1 : 0));
  }
}

TEST_CASE("each path that a warp takes costs the same, from one path to 32, under both mechanisms") {
  for (const std::string& gpu : sim::available_gpus()) {
    for (const char* divergence : kMechanisms) {
      const sim::GpuSpec spec = sim::load_gpu(gpu, {divergence});
      const auto latency = [&](ir::TimingClass which) -> Cycle { return spec.sm.timing(which).latency; };
      // On a path IMAD issues, then BRA in the next cycle, then what follows when the branch is resolved; the
      // next path's IMAD writes the same register.
      const Cycle path = std::max(1 + latency(ir::TimingClass::Branch), latency(ir::TimingClass::Imad));
      Cycle one = 0;
      for (std::uint64_t paths = 1; paths <= 32; ++paths) {
        launch::LaunchFile file = load_example("switch_paths", {"paths=" + std::to_string(paths)});
        const sim::RunResult result = run_example(file, spec);
        INFO(gpu << ", " << divergence << ", " << paths << " paths");
        if (paths == 1) one = result.cycles;
        CHECK(result.cycles == one + (paths - 1) * path);
        CHECK(result.total.warp_instructions == 11 + 2 * paths + 2);
        CHECK(result.total.thread_instructions == 32 * (11 + 2 + 2));
        CHECK(launch::run_checks(file).empty());
      }
    }
  }
}

TEST_CASE("one thread that sums alone uses one lane in 32, shuffles use all") {
  launch::LaunchFile bad = load_example("bad_reduce");
  const Pc loop = pc_of(bad, "loop");
  std::uint64_t in_loop = 0;
  for (const sim::WarpIssued& event : trace_example(bad, sim::load_gpu("h100")).issued) {
    if (event.pc < loop) continue;
    CHECK(event.active == 1);
    ++in_loop;
  }
  CHECK(in_loop == 32 * 19 + 3);  // 256 / 8 rounds, then LDC, STG, EXIT

  launch::LaunchFile good = load_example("good_reduce");
  std::uint64_t shuffles = 0;
  for (const sim::WarpIssued& event : trace_example(good, sim::load_gpu("h100")).issued) {
    if (good.launch.kernel.instructions[event.pc].opcode != ir::Opcode::Shfl) continue;
    CHECK(event.executed == 0xffffffff);
    ++shuffles;
  }
  CHECK(shuffles == 8 * 5);
}

}  // namespace
}  // namespace heddle::examples
