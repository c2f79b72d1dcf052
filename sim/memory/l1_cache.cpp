#include "sim/memory/l1_cache.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace heddle::sim {

L1Cache::L1Cache(const L1Spec& spec, std::uint64_t bytes)
    : spec_(spec),
      line_bytes_(spec.line_bytes),
      holds_data_(can_hold_data(spec, bytes)),
      tags_(make_tags(spec, bytes)),
      misses_(spec.miss_entries),
      free_misses_(spec.miss_entries),
      bucket_shift_(64 - std::max(1U, static_cast<unsigned>(std::bit_width(spec.miss_entries)))),
      buckets_(std::size_t{1} << (64 - bucket_shift_), kNone) {
  std::iota(free_misses_.rbegin(), free_misses_.rend(), 0U);
}

bool L1Cache::can_hold_data(const L1Spec& spec, std::uint64_t bytes) {
  return spec.enabled && bytes >= std::uint64_t{spec.line_bytes} * spec.ways;
}

TagArray L1Cache::make_tags(const L1Spec& spec, std::uint64_t bytes) {
  const bool holds_data = can_hold_data(spec, bytes);
  TagArray tags(holds_data ? bytes : 1, spec.line_bytes, holds_data ? spec.ways : 1, spec.replacement_draws);
  tags.set_replacement(make_replacement(spec.replacement, "l1.replacement", tags.sets(), tags.ways()));
  return tags;
}

L1Cache::Lookup L1Cache::load(const LineAccess& access, LoadId load, MemoryCounters& counters) {
  const std::uint64_t number = line_bytes_.quotient(access.line);
  std::uint32_t missing = access.sectors;
  const TagArray::Line* line = holds_data_ ? tags_.look_at(number) : nullptr;
  if (line != nullptr) missing &= ~line->valid;
  std::uint32_t unasked = missing;
  if (!can_merge(number, missing, unasked) || (unasked != 0 && free_misses_.empty())) {
    return {.refused = true};
  }
  if (line != nullptr) {
    tags_.use(number, *line);
    if (marks_.is_on()) [[unlikely]]
      note_use(*line, access.sectors & line->valid);
  }
  Lookup result;
  result.missing_sectors = missing;
  if (unasked != missing) {
    for (std::uint32_t i = bucket_of(number); i != kNone; i = misses_[i].next) {
      if (misses_[i].number != number || (misses_[i].sectors & missing) == 0) continue;
      if (misses_[i].prefetched != 0) [[unlikely]]
        note_late(misses_[i], missing);
      misses_[i].more_waiters.push_back(load);
      ++result.waits;
    }
  }
  if (unasked != 0) {
    take_entry(number, unasked, load, result);
    ++result.waits;
  }
  counters.l1_hit_sectors += bit_count(access.sectors & ~missing);
  counters.l1_merged_sectors += bit_count(missing & ~unasked);
  counters.l1_miss_sectors += bit_count(unasked);
  return result;
}

/// A request of these sectors, to which nothing is said of prefetching.
L1Cache::Miss& L1Cache::take_entry(std::uint64_t number, std::uint32_t sectors, LoadId load, Lookup& result) {
  result.request_entry = free_misses_.back();
  free_misses_.pop_back();
  Miss& miss = misses_[result.request_entry];
  miss.number = number;
  miss.sectors = sectors;
  miss.next = bucket_of(number);
  miss.first_waiter = load;
  miss.prefetched = 0;
  miss.is_prefetch = false;
  bucket_of(number) = result.request_entry;
  result.request_sectors = sectors;
  return miss;
}

L1Cache::Lookup L1Cache::prefetch(std::uint64_t number, std::uint32_t sectors, LoadId trigger,
                                  const PrefetchOrigin& origin) {
  Lookup result;
  if (!holds_data_ || free_misses_.empty()) return result;
  if (const TagArray::Line* line = tags_.look_at(number)) sectors &= ~line->valid;
  for (std::uint32_t i = bucket_of(number); i != kNone; i = misses_[i].next) {
    if (misses_[i].number == number) sectors &= ~misses_[i].sectors;
  }
  if (sectors == 0) return result;
  Miss& miss = take_entry(number, sectors, trigger, result);
  miss.is_prefetch = true;
  miss.prefetched = sectors;
  miss.origin = origin;
  prefetch_events_.push_back({origin, bit_count(sectors), 0, 0});
  return result;
}

void L1Cache::forget_prefetches_of(std::uint8_t grid) {
  if (!watches_prefetches_) return;
  marks_.forget_grid(grid);
  for (Miss& miss : misses_) {
    if (miss.origin.grid == grid) miss.prefetched = 0;
  }
}

