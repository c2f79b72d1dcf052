#include "sim/memory/coalescer.h"

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

void coalesce(const Addr* addresses, LaneMask mask, std::uint32_t bytes, const LineGeometry& geometry,
              LineAccesses& result) {
  result.clear();
  const Addr within_line = geometry.line_bytes - 1;
  const auto sector_shift = static_cast<unsigned>(std::countr_zero(geometry.sector_bytes));
  // Lanes mostly follow one another through a line: a run is kept here and added when it ends.
  Addr line = ~Addr{0};
  std::uint32_t sectors = 0;
  for_each_lane(mask, [&](unsigned lane) {
    const Addr address = addresses[lane];
    const Addr own_line = address & ~within_line;
    if (own_line != line) {
      if (sectors != 0) result.add(line, sectors);
      line = own_line;
      sectors = 0;
    }
    const auto first = static_cast<unsigned>((address & within_line) >> sector_shift);
    const auto last = static_cast<unsigned>(((address + bytes - 1) & within_line) >> sector_shift);
    sectors |= (2U << last) - (1U << first);
  });
  if (sectors != 0) result.add(line, sectors);
}

}  // namespace heddle::sim
