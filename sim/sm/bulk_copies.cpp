#include "sim/sm/bulk_copies.h"

#include <algorithm>

#include "sim/sm/lsu_times.h"

namespace heddle::sim {

bool BulkCopies::has_grid(GridSlot slot) const {
  return std::any_of(lines_.begin(), lines_.end(),
                     [slot](const MemoryRequest& line) { return line.grid == slot; });
}

void BulkCopies::start(const ResultOwner& owner, std::span<const Addr> pieces, std::uint32_t piece_bytes,
                       Cycle now) {
  const bool is_store = owner.op->kind == stream::OpKind::BulkStore;
  const std::size_t first = lines_.size();
  MemoryRequest request{.time = now + spec_.sm.mio.front_latency,
                        .sm = port_.sm(),
                        .is_store = is_store,
                        .grid = owner.grid,
                        .warp = owner.slot,
                        .pc = owner.op->pc};
  const bool has_lines = !pieces.empty();
  const LoadId id = loads_.open(owner, now, !is_store && has_lines, is_store ? 0 : write_time(spec_, 1));
  request.tag = kPastL1 | id;
  const std::uint64_t sectors = queue_lines(request, pieces, std::max(piece_bytes, 1U));
  loads_.add_waits(id, is_store ? 0 : static_cast<std::uint32_t>(lines_.size() - first));
  if (is_store || !has_lines) {
    loads_.add_waits(id, 1);
    lines_.push_back(
        {.time = request.time, .sm = request.sm, .tag = request.tag, .grid = request.grid, .is_fence = true});
  }
  loads_.close(id, 0);
  counters_.count(owner, [&](MemoryCounters& counters) {
    ++(is_store ? counters.global_store_requests : counters.global_load_requests);
    (is_store ? counters.global_store_sectors : counters.global_load_sectors) += sectors;
    if (!is_store) counters.l1_miss_sectors += sectors;
  });
  // Otherwise those before it have said when: they may be held.
  if (first == 0) next_ = std::max(lines_.front().time, free_);
}

/// A request like this one for each line of the pieces. Returns how many sectors they ask for.
std::uint64_t BulkCopies::queue_lines(const MemoryRequest& request, std::span<const Addr> pieces,
                                      std::uint32_t piece_bytes) {
  const Addr line_bytes = spec_.l1.line_bytes;
  const Addr sector_bytes = spec_.l1.sector_bytes;
  const std::size_t first = lines_.size();
  std::uint64_t sectors = 0;
  for (const Addr piece : pieces) {
    for (Addr at = piece; at < piece + piece_bytes; at += sector_bytes - at % sector_bytes) {
      const Addr line = at - at % line_bytes;
      const std::uint32_t sector = 1U << (at - line) / sector_bytes;
      if (lines_.size() == first || lines_.back().line != line) lines_.push_back(request);
      lines_.back().line = line;
      if ((lines_.back().sectors & sector) == 0) ++sectors;
      lines_.back().sectors |= sector;
    }
  }
  return sectors;
}

/// Requests leave in the order of their time: what the stage has stamped for later goes first.
void BulkCopies::advance(Cycle now, Cycle stores_from) {
  const std::vector<MemoryRequest>& left = port_.requests();
  if (!left.empty() && left.back().time > now) {
    next_ = left.back().time;
    return;
  }
  if (lines_.front().is_store && now < stores_from) {
    next_ = stores_from;
    return;
  }
  port_.send(now, lines_.front());
  lines_.pop_front();
  free_ = now + 1;
  next_ = lines_.empty() ? kNever : std::max(lines_.front().time, free_);
}

}  // namespace heddle::sim
