#include "isa/exec/shared_races.h"

#include <algorithm>

#include "isa/stream/warp_source.h"

namespace heddle::exec {

void SharedRaces::begin_block(std::uint32_t warps) {
  // All that blocks before this one did is ordered before it, so that nothing need be cleared.
  known_.assign(warps, {});
  for (std::uint32_t warp = 0; warp < warps; ++warp) {
    known_[warp].fill(latest_);
    known_[warp][warp] = latest_ + 1;
  }
  ++latest_;
  gathered_ = {};
  released_.clear();
}

void SharedRaces::learn(Clocks& clocks, const Clocks& more) {
  std::ranges::transform(clocks, more, clocks.begin(),
                         [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
}

void SharedRaces::arrive(std::uint32_t warp, unsigned barrier) {
  learn(gathered_[barrier], known_[warp]);
  latest_ = std::max(latest_, ++known_[warp][warp]);
}

void SharedRaces::open(unsigned barrier, std::span<const WarpSlot> waiting) {
  for (const WarpSlot warp : waiting) learn(known_[warp], gathered_[barrier]);
  gathered_[barrier].fill(0);
}

void SharedRaces::release(std::uint32_t warp, Addr mbarrier) {
  learn(released_[mbarrier], known_[warp]);
  latest_ = std::max(latest_, ++known_[warp][warp]);
}

void SharedRaces::acquire(std::uint32_t warp, Addr mbarrier) {
  const auto released = released_.find(mbarrier);
  if (released != released_.end()) learn(known_[warp], released->second);
}

bool SharedRaces::is_unordered(const Visit& before, const Visit& now) const {
  return before.clock != 0 && before.warp != now.warp && known_[now.warp][before.warp] < before.clock &&
         !(before.is_atomic && now.is_atomic);
}

void SharedRaces::access(const WatchedAccess& access, std::span<const std::byte> memory,
                         const Report& report) {
  bytes_.resize(std::max(bytes_.size(), memory.size()));
  ++instructions_;
  for_each_lane(access.lanes, [&](unsigned lane) {
    for (unsigned byte = 0; byte < access.bytes; ++byte) access_byte(access, lane, byte, memory, report);
  });
}

void SharedRaces::access_byte(const WatchedAccess& access, unsigned lane, unsigned offset,
                              std::span<const std::byte> memory, const Report& report) {
  const Addr at = access.addresses[lane] + offset;
  Byte& byte = bytes_[at];
  const Visit now{known_[access.warp][access.warp],
                  access.warp,
                  {access.pc, access.thread(lane)},
                  access.action == ir::Action::Atomic};
  if (access.action == ir::Action::Load) {
    if (is_unordered(byte.writer, now))
      report(stream::FindingKind::ReadAfterWrite, lane, byte.writer.who, at);
    return note_reader(byte, now);
  }
  const bool is_store = access.action == ir::Action::Store;
  const std::byte value = is_store ? access.stored_byte(lane, offset) : std::byte{};
  // Who writes what is there already changes nothing for anybody.
  const bool changes = !is_store || memory[at] != value;
  if (is_store && byte.written_by == instructions_) {
    if (byte.value != value) report(stream::FindingKind::SameStore, lane, byte.writer.who, at);
  } else if (changes && is_unordered(byte.writer, now)) {
    report(stream::FindingKind::WriteAfterWrite, lane, byte.writer.who, at);
  }
  for (const Visit& reader : byte.readers) {
    if (changes && is_unordered(reader, now))
      report(stream::FindingKind::WriteAfterRead, lane, reader.who, at);
  }
  byte.writer = now;
  byte.written_by = instructions_;
  byte.value = value;
}

void SharedRaces::note_reader(Byte& byte, const Visit& visit) {
  if (byte.readers[0].warp != visit.warp && is_unordered(byte.readers[0], visit))
    byte.readers[1] = byte.readers[0];
  byte.readers[0] = visit;
}

}  // namespace heddle::exec