void L1Cache::note_use(const TagArray::Line& line, std::uint32_t sectors) {
  const PrefetchEvent event = marks_.take(tags_.place_of(line), sectors);
  if (event.useful != 0) prefetch_events_.push_back(event);
}

void L1Cache::note_late(Miss& miss, std::uint32_t sectors) {
  const std::uint32_t late = miss.prefetched & miss.sectors & sectors;
  miss.prefetched &= ~sectors;
  if (late != 0) prefetch_events_.push_back({miss.origin, 0, 0, bit_count(late)});
}

void L1Cache::store(Addr line, std::uint32_t sectors) {
  if (!keeps_stores()) return;
  have(line_bytes_.quotient(line), sectors);
}

void L1Cache::drop(const LineAccess& access) {
  if (!holds_data_) return;
  const std::uint64_t number = line_bytes_.quotient(access.line);
  if (TagArray::Line* line = tags_.look_at(number)) line->valid &= ~access.sectors;
  for (std::uint32_t i = bucket_of(number); i != kNone; i = misses_[i].next) {
    if (misses_[i].number == number) misses_[i].sectors &= ~access.sectors;
  }
}

// Warps that wait for one another may ask for it again and again: of an empty cache that costs little.
void L1Cache::invalidate() {
  for (Miss& miss : misses_) miss.sectors = 0;
  if (!std::exchange(is_empty_, true)) tags_.invalidate();
  if (marks_.is_on()) marks_ = PrefetchMarks(tags_.capacity());
}

void L1Cache::resize(std::uint64_t bytes) {
  for (Miss& miss : misses_) miss.sectors = 0;
  holds_data_ = can_hold_data(spec_, bytes);
  tags_ = make_tags(spec_, bytes);
  is_empty_ = true;
  if (watches_prefetches_) marks_ = PrefetchMarks(tags_.capacity());
}

/// Takes from `left` the sectors that are on their way; false if an entry that carries one has no more room.
bool L1Cache::can_merge(std::uint64_t number, std::uint32_t missing, std::uint32_t& left) {
  if (!holds_data_ || missing == 0) return true;
  for (std::uint32_t i = bucket_of(number); i != kNone; i = misses_[i].next) {
    if (misses_[i].number != number || (misses_[i].sectors & missing) == 0) continue;
    if (1 + misses_[i].more_waiters.size() >= spec_.miss_merges) return false;
    left &= ~misses_[i].sectors;
  }
  return true;
}

void L1Cache::host_prefetch_fill(std::uint32_t entry, PrefetchStep step) const {
  const Miss& miss = misses_[entry];
  if (step == PrefetchStep::Object) return prefetch_bytes(&miss, sizeof miss);
  if (step == PrefetchStep::Pointees) return host_prefetch_number(miss.number);
  if (holds_data_) tags_.host_prefetch(miss.number, PrefetchStep::Pointees);
}

const std::vector<LoadId>& L1Cache::fill(std::uint32_t entry) {
  Miss& miss = misses_[entry];
  unlink(entry);
  free_misses_.push_back(entry);
  filled_place_ = kNowhere;
  if (holds_data_ && miss.sectors != 0) {
    const TagArray::Line& line = have(miss.number, miss.sectors);
    if (miss.prefetched != 0) marks_.mark(tags_.place_of(line), miss.prefetched & miss.sectors, miss.origin);
  }
  filled_.assign(miss.is_prefetch ? 0 : 1, miss.first_waiter);
  filled_.insert(filled_.end(), miss.more_waiters.begin(), miss.more_waiters.end());
  miss.more_waiters.clear();
  return filled_;
}

/// The sectors of the line are there from now on. None is dirty: stores are written through.
TagArray::Line& L1Cache::have(std::uint64_t number, std::uint32_t sectors) {
  is_empty_ = false;
  TagArray::Line* line = tags_.find(number);
  const bool is_new = line == nullptr;
  if (is_new) {
    line = &tags_.insert(number, sectors);
    filled_place_ = tags_.place_of(*line);
  } else {
    line->valid |= sectors;
  }
  if (marks_.is_on()) [[unlikely]]
    is_new ? marks_.forget(tags_.place_of(*line)) : marks_.unmark(tags_.place_of(*line), sectors);
  return *line;
}

void L1Cache::unlink(std::uint32_t entry) {
  std::uint32_t* link = &bucket_of(misses_[entry].number);
  while (*link != entry) link = &misses_[*link].next;
  *link = misses_[entry].next;
}

}  // namespace heddle::sim
