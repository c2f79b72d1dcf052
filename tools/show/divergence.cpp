#include "tools/show/divergence.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/plot/palette.h"
#include "tools/plot/svg.h"
#include "tools/report/words.h"

namespace heddle::show {

namespace {

using report::Gap;
using report::Line;
using report::Table;

/// Lane 0 first, as lanes lie in memory.
std::string mask_text(LaneMask lanes, unsigned warp_size) {
  std::string text;
  for (unsigned lane = 0; lane < warp_size; ++lane) text += (lanes >> lane & 1) != 0 ? '#' : '.';
  return text;
}

std::string share_text(const LaneUse& use) {
  return fmt::format("{} of {} lane slots = {}", use.used, use.of,
                     use.of == 0 ? "-"
                                 : fmt::format("{:.2f} %", 100 * static_cast<double>(use.used) /
                                                               static_cast<double>(use.of)));
}

std::string title_of(const ShownWarp& shown) {
  return fmt::format("Divergence: {} on {}, block {}, warp {}", shown.launch, shown.gpu, shown.block,
                     shown.warp);
}

void add_steps(const ShownWarp& shown, std::size_t most_steps, report::Document& document) {
  Table table{{"at", "cycles", "issues", "lanes", "active lanes, lane 0 first"}, {}};
  table.ends_in_text = true;
  const std::vector<MaskStep>& steps = shown.masks.steps;
  for (std::size_t i = 0; i < std::min(most_steps, steps.size()); ++i) {
    const MaskStep& step = steps[i];
    table.rows.push_back({step.place, fmt::format("{}-{}", step.first, step.last),
                          fmt::format("{}", step.instructions), fmt::format("{}", lane_count(step.lanes)),
                          mask_text(step.lanes, shown.masks.warp_size)});
  }
  document.items.emplace_back(table);
  if (steps.size() > most_steps) {
    document.items.emplace_back(Line{
        {fmt::format("{} more steps follow; --steps N shows more", steps.size() - most_steps)}, false, true});
  }
}

/// "path_a: 100 instructions, 1600 of 3200 lane slots = 50.00 %"
void add_paths(const ShownWarp& shown, report::Document& document) {
  if (shown.masks.paths.empty()) {
    document.items.emplace_back(Line{{"No path: every lane passes every instruction."}, false, false});
    return;
  }
  document.items.emplace_back(
      Line{{"Work on paths that not every lane must take, without jumps:"}, false, false});
  for (const PathUse& path : shown.masks.paths) {
    document.items.emplace_back(
        Line{{fmt::format("{}: {}, {}", path.place, report::counted(path.instructions, "instruction"),
                          share_text(path.lanes))},
             false,
             true});
  }
  document.items.emplace_back(Line{{"all paths: " + share_text(shown.masks.on_paths)}, false, true});
}

void add_whole(const ShownWarp& shown, report::Document& document) {
  document.items.emplace_back(
      Line{{"The warp's whole run: " + share_text(shown.masks.in_all)}, false, false});
  document.items.emplace_back(
      Line{{fmt::format("All warps: {} of {} branches part their lanes",
                        report::grouped(shown.run.total.divergent_branches),
                        report::grouped(shown.run.total.branches)),
            fmt::format("utilization {}", report::percent(shown.run.divergence_utilization))},
           false,
           false});
}

void add_comparison(const std::vector<ShownWarp>& launches, report::Document& document) {
  Table table{{"launch", "cycles", "time", "lanes at work", "times as fast as the first"}, {}};
  for (const ShownWarp& shown : launches) {
    const double gain = static_cast<double>(launches[0].run.cycles) /
                        static_cast<double>(std::max<Cycle>(1, shown.run.cycles));
    table.rows.push_back({shown.launch, report::grouped(shown.run.cycles),
                          report::time_text(shown.run.time_us),
                          report::percent(shown.run.divergence_utilization), fmt::format("{:.2f}", gain)});
  }
  document.items.emplace_back(table);
}

// -- as SVG ---------------------------------------------------------------------------------------

constexpr double kCell = 14;
constexpr double kRowHeight = 18;
constexpr double kNames = 240;
constexpr double kMargin = 16;
constexpr std::string_view kIdle = "#e6e6e6";

double rows_of(const ShownWarp& shown, std::size_t most_steps) {
  constexpr double kTexts = 4;  // title, heading, sums
  return kTexts + static_cast<double>(std::min(most_steps, shown.masks.steps.size()));
}

/// A row: where and how long on the left, a cell for each lane on the right.
void draw_step(plot::Svg& svg, const MaskStep& step, unsigned warp_size, double y) {
  constexpr std::size_t kLongest = 18;
  svg.text({kMargin, y + 12}, step.place.substr(0, kLongest), {.size = 12});
  svg.text({kMargin + 140, y + 12}, fmt::format("{} x", step.instructions), {.anchor = plot::Anchor::End});
  svg.text({kNames - 12, y + 12}, fmt::format("{} lanes", lane_count(step.lanes)),
           {.anchor = plot::Anchor::End});
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const bool is_active = (step.lanes >> lane & 1) != 0;
    svg.rectangle({kNames + kCell * lane, y}, kCell - 2, kRowHeight - 4,
                  is_active ? plot::kPalette[0] : kIdle);
  }
}

void draw_launch(plot::Svg& svg, const ShownWarp& shown, std::size_t most_steps, double y) {
  svg.text({kMargin, y + 12}, title_of(shown), {.size = 14, .is_bold = true});
  y += kRowHeight;
  svg.text({kNames, y + 12}, fmt::format("lane 0 to {}, from left to right", shown.masks.warp_size - 1));
  y += kRowHeight;
  const std::size_t count = std::min(most_steps, shown.masks.steps.size());
  for (std::size_t i = 0; i < count; ++i, y += kRowHeight)
    draw_step(svg, shown.masks.steps[i], shown.masks.warp_size, y);
  const std::string sum = shown.masks.paths.empty() ? share_text(shown.masks.in_all)
                                                    : "on the paths: " + share_text(shown.masks.on_paths);
  svg.text({kNames, y + 14}, sum, {.size = 13});
}

std::string drawn(const std::vector<ShownWarp>& launches, std::size_t most_steps) {
  double rows = 0;
  unsigned lanes = 0;
  for (const ShownWarp& shown : launches) {
    rows += rows_of(shown, most_steps);
    lanes = std::max(lanes, shown.masks.warp_size);
  }
  plot::Svg svg(kNames + kCell * lanes + kMargin, kRowHeight * rows + 2 * kMargin, title_of(launches.at(0)));
  double y = kMargin;
  for (const ShownWarp& shown : launches) {
    draw_launch(svg, shown, most_steps, y);
    y += kRowHeight * rows_of(shown, most_steps);
  }
  return svg.document();
}

}  // namespace

Picture divergence_picture(const std::vector<ShownWarp>& launches, std::size_t most_steps) {
  Picture picture;
  for (const ShownWarp& shown : launches) {
    if (&shown != &launches.front()) picture.text.items.emplace_back(Gap{});
    picture.text.items.emplace_back(Line{{title_of(shown)}, true, false});
    add_steps(shown, most_steps, picture.text);
    add_paths(shown, picture.text);
    add_whole(shown, picture.text);
  }
  if (launches.size() > 1) {
    picture.text.items.emplace_back(Gap{});
    add_comparison(launches, picture.text);
  }
  picture.svg = drawn(launches, most_steps);
  return picture;
}

}  // namespace heddle::show
