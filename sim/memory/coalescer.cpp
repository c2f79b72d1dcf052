#include "sim/memory/coalescer.h"

#include <algorithm>

#include "isa/base/lane_addresses.h"

namespace heddle::sim {

void LineAccesses::add(Addr line, std::uint32_t sectors) {
  for (unsigned i = count_; i-- > 0;) {
    if (lines_[i].line == line) {
      lines_[i].sectors |= sectors;
      return;
    }
  }
  lines_[count_++] = {line, sectors};
}

namespace {

/// The sectors of the line that the bytes from `first` to `last` touch; both lie in it.
std::uint32_t sectors_between(Addr first, Addr last, const LineGeometry& geometry) {
  const auto shift = static_cast<unsigned>(std::countr_zero(geometry.sector_bytes));
  const Addr within_line = geometry.line_bytes - 1;
  return (2U << ((last & within_line) >> shift)) - (1U << ((first & within_line) >> shift));
}

/// One run of bytes, however many lanes it serves.
void coalesce_run(Addr first, Addr last, const LineGeometry& geometry, LineAccesses& result) {
  const Addr within_line = geometry.line_bytes - 1;
  for (Addr begin = first; begin <= last; begin = (begin | within_line) + 1) {
    result.add(begin & ~within_line, sectors_between(begin, std::min(begin | within_line, last), geometry));
  }
}

}  // namespace

void coalesce(const Addr* addresses, LaneMask mask, std::uint32_t bytes, const LineGeometry& geometry,
              LineAccesses& result) {
  result.clear();
  if (are_consecutive(addresses, mask, bytes)) {
    const Addr first = addresses[first_lane(mask)];
    coalesce_run(first, first + Addr{lane_count(mask)} * bytes - 1, geometry, result);
    return;
  }
  for_each_lane(mask, [&](unsigned lane) {
    const Addr first = addresses[lane];
    result.add(first & ~Addr{geometry.line_bytes - 1}, sectors_between(first, first + bytes - 1, geometry));
  });
}

}  // namespace heddle::sim
