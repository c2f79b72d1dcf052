#include "tools/show/coalescing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/memory/coalescer.h"
#include "tools/plot/palette.h"
#include "tools/plot/svg.h"
#include "tools/report/words.h"
#include "tools/show/lane_text.h"

namespace heddle::show {

namespace {

using report::Gap;
using report::Line;
using report::Table;

/// The lanes that touch each sector, by its number in memory.
std::map<Addr, LaneMask> lanes_by_sector(const Access& access, std::uint32_t sector_bytes) {
  std::map<Addr, LaneMask> sectors;
  for_each_lane(access.lanes, [&](unsigned lane) {
    const Addr first = access.addresses[lane] / sector_bytes;
    const Addr last = (access.addresses[lane] + access.bytes - 1) / sector_bytes;
    for (Addr sector = first; sector <= last; ++sector) sectors[sector] |= LaneMask{1} << lane;
  });
  return sectors;
}

/// Different bytes that lanes name in the sector.
std::uint64_t bytes_used(const Access& access, Addr sector, std::uint32_t sector_bytes) {
  std::set<Addr> bytes;
  for_each_lane(access.lanes, [&](unsigned lane) {
    for (Addr byte = access.addresses[lane]; byte < access.addresses[lane] + access.bytes; ++byte)
      if (byte / sector_bytes == sector) bytes.insert(byte);
  });
  return bytes.size();
}

/// A line for each sector: where it lies, how much of it is used, by whom.
Table sectors_table(const Access& access, const sim::GpuSpec& spec) {
  const std::uint32_t sector_bytes = spec.l1.sector_bytes;
  Table table{{"line", "sector", "bytes used", "lanes"}, {}};
  table.ends_in_text = true;
  const Addr of_line = spec.l1.line_bytes / sector_bytes;
  for (const auto& [sector, lanes] : lanes_by_sector(access, sector_bytes)) {
    table.rows.push_back(
        {fmt::format("{:#x}", sector / of_line * spec.l1.line_bytes), fmt::format("{}", sector % of_line),
         fmt::format("{} of {}", bytes_used(access, sector, sector_bytes), sector_bytes), lanes_text(lanes)});
  }
  return table;
}

std::string counts_text(const Access& access, const sim::GpuSpec& spec) {
  const std::uint64_t sectors = sectors_of(access, spec);
  const std::uint64_t fewest = fewest_sectors(access, spec);
  return fmt::format(
      "{} lanes, {} bytes each: {} sectors of {} bytes, {} at least; {:.1f} % of the bytes are used",
      lane_count(access.lanes), access.bytes, sectors, spec.l1.sector_bytes, fewest,
      100 * static_cast<double>(lane_count(access.lanes) * access.bytes) /
          static_cast<double>(sectors * spec.l1.sector_bytes));
}

/// Lanes above, sectors below.
std::string drawn(const ShownAccesses& shown, const Access& access, const sim::GpuSpec& spec) {
  constexpr double kMargin = 24;
  constexpr double kLanesAt = 90;
  constexpr double kSectorsAt = 260;
  constexpr double kLane = 22;
  const auto sectors = lanes_by_sector(access, spec.l1.sector_bytes);
  const double width =
      2 * kMargin + kLane * std::max<double>(shown.warp_size, static_cast<double>(sectors.size()));
  plot::Svg svg(std::max(width, 560.0), 350, access_title("Coalescing", shown));
  svg.text({kMargin, 28}, access_title("Coalescing", shown), {.size = 15, .is_bold = true});
  svg.text({kMargin, 50}, counts_text(access, spec));
  svg.text({kMargin, kLanesAt - 14}, "lanes");
  svg.text({kMargin, kSectorsAt + 40}, "sectors, in the order of their addresses");
  const auto x_of = [&](double i) { return kMargin + kLane * (i + 0.5); };
  // Sectors keep the room of the lanes, so that neighbours stand below each other.
  const double step =
      sectors.size() <= 1
          ? 1
          : std::max(1.0, static_cast<double>(shown.warp_size) / static_cast<double>(sectors.size()));
  double i = 0;
  for (const auto& [sector, lanes] : sectors) {
    const double x = x_of(i * step + (step - 1) / 2);
    const std::string_view colour = plot::kPalette[static_cast<std::size_t>(i) % plot::kPalette.size()];
    for_each_lane(lanes, [&](unsigned lane) {
      svg.line({x_of(lane), kLanesAt + 18}, {x, kSectorsAt}, {.colour = colour, .width = 1.5});
      svg.rectangle({x_of(lane) - 9, kLanesAt}, 18, 18, colour);
    });
    svg.rectangle({x - 9, kSectorsAt}, 18, 18, colour);
    ++i;
  }
  return svg.document();
}

/// All accesses of the warp; the chosen one has an arrow.
Table accesses_table(const ShownAccesses& shown, const sim::GpuSpec& spec) {
  Table table{{"access", "times", "lanes", "sectors", "at least", "instruction"}, {}};
  table.ends_in_text = true;
  for (std::size_t i = 0; i < shown.accesses.size(); ++i) {
    const Access& access = shown.accesses[i];
    table.rows.push_back({fmt::format("{}{}", i, i == shown.chosen ? " <- below" : ""),
                          report::grouped(access.times), fmt::format("{}", lane_count(access.lanes)),
                          fmt::format("{}", access.cost), fmt::format("{}", fewest_sectors(access, spec)),
                          shown.instruction(access.pc)});
  }
  return table;
}

}  // namespace

std::size_t dearest(const std::vector<Access>& accesses) {
  const auto most = std::max_element(accesses.begin(), accesses.end(),
                                     [](const Access& a, const Access& b) { return a.cost < b.cost; });
  return static_cast<std::size_t>(most - accesses.begin());
}

std::uint64_t sectors_of(const Access& access, const sim::GpuSpec& spec) {
  sim::LineAccesses lines;
  sim::coalesce(access.lane_access(), {spec.l1.line_bytes, spec.l1.sector_bytes}, lines);
  return sim::sector_count(lines);
}

std::uint64_t fewest_sectors(const Access& access, const sim::GpuSpec& spec) {
  std::set<Addr> places;
  for_each_lane(access.lanes, [&](unsigned lane) { places.insert(access.addresses[lane]); });
  return divide_up(places.size() * access.bytes, spec.l1.sector_bytes);
}

Picture coalescing_picture(const ShownAccesses& shown, const sim::GpuSpec& spec) {
  const Access& access = shown.accesses.at(shown.chosen);
  Picture picture;
  picture.text.items.emplace_back(Line{{access_title("Coalescing", shown)}, true, false});
  picture.text.items.emplace_back(accesses_table(shown, spec));
  picture.text.items.emplace_back(Gap{});
  picture.text.items.emplace_back(Line{{counts_text(access, spec)}, false, false});
  picture.text.items.emplace_back(Gap{});
  picture.text.items.emplace_back(sectors_table(access, spec));
  picture.svg = drawn(shown, access, spec);
  return picture;
}

}  // namespace heddle::show
