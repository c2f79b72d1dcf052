#include "sim/memory/l2_slices.h"

#include <algorithm>
#include <optional>

namespace heddle::sim {

namespace {

Tick ticks_for_one(double per_cycle) { return nearest_ticks(1 / per_cycle); }

}  // namespace

L2Slices::L2Slices(const GpuSpec& spec)
    : l2_(spec.l2),
      sector_bytes_(spec.l1.sector_bytes),
      sectors_per_line_(spec.l2.line_bytes / spec.l1.sector_bytes),
      sectors_per_fetch_(std::max(1U, spec.l2.fetch_bytes / spec.l1.sector_bytes)),
      line_bytes_(spec.l2.line_bytes),
      map_(spec),
      pairs_(map_.has_partitions() ? spec.l2.slices / 2 : spec.l2.slices),
      ticks_per_sector_(ticks_for_one(spec.l2.sectors_per_cycle * spec.l2.efficiency)),
      ticks_per_far_sector_(ticks_for_one(spec.l2.far_sectors_per_cycle)),
      ticks_per_address_(ticks_for_one(spec.l2.atomic_addresses_per_cycle)),
      port_free_((map_.has_partitions() ? 3 : 2) * std::size_t{spec.l2.slices}) {
  if (!l2_.enabled) return;
  TagArray tags(l2_.bytes / l2_.slices, l2_.line_bytes, l2_.ways);
  tags.set_replacement(make_replacement(l2_.replacement, "l2.replacement", tags.sets(), tags.ways()));
  tags_.assign(l2_.slices, tags);
}

void L2Slices::set_tags(std::vector<TagArray> tags) {
  tags_ = std::move(tags);
  for (TagArray& each : tags_) each.settle();
  if (!marks_.empty()) watch_prefetches();
}

void L2Slices::watch_prefetches() {
  marks_.clear();
  for (const TagArray& each : tags_) marks_.emplace_back(each.capacity());
}

void L2Slices::forget_prefetches_of(std::uint8_t grid) {
  for (PrefetchMarks& marks : marks_) marks.forget_grid(grid);
}

L2Visit L2Slices::prefetch(const PrefetchedLine& wanted, const PrefetchOrigin& origin) {
  L2Visit visit;
  const AddressMap::Home home = map_.home_of(wanted.line);
  TagArray& tags = tags_[home.slice];
  const TagArray::Line* held = tags.look_at(home.tag);
  const std::uint32_t valid = held != nullptr ? held->valid : 0;
  const std::uint32_t missing = widened(wanted.sectors & ~valid) & ~valid;
  if (missing == 0) return visit;
  visit.home = entry_for(home);
  visit.home.line->valid |= missing;
  marks_[home.slice].mark(tags.place_of(*visit.home.line), missing, origin);
  visit.missing = dram_access(wanted.line, missing);
  return visit;
}

/// If the copy is greater than L2, only its end is left there.
void L2Slices::copy_from_host(Addr begin, std::uint64_t bytes) {
  if (!l2_.enabled) return;
  const Addr end = begin + bytes;
  for (Addr at = end - std::min(bytes, 2 * l2_.bytes); at < end;) {
    const std::uint64_t number = line_bytes_.quotient(at);
    const Addr line = number * l2_.line_bytes;
    const std::uint64_t first = (at - line) / sector_bytes_;
    const std::uint64_t last = (std::min(end - line, Addr{l2_.line_bytes}) - 1) / sector_bytes_;
    TagArray::Line& entry = *entry_for(map_.home_of(number)).line;
    entry.valid |= static_cast<std::uint32_t>(first_lanes(static_cast<unsigned>(last + 1)) &
                                              ~first_lanes(static_cast<unsigned>(first)));
    at = line + l2_.line_bytes;
  }
}

/// It will look up the line at home, and its copy; of what is near, there is none to look up.
void L2Slices::host_prefetch(const L2Access& access, PrefetchStep step) const {
  if (!l2_.enabled) return;
  tags_[access.home.slice].host_prefetch(access.home.tag, step);
  if (!map_.has_partitions() || (!access.is_far && !access.writes())) return;
  const AddressMap::Home copy = copy_of(access.home);
  tags_[copy.slice].host_prefetch(copy.tag, step);
}

L2Visit L2Slices::visit(const L2Access& access, PrefetchEvent* used) {
  L2Visit visit;
  if (used != nullptr) *used = {};
  if (!access.writes() && access.is_far) {
    load_copy(access, visit, used);
    return visit;
  }
  if (access.writes()) {
    reach_home(access, visit);
  } else {
    visit.start = visit.home_start =
        take_port(access.home.slice, access.arrival, bit_count(access.sectors) * ticks_per_sector_, visit);
  }
  if (l2_.enabled) {
    ask_home(access, access.sectors, visit, used);
  } else {
    bypass(access, visit);
  }
  return visit;
}

/// The near slice serves the load; what the copy lacks is asked of the line's home, and is there from then
/// on.
void L2Slices::load_copy(const L2Access& access, L2Visit& visit, PrefetchEvent* used) {
  const AddressMap::Home place = copy_of(access.home);
  visit.start = take_port(place.slice, access.arrival, bit_count(access.sectors) * ticks_per_sector_, visit);
  visit.copy = entry_for(place);
  TagArray::Line& copy = *visit.copy.line;
  const std::uint32_t missing = access.sectors & ~copy.valid;
  visit.hit_sectors = bit_count(access.sectors & copy.valid);
  if (missing == 0) return;
  visit.far_sectors = bit_count(missing);
  visit.home_start =
      take_port(far_port(access.home), visit.start, visit.far_sectors * ticks_per_far_sector_, visit);
  ask_home(access, missing, visit, used);
  copy.valid |= missing;
}

/// Looks the sectors up at the line's home. What is read and is not there comes from DRAM.
void L2Slices::ask_home(const L2Access& access, std::uint32_t sectors, L2Visit& visit, PrefetchEvent* used) {
  visit.home = entry_for(access.home);
  TagArray::Line& line = *visit.home.line;
  if (used != nullptr) *used = marks_[access.home.slice].take(tags_[access.home.slice].place_of(line), sectors);
  if (access.reads()) {
    visit.hit_sectors += bit_count(sectors & line.valid);
    const std::uint32_t missing = widened(sectors & ~line.valid) & ~line.valid;
    visit.missing = dram_access(access.line, missing);
    line.valid |= missing;
  }
  if (access.writes()) TagArray::write(line, sectors);
}

/// Without L2, what is read comes from DRAM and what is written goes there.
void L2Slices::bypass(const L2Access& access, L2Visit& visit) const {
  const DramAccess all = dram_access(access.line, access.sectors);
  if (access.reads()) visit.missing = all;
  if (access.writes()) visit.home.displaced = all;
}

/// What writes has its turn at the line's home. A copy of the line goes. What updates one address meets at
/// one port, wherever it comes from.
void L2Slices::reach_home(const L2Access& access, L2Visit& visit) {
  if (map_.has_partitions()) {
    const AddressMap::Home place = copy_of(access.home);
    TagArray::Line* copy = tags_[place.slice].find(place.tag);
    if (copy != nullptr) copy->valid &= ~access.sectors;
  }
  const std::uint32_t sectors = bit_count(access.sectors);
  const Tick busy = sectors * ticks_per_sector_;
  visit.start = visit.home_start = take_port(access.home.slice, access.arrival, busy, visit);
  if (access.atomic_lanes != 0) {
    visit.update_start = take_port(update_unit(access.home), visit.start, update_time(access), visit);
    return;
  }
  if (!access.is_far) return;
  visit.far_sectors = sectors;
  visit.start = take_port(map_.opposite(access.home.slice), access.arrival, busy, visit);
  const Cycle passes = take_port(far_port(access.home), visit.start, sectors * ticks_per_far_sector_, visit);
  visit.home_start = std::max(visit.home_start, passes);
}

/// Keeps a port of a slice busy; returns when it begins.
Cycle L2Slices::take_port(std::size_t port, Cycle arrival, Tick busy, L2Visit& visit) {
  const Tick start = std::max(to_ticks(arrival), port_free_[port]);
  port_free_[port] = start + busy;
  visit.free_at = std::max(visit.free_at, start + busy);
  return start / kTicksPerCycle;
}

/// Lanes that name one address take turns.
Tick L2Slices::update_time(const L2Access& access) const {
  const Tick turns = to_ticks(access.atomic_lanes * Cycle{l2_.atomic_interval});
  return std::max(turns, access.atomic_addresses * ticks_per_address_);
}

Tick L2Slices::free_at(Cycle arrival) const {
  Tick free = to_ticks(arrival);
  for (const Tick port : port_free_) free = std::max(free, port);
  return free;
}

/// The entry of a line, or of a copy, made if need be; what it displaces goes to DRAM if dirty: that is no
/// copy.
L2Visit::Entry L2Slices::entry_for(const AddressMap::Home& place) {
  TagArray& tags = tags_[place.slice];
  if (TagArray::Line* line = tags.find(place.tag)) return {line, false, {}};
  std::optional<TagArray::Line> evicted;
  TagArray::Line& line = tags.insert(place.tag, evicted);
  if (!marks_.empty()) marks_[place.slice].forget(tags.place_of(line));
  if (!evicted) return {&line, true, {}};
  return {&line, true, dram_access(map_.line_at({place.slice, evicted->number}), evicted->dirty)};
}

/// The place of a copy in the other partition.
AddressMap::Home L2Slices::copy_of(const AddressMap::Home& home) const {
  return {map_.opposite(home.slice), AddressMap::copy_of(home.tag)};
}

/// With all sectors of the parts that are fetched together.
std::uint32_t L2Slices::widened(std::uint32_t sectors) const {
  if (sectors_per_fetch_ == 1) return sectors;
  const std::uint32_t part = (2U << (sectors_per_fetch_ - 1)) - 1;
  std::uint32_t wide = 0;
  for (std::uint32_t first = 0; first < sectors_per_line_; first += sectors_per_fetch_) {
    if ((sectors >> first & part) != 0) wide |= part << first;
  }
  return wide;
}

DramAccess L2Slices::dram_access(std::uint64_t line, std::uint32_t sectors) const {
  if (sectors == 0) return {};
  return {map_.row_of(line), static_cast<std::uint32_t>(map_.channel_of(line)), bit_count(sectors)};
}

}  // namespace heddle::sim
