#include "sim/device/grid_results.h"

#include <algorithm>
#include <utility>

namespace heddle::sim {

namespace {

std::vector<SmCounters> counters_of(const RunningGrid& grid, const SmArray& sms) {
  std::vector<SmCounters> counters;
  for (SmId sm = 0; sm < sms.size(); ++sm) {
    counters.push_back(sms[sm].counters(grid.grid.slot));
    counters.back().warp_slots[WarpSlotPart::IdleSm] = grid.idle_sm[sm];
  }
  return counters;
}

/// Active cycles of grids do not add up: charge_idle_sms() knows those of the device.
void add_but_active_cycles(SmCounters& sum, const SmCounters& counters) {
  const Cycle active = sum.active_cycles;
  sum += counters;
  sum.active_cycles = active;
}

}  // namespace

GridResults::GridResults(const GpuSpec& spec) : spec_(spec), active_before_(spec.sms) {
  totals_.sms.resize(spec.sms);
}

void GridResults::begin(Cycle now) {
  first_since_ = now;
  std::fill(active_before_.begin(), active_before_.end(), Cycle{0});
}

void GridResults::charge_idle_sms(RunningGrid& first, const SmArray& sms, Cycle end) {
  end = std::max(end, first_since_);  // One that ended with it has been charged already.
  const Cycle cycles = end - first_since_;
  totals_.cycles += cycles;
  for (SmId sm = 0; sm < sms.size(); ++sm) {
    const Cycle active = sms[sm].view().residency.active_cycles(end);
    const Cycle active_meanwhile = active - std::exchange(active_before_[sm], active);
    totals_.sms[sm].active_cycles += active_meanwhile;
    totals_.total.active_cycles += active_meanwhile;
    first.idle_sm[sm] += spec_.occupancy.max_warps * (cycles - active_meanwhile);
  }
  first_since_ = end;
}

void GridResults::end_grid(const RunningGrid& grid, const SmArray& sms, const L2AndDram& memory,
                           PcLedgers& pc_ledgers) {
  const GridSlot slot = grid.grid.slot;
  GridRun run;
  run.begin = grid.begin;
  RunResult& result = run.result;
  result.launch = grid.grid.shape;
  result.occupancy = grid.occupancy;
  result.cycles = grid.end - grid.begin;
  result.blocks_end = grid.blocks_end - grid.begin;
  result.ran_beside_others = grid.ran_beside_others;
  result.sms = counters_of(grid, sms);
  for (const SmCounters& counters : result.sms) result.total += counters;
  MemoryCounters shared = memory.counters(slot);
  shared.dram_late_bytes =
      std::min(shared.dram_bytes(), memory.dram_bytes_after(grid.end));  // the grid's own, if it was alone
  result.total.memory += shared;
  result.by_pc = pc_ledgers.take_grid(slot, spec_.occupancy.warp_size);
  const std::vector<MemoryCounters>& memory_by_pc = memory.counters_by_pc(slot);
  for (std::size_t pc = 0; pc < memory_by_pc.size(); ++pc) result.by_pc[pc].memory += memory_by_pc[pc];
  add_to_totals(result);
  ended_.emplace(grid.grid.id, std::move(run));
}

void GridResults::add_to_totals(const RunResult& result) {
  for (std::size_t sm = 0; sm < result.sms.size(); ++sm)
    add_but_active_cycles(totals_.sms[sm], result.sms[sm]);
  add_but_active_cycles(totals_.total, result.total);
}

GridRun GridResults::take(GridId grid) {
  GridRun run = std::move(ended_.at(grid));
  ended_.erase(grid);
  return run;
}

}  // namespace heddle::sim
