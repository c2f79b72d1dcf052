// Prefetches into L2.
#include "sim/memory/l2_and_dram.h"

namespace heddle::sim {

/// What the access has found of earlier prefetches, and what the prefetcher wants next. Comes before DRAM is
/// asked for the access: so the line's `filled_at` is that of what was on its way before.
[[gnu::noinline]] void L2AndDram::follow(const Access& access, PrefetchEvent used) {
  const L2Access& asked = access.asked;
  if (used.useful != 0) {
    if (access.visit.home.line->filled_at > access.visit.home_start) std::swap(used.useful, used.late);
    count(used);
  }
  if (!asked.reads() || asked.atomic_lanes != 0 || access.is_prefetch) return;
  wanted_.clear();
  prefetcher_->access({.now = asked.arrival,
                       .line = asked.line,
                       .sectors = asked.sectors,
                       .missing = bit_count(asked.sectors) - access.visit.hit_sectors,
                       .pc = access.pc,
                       .warp = access.warp,
                       .sm = access.sm},
                      wanted_);
  for (const PrefetchedLine& each : wanted_) {
    if (each.line / lines_of_page_ != asked.line / lines_of_page_) continue;
    prefetches_.push_back({each, {access.pc, access.grid}, asked.arrival});
  }
}

/// Nobody waits for them: neither a reply nor the end of a grid.
void L2AndDram::serve_prefetches() {
  for (const Prefetch& each : prefetches_) {
    const L2Visit visit = slices_.prefetch(each.wanted, each.origin);
    if (visit.missing.sectors == 0) continue;
    write_dram(visit.home.displaced, each.arrival);
    const Cycle filled_at = read_dram(visit.missing, each.arrival) + miss_latency_ - hit_latency_;
    shares_[each.origin.grid].count(each.origin.pc, [&](MemoryCounters& counters) {
      counters.dram_read_bytes += std::uint64_t{visit.missing.sectors} * sector_bytes_;
      counters.dram_write_bytes += std::uint64_t{visit.home.displaced.sectors} * sector_bytes_;
    });
    if (visit.home.is_new) visit.home.line->filled_at = 0;
    visit.home.line->filled_at = std::max(visit.home.line->filled_at, filled_at);
    count({each.origin, visit.missing.sectors, 0, 0});
  }
  prefetches_.clear();
}

/// For the load that made the prefetcher ask.
void L2AndDram::count(const PrefetchEvent& event) {
  shares_[event.origin.grid].count(event.origin.pc, [&event](MemoryCounters& counters) {
    counters.l2_prefetch_sectors += event.issued;
    counters.l2_prefetch_useful_sectors += event.useful;
    counters.l2_prefetch_late_sectors += event.late;
    counters.l2_prefetch_unused_sectors += event.issued;
    counters.l2_prefetch_unused_sectors -= event.useful + event.late;
  });
}

}  // namespace heddle::sim
