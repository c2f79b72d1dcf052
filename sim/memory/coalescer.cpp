#include "sim/memory/coalescer.h"

#include <algorithm>

namespace heddle::sim {

void LineAccesses::add(Addr line, std::uint32_t sectors) {
  for (unsigned i = count_; i-- > 0;) {
    if (lines_[i].line == line) {
      lines_[i].sectors |= sectors;
      return;
    }
  }
  lines_[count_++] = {line, sectors, 0, 0};
}

void LineAccesses::order_by_turns(std::span<const std::uint16_t> turns, unsigned most) {
  if (most <= 1) return;  // as they are
  const std::array<LineAccess, kMaxWarpSize> unordered = lines_;
  unsigned place = 0;
  for (unsigned turn = 0; turn < most; ++turn) {
    for (unsigned i = 0; i < count_; ++i) {
      if (turns[i] != turn) continue;
      lines_[place] = unordered[i];
      lines_[place++].turn = static_cast<std::uint16_t>(turn);
    }
  }
}

namespace {

/// The addresses that the lanes name, in order. Returns how many.
unsigned sorted_addresses(const LaneAccess& access, std::array<Addr, kMaxWarpSize>& sorted) {
  unsigned count = 0;
  for_each_lane(access.lanes, [&](unsigned lane) { sorted[count++] = access.addresses[lane]; });
  std::sort(sorted.begin(), sorted.begin() + count);
  return count;
}

/// The sectors of the line that the bytes from `first` to `last` touch; both lie in it.
std::uint32_t sectors_between(Addr first, Addr last, const LineGeometry& geometry) {
  const auto shift = static_cast<unsigned>(std::countr_zero(geometry.sector_bytes));
  const Addr within_line = geometry.line_bytes - 1;
  return (2U << ((last & within_line) >> shift)) - (1U << ((first & within_line) >> shift));
}

/// One stretch of bytes, however many lanes it serves.
void coalesce_stretch(Addr first, Addr last, const LineGeometry& geometry, LineAccesses& result) {
  const Addr within_line = geometry.line_bytes - 1;
  for (Addr begin = first; begin <= last; begin = (begin | within_line) + 1) {
    result.add(begin & ~within_line, sectors_between(begin, std::min(begin | within_line, last), geometry));
  }
}

}  // namespace

std::uint64_t sector_count(const LineAccesses& lines) {
  std::uint64_t sectors = 0;
  for (const LineAccess& access : lines.list()) sectors += bit_count(access.sectors);
  return sectors;
}

bool fill_sectors(const LaneAccess& access, const LineGeometry& geometry, const LineAccesses& lines) {
  const std::uint64_t bytes = sector_count(lines) * geometry.sector_bytes;
  if (Addr{lane_count(access.lanes)} * access.bytes < bytes) return false;
  if (access.span.consecutive) return true;
  std::array<Addr, kMaxWarpSize> sorted;
  const unsigned count = sorted_addresses(access, sorted);
  const auto different = std::unique(sorted.begin(), sorted.begin() + count) - sorted.begin();
  return static_cast<Addr>(different) * access.bytes == bytes;
}

void count_atomic_lanes(const LaneAccess& access, const LineGeometry& geometry, LineAccesses& lines) {
  std::array<Addr, kMaxWarpSize> sorted;
  const unsigned count = sorted_addresses(access, sorted);
  for (unsigned i = 0; i < lines.size(); ++i) {
    unsigned most = 0;
    unsigned run = 0;
    unsigned addresses = 0;
    for (unsigned j = 0; j < count; ++j) {
      run = j != 0 && sorted[j] == sorted[j - 1] ? run + 1 : 1;
      if ((sorted[j] & ~Addr{geometry.line_bytes - 1}) != lines[i].line) continue;
      most = std::max(most, run);
      if (run == 1) ++addresses;
    }
    lines.set_atomic(i, static_cast<std::uint8_t>(most), static_cast<std::uint8_t>(addresses));
  }
}

void coalesce(const LaneAccess& access, const LineGeometry& geometry, LineAccesses& result) {
  result.clear();
  if (access.span.consecutive) {
    const Addr first = access.addresses[first_lane(access.lanes)];
    coalesce_stretch(first, first + Addr{lane_count(access.lanes)} * access.bytes - 1, geometry, result);
    return;
  }
  for_each_stretch(access,
                   [&](Addr first, Addr last) { coalesce_stretch(first, last, geometry, result); });
}

}  // namespace heddle::sim
