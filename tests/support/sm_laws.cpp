// What holds of every run, whatever runs on whatever GPU.
#include <fmt/format.h>

#include <algorithm>

#include "tests/support/sm_harness.h"

namespace heddle::test {

namespace {

/// Collects the statements that turn out false.
class Laws {
 public:
  void equal(std::string_view what, std::uint64_t found, std::uint64_t expected) {
    if (found != expected)
      broken_.push_back(fmt::format("{}{}: {} is not {}", where_, what, found, expected));
  }
  void at_most(std::string_view what, std::uint64_t found, std::uint64_t most) {
    if (found > most) broken_.push_back(fmt::format("{}{}: {} is above {}", where_, what, found, most));
  }
  /// The sum of a ledger, and that no part wrapped around zero on the way.
  template <typename Part>
  void parts(std::string_view what, const sim::Ledger<Part>& ledger, std::uint64_t total) {
    equal(what, ledger.sum(), total);
    for (std::size_t i = 0; i < sim::Ledger<Part>::kParts; ++i) {
      at_most(fmt::format("{}, part {}", what, i), ledger[static_cast<Part>(i)], total);
    }
  }
  void set_place(std::string where) { where_ = std::move(where); }
  [[nodiscard]] std::vector<std::string> broken() && { return std::move(broken_); }

