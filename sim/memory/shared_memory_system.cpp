#include "sim/memory/shared_memory_system.h"

#include <algorithm>
#include <cmath>

namespace heddle::sim {

namespace {

constexpr std::uint64_t kTicksPerCycle = 4096;

// Keeps the choice of channel apart from the choice of slice.
constexpr std::uint64_t kChannelSalt = 0x9e3779b97f4a7c15ULL;

/// Spreads line numbers over slices or channels whatever the stride: the finaliser of MurmurHash3.
std::uint64_t mix(std::uint64_t value) {
  value ^= value >> 33;
  value *= 0xff51afd7ed558ccdULL;
  value ^= value >> 33;
  value *= 0xc4ceb9fe1a85ec53ULL;
  return value ^ value >> 33;
}

std::uint64_t l2_ticks_per_sector(const L2Spec& spec) {
  return static_cast<std::uint64_t>(static_cast<double>(kTicksPerCycle) / spec.sectors_per_cycle);
}

std::uint64_t dram_ticks_per_sector(const GpuSpec& spec) {
  const double bytes_per_cycle = spec.dram.bandwidth_gbps * 1e3 * spec.dram.efficiency / spec.clock_mhz;
  const double cycles = spec.l1.sector_bytes * spec.dram.channels / bytes_per_cycle;
  return static_cast<std::uint64_t>(std::llround(cycles * static_cast<double>(kTicksPerCycle)));
}

}  // namespace

SharedMemorySystem::SharedMemorySystem(const GpuSpec& spec)
    : l2_(spec.l2),
      sector_bytes_(spec.l1.sector_bytes),
      sectors_per_line_(spec.l2.line_bytes / spec.l1.sector_bytes),
      line_bytes_(spec.l2.line_bytes),
      slices_(spec.l2.slices),
      channels_(spec.dram.channels),
      ticks_per_l2_sector_(l2_ticks_per_sector(spec.l2)),
      ticks_per_dram_sector_(dram_ticks_per_sector(spec)),
      slice_free_(spec.l2.slices),
      channel_free_(spec.dram.channels) {
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
    TagArray& tags = tags_[slice_of(number)];
    std::optional<TagArray::Line> evicted;
    TagArray::Line* found = tags.find(number);
    if (found == nullptr) found = &tags.insert(number, evicted);
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
    const std::size_t slice = slice_of(number);
    const Cycle start = take_slice(slice, arrival, bit_count(sectors), request.atomic_lanes);
    if (request.atomic_lanes != 0) {
      const Cycle last_turn = (request.atomic_lanes - 1) * Cycle{l2_.atomic_interval};
      done = std::max(done, update(sectors, number, slice, start) + last_turn + atomic_latency_);
    } else if (request.is_store) {
      store(sectors, number, slice, start);
    } else {
      done = std::max(done, load(sectors, number, slice, start));
    }
  }
  if (request.is_store) return std::nullopt;
  return MemoryReply{done, request.tag, bit_count(request.sectors)};
}

void SharedMemorySystem::announce(const MemoryRequest& request) const {
  if (!l2_.enabled) return;
  const std::uint64_t number = line_bytes_.quotient(request.line);
  tags_[slice_of(number)].prefetch(number);
}

std::size_t SharedMemorySystem::slice_of(std::uint64_t line_number) const {
  return slices_.remainder(mix(line_number));
}

/// Keeps the slice busy for the sectors, or for as many turns as an atomic takes; returns when it begins.
Cycle SharedMemorySystem::take_slice(std::size_t slice, Cycle arrival, unsigned sectors,
                                     std::uint32_t atomic_lanes) {
  const Tick start = std::max(arrival * kTicksPerCycle, slice_free_[slice]);
  const Tick turns = atomic_lanes * Tick{l2_.atomic_interval} * kTicksPerCycle;
  slice_free_[slice] = start + std::max(sectors * ticks_per_l2_sector_, turns);
  return start / kTicksPerCycle;
}

