// What holds of the counters by instruction of every run: they are the run's own, told apart.
#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {

namespace {

using Lines = std::vector<std::string>;

/// The names of the counters in which two differ.
void compare(const std::string& place, const sim::PcCounters& found, const sim::PcCounters& expected,
             Lines& broken) {
  const auto equal = [&](std::string_view what, const auto& a, const auto& b) {
    if (!(a == b)) broken.push_back(fmt::format("{}: {}", place, what));
  };
  equal("issued", found.issued, expected.issued);
  equal("branches", found.branches, expected.branches);
  equal("divergent branches", found.divergent_branches, expected.divergent_branches);
  for (std::size_t i = 0; i < sim::StallCounts::kParts; ++i) {
    const auto reason = static_cast<ir::StallReason>(i);
    equal(fmt::format("stalls, {}", ir::info(reason).key), found.stalls[reason], expected.stalls[reason]);
    equal(fmt::format("lost slots, {}", ir::info(reason).key), found.lost_slots[reason],
          expected.lost_slots[reason]);
  }
  equal("lane slots", found.lane_slots, expected.lane_slots);
#define HEDDLE_MEMORY_COUNTER(name, summary) equal(#name, found.memory.name, expected.memory.name);
#include "sim/memory/memory_counters.def"
#undef HEDDLE_MEMORY_COUNTER
}

/// The run's, as far as an instruction can have them.
sim::PcCounters counters_of(const sim::SmCounters& total) {
  sim::PcCounters counters;
  counters.issued = total.issue_slots.issued;
  counters.branches = total.branches;
  counters.divergent_branches = total.divergent_branches;
  counters.stalls = total.stalls;
  counters.lost_slots = total.issue_slots.stalled;
  counters.lane_slots = total.lane_slots;
  counters.memory = total.memory;
  counters.memory.dram_late_bytes = 0;  // moved after the end, for whomever
  return counters;
}

/// No part of a ledger is more than the whole: none has wrapped around zero.
void check_parts(Pc pc, const sim::PcCounters& counters, const sim::SmCounters& total, Lines& broken) {
  for (std::size_t i = 0; i < sim::StallCounts::kParts; ++i) {
    const auto reason = static_cast<ir::StallReason>(i);
    if (counters.stalls[reason] > total.stalls[reason] ||
        counters.lost_slots[reason] > total.issue_slots.stalled[reason]) {
      broken.push_back(fmt::format("pc {}: {} above the run's", pc, ir::info(reason).key));
    }
  }
}

/// Each load, copy and answered atomic of global and local memory has come back, and been counted once.
void check_latencies(const sim::RunResult& result, const stream::StaticOp& op, Lines& broken) {
  if (op.pc >= result.by_pc.size() || stream::is_bulk(op.kind)) return;
  const sim::PcCounters& counters = result.by_pc[op.pc];
  std::uint64_t requests = counters.memory.global_load_requests + counters.memory.local_load_requests;
  if (op.kind == stream::OpKind::Atomic && op.writes.size() != 0)
    requests += counters.memory.global_atomic_requests;
  const sim::LoadLatency all = counters.all_latency();
  if (all.count != requests)
    broken.push_back(fmt::format("pc {}: {} latencies of {} requests", op.pc, all.count, requests));
  if (all.sum > all.count * all.longest || all.longest > result.cycles)
    broken.push_back(fmt::format("pc {}: latencies", op.pc));
  if (counters.latency[0].count != 0 && counters.memory.l1_hit_sectors == 0)
    broken.push_back(fmt::format("pc {}: L1 answered without a hit", op.pc));
}

}  // namespace

Lines broken_pc_laws(const sim::RunResult& result) {
  Lines broken;
  sim::PcCounters sum;
  for (Pc pc = 0; pc < result.by_pc.size(); ++pc) {
    const sim::PcCounters& counters = result.by_pc[pc];
    sum += counters;
    check_parts(pc, counters, result.total, broken);
    if (counters.lane_slots.sum() != result.launch.warp_size * counters.issued)
      broken.push_back(fmt::format("pc {}: lane slots", pc));
    if (counters.partial_issues > counters.issued) broken.push_back(fmt::format("pc {}: partial issues", pc));
  }
  compare("sum over instructions", sum, counters_of(result.total), broken);
  return broken;
}

sim::RunResult run_by_instruction(stream::KernelSource& kernel, const sim::GpuSpec& spec,
                                  sim::RunOptions options) {
  options.by_instruction = true;
  sim::RunResult result = sim::run(kernel, spec, options);
  Lines broken = broken_pc_laws(result);
  for (const stream::StaticOp& op : kernel.static_ops()) check_latencies(result, op, broken);
  CHECK(broken == Lines{});
  CHECK_FALSE(result.by_pc.empty());
  return result;
}

}  // namespace heddle::test