 private:
  std::string where_;
  std::vector<std::string> broken_;
};

void check_warp_slots(const sim::SmCounters& sm, const sim::RunResult& result, const sim::GpuSpec& spec,
                      Laws& laws) {
  laws.parts("warp slots", sm.warp_slots, spec.occupancy.max_warps * result.cycles);
  laws.equal("resident warps", sm.warp_slots[sim::WarpSlotPart::Resident], sm.resident_warp_cycles);
  laws.at_most("achieved over theoretical occupancy", sm.resident_warp_cycles,
               result.occupancy.warps_per_sm * sm.active_cycles);
  laws.at_most("active cycles", sm.active_cycles, result.cycles);
}

void check_issue_slots(const sim::SmCounters& sm, const sim::GpuSpec& spec, Laws& laws) {
  const std::uint64_t slots = spec.sm.sub_partitions * sm.active_cycles;
  const std::uint64_t stalled = slots - sm.issue_slots.issued - sm.issue_slots.no_warp;
  laws.at_most("issued", sm.issue_slots.issued, slots);
  laws.at_most("no warp", sm.issue_slots.no_warp, slots);
  laws.parts("lost issue slots", sm.issue_slots.stalled, stalled);
  laws.equal("issued", sm.issue_slots.issued, sm.warp_instructions);
  laws.equal("slots lost to not_selected", sm.issue_slots.stalled[ir::StallReason::NotSelected], 0);
}

void check_warp_cycles(const sim::SmCounters& sm, Laws& laws) {
  laws.parts("stalls", sm.stalls, sm.resident_warp_cycles - sm.warp_instructions);
  laws.equal("eligible warps", sm.eligible_warp_cycles,
             sm.warp_instructions + sm.stalls[ir::StallReason::NotSelected]);
}

void check_pipes(const sim::SmCounters& sm, const sim::GpuSpec& spec, Laws& laws) {
  for (std::size_t i = 0; i < sm.pipe_busy.size(); ++i) {
    laws.at_most(fmt::format("busy cycles of pipe {}", i), sm.pipe_busy[i],
                 spec.sm.sub_partitions * sm.active_cycles);
  }
}

void check_lanes(const sim::SmCounters& sm, const sim::GpuSpec& spec, Laws& laws) {
  const sim::Ledger<sim::LaneSlotPart>& lanes = sm.lane_slots;
  laws.parts("lane slots", lanes, spec.occupancy.warp_size * sm.warp_instructions);
  laws.equal("thread instructions", sm.thread_instructions, lanes[sim::LaneSlotPart::Executed]);
  laws.equal("active lanes", sm.active_lanes,
             lanes[sim::LaneSlotPart::Executed] + lanes[sim::LaneSlotPart::PredicatedOff]);
  laws.at_most("divergent branches", sm.divergent_branches, sm.branches);
}

void check_memory(const sim::MemoryCounters& memory, const sim::GpuSpec& spec, Laws& laws) {
  const std::uint64_t sector = spec.l1.sector_bytes;
  laws.equal("L1 load sectors", memory.l1_hit_sectors + memory.l1_merged_sectors + memory.l1_miss_sectors,
             memory.global_load_sectors + memory.local_load_sectors);
  laws.equal("L2 loads", memory.l2_load_sectors, memory.l1_miss_sectors + memory.l1_prefetch_sectors);
  laws.equal("L1 prefetches", memory.l1_prefetch_sectors,
             memory.l1_prefetch_useful_sectors + memory.l1_prefetch_late_sectors +
                 memory.l1_prefetch_unused_sectors);
  laws.equal("L2 prefetches", memory.l2_prefetch_sectors,
             memory.l2_prefetch_useful_sectors + memory.l2_prefetch_late_sectors +
                 memory.l2_prefetch_unused_sectors);
  laws.equal("L2 stores", memory.l2_store_sectors, memory.global_store_sectors + memory.local_store_sectors);
  laws.equal("L2 atomics", memory.l2_atomic_sectors, memory.global_atomic_sectors);
  laws.at_most("L2 far loads", memory.l2_far_load_sectors, memory.l2_load_sectors);
  laws.at_most("L2 far stores", memory.l2_far_store_sectors, memory.l2_store_sectors);
  laws.at_most("L2 atomic hits", memory.l2_atomic_hit_sectors, memory.l2_atomic_sectors);
  const std::uint64_t hits = memory.l2_load_hit_sectors + memory.l2_atomic_hit_sectors;
  const std::uint64_t misses = memory.l2_load_sectors + memory.l2_atomic_sectors - hits;
  const std::uint64_t asked_for = memory.dram_read_bytes - memory.l2_prefetch_sectors * sector;
  const bool fetches_more = spec.l2.enabled && spec.l2.fetch_bytes > sector;  // than what was missed
  laws.at_most("bytes missed", misses * sector, asked_for);
  laws.at_most("bytes read", asked_for,
               misses * (fetches_more ? std::min(spec.l2.fetch_bytes, spec.l2.line_bytes) : sector));
  const std::uint64_t written = (memory.l2_store_sectors + memory.l2_atomic_sectors) * sector;
  laws.at_most("bytes written", memory.dram_write_bytes, written);
  if (!spec.l2.enabled) laws.equal("bytes written", memory.dram_write_bytes, written);
}

/// A launch lasts until memory has done what it was asked for.
void check_bandwidths(const sim::RunResult& result, const sim::GpuSpec& spec, Laws& laws) {
  const sim::MemoryCounters& memory = result.total.memory;
  const double cycles = 1.01 * static_cast<double>(result.cycles);  // times are whole ticks
  const double sectors = spec.l2.slices * spec.l2.sectors_per_cycle * spec.l2.efficiency * cycles;
  laws.at_most("sectors at L2", memory.l2_load_sectors + memory.l2_store_sectors + memory.l2_atomic_sectors,
               static_cast<std::uint64_t>(sectors));
  const double bytes = spec.dram.bandwidth_gbps * spec.dram.efficiency * 1e3 / spec.clock_mhz * cycles;
  // But for what was prefetched: nobody waits for it.
  const bool prefetches = memory.l1_prefetch_sectors + memory.l2_prefetch_sectors != 0;
  const std::uint64_t late = prefetches ? std::min(memory.dram_late_bytes, memory.dram_read_bytes) : 0;
  laws.at_most("bytes that DRAM sends", memory.dram_read_bytes - late, static_cast<std::uint64_t>(bytes));
}

}  // namespace

std::vector<std::string> broken_laws(const sim::RunResult& result, const sim::GpuSpec& spec) {
  Laws laws;
  sim::SmCounters sum;
  for (std::size_t i = 0; i < result.sms.size(); ++i) {
    const sim::SmCounters& sm = result.sms[i];
    laws.set_place(fmt::format("SM {}: ", i));
    check_warp_slots(sm, result, spec, laws);
    check_issue_slots(sm, spec, laws);
    check_warp_cycles(sm, laws);
    check_lanes(sm, spec, laws);
    check_pipes(sm, spec, laws);
    sum += sm;
  }
  laws.set_place("all: ");
  check_memory(result.total.memory, spec, laws);
  check_bandwidths(result, spec, laws);
  laws.equal("SMs", result.sms.size(), spec.sms);
  laws.equal("blocks", result.total.blocks, result.launch.blocks());
  sum.memory = result.total.memory;  // to which the shared memory system adds
  laws.equal("total is the sum of the SMs", result.total == sum, true);
  return std::move(laws).broken();
}

std::vector<std::string> differences(const sim::RunResult& a, const sim::RunResult& b) {
  std::vector<std::string> found;
  const auto compare = [&](const std::string& what, const auto& x, const auto& y) {
    if (!(x == y)) found.push_back(what);
  };
  compare(fmt::format("cycles: {} and {}", a.cycles, b.cycles), a.cycles, b.cycles);
  compare("number of SMs", a.sms.size(), b.sms.size());
  for (std::size_t i = 0; i < std::min(a.sms.size(), b.sms.size()); ++i) {
    const auto place = [i](const char* what) { return fmt::format("SM {}: {}", i, what); };
    compare(place("warp slots"), a.sms[i].warp_slots, b.sms[i].warp_slots);
    compare(place("issue slots"), a.sms[i].issue_slots, b.sms[i].issue_slots);
    compare(place("stalls"), a.sms[i].stalls, b.sms[i].stalls);
    compare(place("memory"), a.sms[i].memory, b.sms[i].memory);
    compare(place("counters"), a.sms[i], b.sms[i]);
  }
  compare("total", a.total, b.total);
  compare("occupancy", a.occupancy.blocks_per_sm, b.occupancy.blocks_per_sm);
  return found;
}

}  // namespace heddle::test