Cycle SharedMemorySystem::load(std::uint32_t sectors, std::uint64_t number, std::size_t slice, Cycle start) {
  counters_.l2_load_sectors += bit_count(sectors);
  if (!l2_.enabled) return read_dram(number, start, bit_count(sectors)) + miss_latency_;
  TagArray::Line& line = line_for(number, slice, start);
  counters_.l2_load_hit_sectors += bit_count(sectors & line.valid);
  return fetch(line, sectors, start);
}

/// Without L2, what came before has been sent to the channels: a fence takes their way.
Cycle SharedMemorySystem::fence(Cycle arrival) const {
  Tick free = arrival * kTicksPerCycle;
  for (const Tick slice : slice_free_) free = std::max(free, slice);
  if (l2_.enabled) return divide_up(free, kTicksPerCycle) + hit_latency_;
  for (const Tick channel : channel_free_) free = std::max(free, channel);
  return divide_up(free, kTicksPerCycle) + miss_latency_;
}

/// An update in place: a load whose line is dirty afterwards.
Cycle SharedMemorySystem::update(std::uint32_t sectors, std::uint64_t number, std::size_t slice,
                                 Cycle start) {
  counters_.l2_atomic_sectors += bit_count(sectors);
  if (!l2_.enabled) {
    const Cycle begin = read_dram(number, start, bit_count(sectors));
    write_dram(number, start, bit_count(sectors));
    return begin + miss_latency_;
  }
  TagArray::Line& line = line_for(number, slice, start);
  counters_.l2_atomic_hit_sectors += bit_count(sectors & line.valid);
  const Cycle done = fetch(line, sectors, start);
  line.dirty |= sectors;
  return done;
}

/// When the sectors of a line in L2 have come to the SM; what the line lacks comes from DRAM.
Cycle SharedMemorySystem::fetch(TagArray::Line& line, std::uint32_t sectors, Cycle start) {
  const std::uint32_t missing = sectors & ~line.valid;
  if (missing != 0) {
    // The slice has the data when the SM's copy is hit_latency_ away.
    const Cycle begin = read_dram(line.number, start, bit_count(missing));
    line.filled_at = std::max(line.filled_at, begin + miss_latency_ - hit_latency_);
    line.valid |= missing;
  }
  // Who reads a line waits for all of its sectors that are on their way, whoever asked for them.
  return std::max(start, line.filled_at) + hit_latency_;
}

void SharedMemorySystem::store(std::uint32_t sectors, std::uint64_t number, std::size_t slice, Cycle start) {
  counters_.l2_store_sectors += bit_count(sectors);
  if (!l2_.enabled) {
    write_dram(number, start, bit_count(sectors));
    return;
  }
  TagArray::Line& line = line_for(number, slice, start);
  line.valid |= sectors;
  line.dirty |= sectors;
}

/// The L2 entry of a line, made if need be; what it displaces goes to DRAM if dirty.
TagArray::Line& SharedMemorySystem::line_for(std::uint64_t number, std::size_t slice, Cycle start) {
  TagArray& tags = tags_[slice];
  if (TagArray::Line* line = tags.find(number)) return *line;
  std::optional<TagArray::Line> evicted;
  TagArray::Line& line = tags.insert(number, evicted);
  if (evicted && evicted->dirty != 0) {
    write_dram(evicted->number, start, bit_count(evicted->dirty));
  }
  return line;
}

Cycle SharedMemorySystem::read_dram(std::uint64_t number, Cycle arrival, unsigned sectors) {
  counters_.dram_read_bytes += std::uint64_t{sectors} * sector_bytes_;
  return take_channel(number, arrival, sectors);
}

void SharedMemorySystem::write_dram(std::uint64_t number, Cycle arrival, unsigned sectors) {
  counters_.dram_write_bytes += std::uint64_t{sectors} * sector_bytes_;
  take_channel(number, arrival, sectors);
}

/// Keeps the line's channel busy for the sectors; returns when it begins.
Cycle SharedMemorySystem::take_channel(std::uint64_t number, Cycle arrival, unsigned sectors) {
  Tick& free_at = channel_free_[channels_.remainder(mix(number ^ kChannelSalt))];
  const Tick start = std::max(arrival * kTicksPerCycle, free_at);
  free_at = start + sectors * ticks_per_dram_sector_;
  return start / kTicksPerCycle;
}

}  // namespace heddle::sim
