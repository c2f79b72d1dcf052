#include "tools/history/history_recorder.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace heddle::history {

namespace {

/// Adds each two neighbours.
template <typename Each>
void halve(std::vector<Each>& buckets) {
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    if (i % 2 == 0) {
      if (i != 0) buckets[i / 2] = buckets[i];
    } else {
      buckets[i / 2] += buckets[i];
    }
  }
  buckets.resize((buckets.size() + 1) / 2);
}

bool comes_before(const Slice& one, const Slice& other) {
  return std::tie(one.slot, one.from) < std::tie(other.slot, other.from);
}

/// Spans that were cut at the end of a stretch become one again.
void join(std::vector<Slice>& slices) {
  std::vector<Slice> joined;
  for (const Slice& slice : slices) {
    if (!joined.empty()) {
      Slice& last = joined.back();
      if (slice.kind == Slice::Kind::Stalled && last.kind == slice.kind && last.slot == slice.slot &&
          last.until == slice.from && last.stall == slice.stall && last.pc == slice.pc) {
        last.until = slice.until;
        continue;
      }
    }
    joined.push_back(slice);
  }
  slices = std::move(joined);
}

}  // namespace

HistoryRecorder::HistoryRecorder(std::uint32_t sms) : residents_(sms) { history_.sms.resize(sms); }

// -- buckets ---------------------------------------------------------------------------------------

std::size_t HistoryRecorder::bucket_of(Cycle cycle) {
  while (cycle / history_.bucket >= kMostBuckets) widen();
  const std::size_t bucket = cycle / history_.bucket;
  if (bucket >= history_.gpu.size()) {
    history_.gpu.resize(bucket + 1);
    for (auto& sm : history_.sms) sm.resize(bucket + 1);
  }
  return bucket;
}

void HistoryRecorder::widen() {
  history_.bucket *= 2;
  halve(history_.gpu);
  for (auto& sm : history_.sms) halve(sm);
}

/// The SM has held what it holds up to then.
void HistoryRecorder::count_residents(SmId sm, Cycle until) {
  Residents& residents = residents_[sm];
  if (!residents.warps.empty() && until > residents.since) bucket_of(until - 1);  // widens, if it must
  for (Cycle from = residents.since; !residents.warps.empty() && from < until;) {
    const std::size_t bucket = bucket_of(from);
    const Cycle end = std::min(until, (bucket + 1) * history_.bucket);
    history_.gpu[bucket].sm_cycles += end - from;
    history_.gpu[bucket].resident_cycles += residents.all_warps * (end - from);
    history_.sms[sm][bucket].resident_cycles += residents.all_warps * (end - from);
    from = end;
  }
  residents.since = until;
}

// -- what is heard ---------------------------------------------------------------------------------

void HistoryRecorder::warp_issued(const sim::WarpIssued& event) {
  const std::size_t bucket = bucket_of(event.cycle);
  ++history_.gpu[bucket].issued;
  history_.gpu[bucket].active_lanes += lane_count(event.active);
  ++history_.sms[event.sm][bucket].issued;
  if (event.sm != history_.watched) return;
  place(event.block, event.warp_in_block, event.slot);
  add({event.slot, event.cycle, event.cycle + 1, Slice::Kind::Issued, ir::StallReason::Wait,
       static_cast<std::uint8_t>(lane_count(event.active)), event.pc});
}

void HistoryRecorder::warp_stalled(const sim::WarpStalled& event) {
  if (event.sm != history_.watched) return;
  place(event.block, event.warp_in_block, event.slot);
  for (Cycle from = event.from; from < event.until;) {
    const Cycle until = std::min(event.until, (from / kStretch + 1) * kStretch);
    add({event.slot, from, until, Slice::Kind::Stalled, event.stall, 0, event.pc});
    from = until;
  }
}

void HistoryRecorder::block_started(const sim::BlockStarted& event) {
  count_residents(event.sm, event.cycle);
  residents_[event.sm].warps[event.block] = event.warps;
  residents_[event.sm].all_warps += event.warps;
  if (event.sm == history_.watched) watched_blocks_[event.block].from = event.cycle;
}

void HistoryRecorder::block_ended(const sim::BlockEnded& event) {
  count_residents(event.sm, event.cycle);
  Residents& residents = residents_[event.sm];
  residents.all_warps -= residents.warps.at(event.block);
  residents.warps.erase(event.block);
  if (event.sm == history_.watched) end_watched(event.block, event.cycle);
}

void HistoryRecorder::memory_served(const sim::MemoryServed& event) {
  using Kind = sim::MemoryServed::Kind;
  Moment& moment = history_.gpu[bucket_of(event.cycle)];
  const std::uint64_t sectors = bit_count(event.sectors);
  if (event.kind == Kind::Load) moment.l2_load_sectors += sectors;
  if (event.kind == Kind::Store) moment.l2_store_sectors += sectors;
  if (event.kind == Kind::Atomic) moment.l2_atomic_sectors += sectors;
  if (event.kind != Kind::Store && event.level == sim::MemoryLevel::Dram) moment.dram_sectors += sectors;
}

// -- the watched SM --------------------------------------------------------------------------------

void HistoryRecorder::place(BlockId block, std::uint32_t warp_in_block, WarpSlot slot) {
  const auto found = watched_blocks_.find(block);
  if (found != watched_blocks_.end()) found->second.slots.emplace(warp_in_block, slot);
}

void HistoryRecorder::end_watched(BlockId block, Cycle until) {
  const auto found = watched_blocks_.find(block);
  for (const auto& [warp, slot] : found->second.slots) {
    if (history_.stays.size() < kMostStays) {
      history_.stays.push_back({slot, block, warp, found->second.from, until});
    } else {
      ++history_.stays_left_out;
    }
  }
  watched_blocks_.erase(found);
}

void HistoryRecorder::add(Slice slice) {
  if (!history_.tells(slice.from)) return;
  history_.slices.push_back(slice);
  while (history_.slices.size() > kMostSlices) thin();
}

/// Leaves out every second of the stretches that are told.
void HistoryRecorder::thin() {
  history_.every *= 2;
  std::erase_if(history_.slices, [this](const Slice& slice) { return !history_.tells(slice.from); });
}

RunHistory HistoryRecorder::take(Cycle cycles) {
  for (SmId sm = 0; sm < residents_.size(); ++sm) count_residents(sm, cycles);
  while (!watched_blocks_.empty()) end_watched(watched_blocks_.begin()->first, cycles);
  if (cycles != 0) bucket_of(cycles - 1);
  history_.cycles = cycles;
  std::sort(history_.stays.begin(), history_.stays.end(), [](const Stay& one, const Stay& other) {
    return std::tie(one.slot, one.from) < std::tie(other.slot, other.from);
  });
  std::stable_sort(history_.slices.begin(), history_.slices.end(), comes_before);
  join(history_.slices);
  return std::exchange(history_, {});
}

}  // namespace heddle::history
