#include "sim/memory/shared_memory_system.h"

#include <algorithm>

namespace heddle::sim {

namespace {

Tick l2_ticks_per_sector(const L2Spec& spec) {
  return static_cast<Tick>(static_cast<double>(kTicksPerCycle) / spec.sectors_per_cycle);
}

}  // namespace

SharedMemorySystem::SharedMemorySystem(const GpuSpec& spec)
    : l2_(spec.l2),
      sector_bytes_(spec.l1.sector_bytes),
      sectors_per_line_(spec.l2.line_bytes / spec.l1.sector_bytes),
      sectors_per_fetch_(std::max(1U, spec.l2.fetch_bytes / spec.l1.sector_bytes)),
      line_bytes_(spec.l2.line_bytes),
      map_(spec),
      ticks_per_l2_sector_(l2_ticks_per_sector(spec.l2)),
      port_free_((map_.has_partitions() ? 2 : 1) * std::size_t{spec.l2.slices}),
      dram_timing_(spec),
      channels_(spec.dram.channels, DramChannel(dram_timing_)) {
  // An instruction has spent front_latency before its request leaves, and the request request_latency before
  // it arrives; the rest of the latency from issue to use lies behind the slice.
  const Cycle before = Cycle{spec.sm.mio.front_latency} + spec.l2.request_latency;
  hit_latency_ = std::max<Cycle>(spec.l2.latency, before) - before;
  miss_latency_ = std::max<Cycle>(spec.dram.latency, before) - before;
  const std::uint32_t nearest = spec.l2.enabled ? spec.l2.latency : spec.dram.latency;
  const std::uint32_t atomic = spec.sm.timing(ir::TimingClass::AtomicGlobal).latency;
  atomic_latency_ = std::max(atomic, nearest) - nearest;
  if (l2_.enabled) {
    tags_.assign(l2_.slices, TagArray(l2_.bytes / l2_.slices, l2_.line_bytes, l2_.ways));
  }
}

void SharedMemorySystem::take(L2Contents& contents) {
  if (l2_.enabled && !contents.tags.empty()) {
    tags_ = std::move(contents.tags);
    for (TagArray& tags : tags_) tags.settle();
  }
  if (l2_.enabled) {
    for (const L2Contents::Copy& copy : contents.copies) warm(copy);
  }
  contents = {};
}

void SharedMemorySystem::leave(L2Contents& contents) { contents = {std::move(tags_), {}}; }

/// Of a copy that is greater than L2, only the end is left. What is displaced goes to DRAM before the run.
void SharedMemorySystem::warm(const L2Contents::Copy& copy) {
  const std::uint64_t bytes = std::min(copy.bytes, 2 * l2_.bytes);
  const Addr end = copy.begin + copy.bytes;
  for (Addr at = end - bytes; at < end;) {
    const std::uint64_t number = line_bytes_.quotient(at);
    const Addr line = number * l2_.line_bytes;
    const std::uint64_t first = (at - line) / sector_bytes_;
    const std::uint64_t last = (std::min(end - line, Addr{l2_.line_bytes}) - 1) / sector_bytes_;
    const AddressMap::Home home = map_.home_of(number);
    TagArray& tags = tags_[home.slice];
    std::optional<TagArray::Line> evicted;
    TagArray::Line* found = tags.find(home.tag);
    if (found == nullptr) found = &tags.insert(home.tag, evicted);
    found->valid |= static_cast<std::uint32_t>(first_lanes(static_cast<unsigned>(last + 1)) &
                                               ~first_lanes(static_cast<unsigned>(first)));
    at = line + l2_.line_bytes;
  }
}

std::optional<MemoryReply> SharedMemorySystem::serve(const MemoryRequest& request) {
  const Cycle arrival = request.time + l2_.request_latency;
  if (request.is_fence) return MemoryReply{fence(arrival), request.tag, 0};
  Cycle done = 0;
  std::uint64_t number = line_bytes_.quotient(request.line);
  std::uint64_t left = std::uint64_t{request.sectors}
                       << (request.line - number * l2_.line_bytes) / sector_bytes_;
  for (; left != 0; left >>= sectors_per_line_, ++number) {  // once, unless L1's lines are longer than L2's
    const auto sectors = static_cast<std::uint32_t>(left & ((std::uint64_t{1} << sectors_per_line_) - 1));
    if (sectors == 0) continue;
    const AddressMap::Home home = map_.home_of(number);
    const Access access = {number, sectors, home, map_.is_far(home.slice, request.sm)};
    if (request.atomic_lanes != 0) {
      done = std::max(done, update(access, arrival, request.atomic_lanes));
    } else if (request.is_store) {
      store(access, arrival);
    } else {
      done = std::max(done, load(access, arrival));
    }
  }
  if (request.is_store) return std::nullopt;
  return MemoryReply{done, request.tag, bit_count(request.sectors)};
}

/// It will look up the line at home, and its copy.
void SharedMemorySystem::announce(const MemoryRequest& request, Reach reach) const {
  if (!l2_.enabled) return;
  const AddressMap::Home home = map_.home_of(line_bytes_.quotient(request.line));
  tags_[home.slice].announce(home.tag, reach);
  if (!map_.has_partitions()) return;
  const AddressMap::Home copy = copy_of(home);
  tags_[copy.slice].announce(copy.tag, reach);
}

/// Keeps a port of a slice busy for the sectors, or for as many turns as an atomic takes; returns when it
/// begins.
Cycle SharedMemorySystem::take_port(std::size_t port, Cycle arrival, unsigned sectors,
                                    std::uint32_t atomic_lanes) {
  const Tick start = std::max(to_ticks(arrival), port_free_[port]);
  const Tick turns = to_ticks(atomic_lanes * Cycle{l2_.atomic_interval});
  port_free_[port] = start + std::max(sectors * ticks_per_l2_sector_, turns);
  return start / kTicksPerCycle;
}

/// When the data have come to the SM.
Cycle SharedMemorySystem::load(const Access& access, Cycle arrival) {
  const unsigned count = bit_count(access.sectors);
  counters_.l2_load_sectors += count;
  const std::size_t slice = access.is_far ? map_.opposite(access.home.slice) : access.home.slice;
  const Cycle start = take_port(slice, arrival, count, 0);
  if (!l2_.enabled) return read_dram(access.line, start, count) + miss_latency_;
  if (access.is_far) return load_copy(access, start) + hit_latency_;
  TagArray::Line& line = line_for(access.home, start);
  counters_.l2_load_hit_sectors += bit_count(access.sectors & line.valid);
  return fetch(access.line, line, access.sectors, start) + hit_latency_;
}

/// When the near slice, which serves the load from `start` on, has the data of a line of the other partition.
Cycle SharedMemorySystem::load_copy(const Access& access, Cycle start) {
  TagArray::Line& copy = line_for(copy_of(access.home), start);
  const std::uint32_t missing = access.sectors & ~copy.valid;
  counters_.l2_load_hit_sectors += bit_count(access.sectors & copy.valid);
  if (missing != 0) {
    const Cycle there = take_port(far_port(access.home), start, bit_count(missing), 0);
    TagArray::Line& line = line_for(access.home, there);
    counters_.l2_load_hit_sectors += bit_count(missing & line.valid);
    copy.filled_at = std::max(copy.filled_at, fetch(access.line, line, missing, there) + l2_.far_latency);
    copy.valid |= missing;
  }
  return std::max(start, copy.filled_at);
}

/// Without L2, what came before has been sent to the channels: a fence takes their way.
Cycle SharedMemorySystem::fence(Cycle arrival) const {
  Tick free = to_ticks(arrival);
  for (const Tick port : port_free_) free = std::max(free, port);
  if (l2_.enabled) return divide_up(free, kTicksPerCycle) + hit_latency_;
  for (const DramChannel& channel : channels_) free = std::max(free, channel.free_at());
  return divide_up(free, kTicksPerCycle) + miss_latency_;
}

/// When the home of a line that is written begins to serve it. A copy of it goes.
Cycle SharedMemorySystem::reach_home(const Access& access, Cycle arrival, std::uint32_t atomic_lanes) {
  if (map_.has_partitions()) {
    const AddressMap::Home place = copy_of(access.home);
    TagArray::Line* copy = tags_[place.slice].find(place.tag);
    if (copy != nullptr) copy->valid &= ~access.sectors;
  }
  // What updates one address meets at one port, wherever it comes from.
  const bool by_far_port = access.is_far && atomic_lanes == 0;
  const std::size_t port = by_far_port ? far_port(access.home) : access.home.slice;
  return take_port(port, arrival, bit_count(access.sectors), atomic_lanes);
}

/// An update in place: a load whose line is dirty afterwards.
Cycle SharedMemorySystem::update(const Access& access, Cycle arrival, std::uint32_t atomic_lanes) {
  const unsigned count = bit_count(access.sectors);
  counters_.l2_atomic_sectors += count;
  const Cycle start = reach_home(access, arrival, atomic_lanes);
  const Cycle after = (atomic_lanes - 1) * Cycle{l2_.atomic_interval} + atomic_latency_;
  if (!l2_.enabled) {
    const Cycle begin = read_dram(access.line, start, count);
    write_dram(access.line, start, count);
    return begin + miss_latency_ + after;
  }
  TagArray::Line& line = line_for(access.home, start);
  counters_.l2_atomic_hit_sectors += bit_count(access.sectors & line.valid);
  const Cycle done = fetch(access.line, line, access.sectors, start);
  tags_[access.home.slice].write(line, access.sectors);
  return done + hit_latency_ + after + (access.is_far ? l2_.far_latency : 0);
}

void SharedMemorySystem::store(const Access& access, Cycle arrival) {
  counters_.l2_store_sectors += bit_count(access.sectors);
  const Cycle start = reach_home(access, arrival, 0);
  if (!l2_.enabled) {
    write_dram(access.line, start, bit_count(access.sectors));
    return;
  }
  TagArray::Line& line = line_for(access.home, start);
  tags_[access.home.slice].write(line, access.sectors);
}

/// With all sectors of the parts that are fetched together.
std::uint32_t SharedMemorySystem::widened(std::uint32_t sectors) const {
  if (sectors_per_fetch_ == 1) return sectors;
  const std::uint32_t part = (2U << (sectors_per_fetch_ - 1)) - 1;
  std::uint32_t wide = 0;
  for (std::uint32_t first = 0; first < sectors_per_line_; first += sectors_per_fetch_) {
    if ((sectors >> first & part) != 0) wide |= part << first;
  }
  return wide;
}

/// When the sectors of a line are in its slice; what the line lacks comes from DRAM.
Cycle SharedMemorySystem::fetch(std::uint64_t number, TagArray::Line& line, std::uint32_t sectors,
                                Cycle start) {
  std::uint32_t missing = sectors & ~line.valid;
  if (missing != 0) {
    missing = widened(missing) & ~line.valid;
    // The slice has the data when the SM's copy is hit_latency_ away.
    const Cycle begin = read_dram(number, start, bit_count(missing));
    line.filled_at = std::max(line.filled_at, begin + miss_latency_ - hit_latency_);
    line.valid |= missing;
  }
  // Who reads a line waits for all of its sectors that are on their way, whoever asked for them.
  return std::max(start, line.filled_at);
}

/// The entry of a line, or of a copy, made if need be; what it displaces goes to DRAM if dirty.
TagArray::Line& SharedMemorySystem::line_for(const AddressMap::Home& place, Cycle start) {
  TagArray& tags = tags_[place.slice];
  if (TagArray::Line* line = tags.find(place.tag)) return *line;
  std::optional<TagArray::Line> evicted;
  TagArray::Line& line = tags.insert(place.tag, evicted);
  if (evicted) {  // no copy, then
    write_dram(map_.line_at({place.slice, evicted->number}), start, bit_count(evicted->dirty));
  }
  return line;
}

/// The place of a copy in the other partition.
AddressMap::Home SharedMemorySystem::copy_of(const AddressMap::Home& home) const {
  return {map_.opposite(home.slice), AddressMap::copy_of(home.tag)};
}

/// When its channel begins to send the sectors of the line.
Cycle SharedMemorySystem::read_dram(std::uint64_t number, Cycle arrival, unsigned sectors) {
  counters_.dram_read_bytes += std::uint64_t{sectors} * sector_bytes_;
  DramChannel& channel = channels_[map_.channel_of(number)];
  return channel.read(dram_timing_, map_.row_of(number), to_ticks(arrival), sectors) / kTicksPerCycle;
}

void SharedMemorySystem::write_dram(std::uint64_t number, Cycle arrival, unsigned sectors) {
  counters_.dram_write_bytes += std::uint64_t{sectors} * sector_bytes_;
  channels_[map_.channel_of(number)].write(dram_timing_, map_.row_of(number), to_ticks(arrival), sectors);
}

}  // namespace heddle::sim
