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

/// Calls f(first, end) for each stretch of bytes that the lanes name together, whatever their order.
template <typename F>
void for_each_sorted_stretch(const LaneAccess& access, F&& f) {
  std::array<Addr, kMaxWarpSize> sorted;
  const unsigned count = sorted_addresses(access, sorted);
  if (count == 0) return;
  Addr first = sorted[0];
  Addr end = first + access.bytes;
  for (unsigned i = 1; i < count; ++i) {
    if (sorted[i] > end) {
      f(first, end);
      first = sorted[i];
    }
    end = sorted[i] + access.bytes;
  }
  f(first, end);
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

bool find_whole_sectors(const LaneAccess& access, const LineGeometry& geometry, const LineAccesses& lines,
                        std::span<std::uint32_t> whole) {
  std::fill_n(whole.begin(), lines.size(), 0U);
  bool are_some = false;
  const auto mark = [&](Addr first, Addr end) {
    const Addr begin = round_up(first, Addr{geometry.sector_bytes});
    for (unsigned i = 0; i < lines.size(); ++i) {
      const Addr from = std::max(begin, lines[i].line);
      const Addr to = std::min(end, lines[i].line + geometry.line_bytes) & ~Addr{geometry.sector_bytes - 1};
      if (from >= to) continue;
      whole[i] |= sectors_between(from, to - 1, geometry);
      are_some = true;
    }
  };
  if (access.span.consecutive) {
    const Addr first = access.addresses[first_lane(access.lanes)];
    mark(first, first + Addr{lane_count(access.lanes)} * access.bytes);
  } else {
    for_each_sorted_stretch(access, mark);
  }
  return are_some;
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
