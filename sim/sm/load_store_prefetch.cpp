// The load/store unit's prefetches into L1.
#include "sim/sm/load_store_unit.h"

namespace heddle::sim {

/// Asks the prefetcher what it wants now that a line of a load was looked up. What it asks for leaves behind
/// the load's own request. It stays in the page, whose address is known.
[[gnu::noinline]] void LoadStoreUnit::prefetch(const Entry& entry, std::uint32_t missing, Cycle now) {
  const LineAccess& access = entry.lines[next_line_];
  const ResultOwner& owner = entry.owner;
  const Addr page = access.line / spec_.cold.page_bytes;
  wanted_.clear();
  prefetcher_->access({.now = now,
                       .line = access.line / geometry_.line_bytes,
                       .sectors = access.sectors,
                       .missing = missing,
                       .pc = owner.op->pc,
                       .warp = owner.slot,
                       .sm = sm_,
                       .piece = static_cast<std::uint8_t>(next_line_)},
                      wanted_);
  for (const PrefetchedLine& each : wanted_) {
    const Addr line = each.line * geometry_.line_bytes;
    if (line / spec_.cold.page_bytes != page) continue;
    const L1Cache::Lookup lookup =
        l1_.prefetch(each.line, each.sectors, current_load_, {owner.op->pc, owner.grid});
    if (lookup.request_sectors == 0) continue;
    request(now + access.turn, owner, lookup.request_entry, {.line = line, .sectors = lookup.request_sectors},
            false);
    requests_.back().is_prefetch = true;
  }
  count_prefetches();
}

/// Sectors count for the load that made the prefetcher ask.
void LoadStoreUnit::count_prefetches() {
  for (const PrefetchEvent& event : l1_.prefetch_events()) {
    count(event.origin.grid, event.origin.pc, [&event](MemoryCounters& counters) {
      counters.l1_prefetch_sectors += event.issued;
      counters.l1_prefetch_useful_sectors += event.useful;
      counters.l1_prefetch_late_sectors += event.late;
      counters.l1_prefetch_unused_sectors += event.issued;
      counters.l1_prefetch_unused_sectors -= event.useful + event.late;
    });
  }
  l1_.prefetch_events().clear();
}

}  // namespace heddle::sim
