#include <fmt/format.h>

#include "tools/plot/line_chart.h"
#include "tools/report/words.h"
#include "tools/show/hiding.h"

namespace heddle::show {

namespace {

using report::Gap;
using report::Line;

/// Cycles are whole wherever a period always takes the same time.
std::string cycles_text(double cycles) { return fmt::format("{:.6g}", cycles); }

/// " / 4" where the warps share four schedulers.
std::string shared_text(const Hiding& hiding) {
  return hiding.schedulers == 1 ? "" : fmt::format(" / {}", hiding.schedulers);
}

std::string formula_text(const Hiding& hiding) {
  return fmt::format("W warps hide W x {0}{1} of {2} cycles; {3} is busy W x {0}{1} / {4} of the time",
                     cycles_text(hiding.busy), shared_text(hiding), cycles_text(hiding.wait), hiding.unit,
                     cycles_text(hiding.wait + hiding.busy));
}

std::string title_of(const Hiding& hiding) {
  return fmt::format("Latency hiding: {} on {}", hiding.launch, hiding.gpu);
}

report::Table table_of(const Hiding& hiding) {
  report::Table table{{"warps", "hidden by formula", "share", hiding.unit + " busy by formula", "simulated"},
                      {}};
  for (const HidingPoint& point : hiding.points) {
    const double hidden = hiding.hidden(point.warps);
    table.rows.push_back(
        {fmt::format("{}", point.warps),
         fmt::format("{} of {}", cycles_text(hidden), cycles_text(hiding.wait)),
         report::percent(hidden / hiding.wait), report::percent(hiding.formula(point.warps)),
         point.simulated ? report::percent(simulated_share(hiding, *point.simulated)) : "-"});
  }
  return table;
}

report::BarChart bars_of(const Hiding& hiding) {
  report::BarChart chart;
  chart.title = fmt::format("How long {} was busy in the run", hiding.unit);
  chart.has_track = true;
  for (const HidingPoint& point : hiding.points) {
    if (!point.simulated) continue;
    const double share = simulated_share(hiding, *point.simulated);
    chart.bars.push_back(
        {report::counted(point.warps, "warp"), 0, share, report::percent(share),
         fmt::format("{} of {} cycles", point.simulated->busy[hiding.pipe], point.simulated->cycles),
         report::Tone::Used});
  }
  return chart;
}

std::string drawn(const Hiding& hiding) {
  plot::LineChart chart;
  chart.title = title_of(hiding);
  chart.note = formula_text(hiding);
  chart.is_linear = true;
  chart.x_name = "W (warps)";
  chart.y_name = fmt::format("{} busy (% of the time)", hiding.unit);
  constexpr double kPercent = 100;
  chart.series = {{"formula", {}}, {"simulated", {}}};
  for (const HidingPoint& point : hiding.points) {
    chart.places.push_back(static_cast<double>(point.warps));
    chart.x_labels.push_back(fmt::format("{}", point.warps));
    chart.series[0].values.push_back(kPercent * hiding.formula(point.warps));
    chart.series[1].values.push_back(
        point.simulated ? std::optional(kPercent * simulated_share(hiding, *point.simulated)) : std::nullopt);
  }
  return plot::to_svg(chart);
}

}  // namespace

Picture hiding_picture(const Hiding& hiding) {
  Picture picture;
  report::Document& text = picture.text;
  text.items.emplace_back(Line{{title_of(hiding)}, true, false});
  text.items.emplace_back(Line{
      {fmt::format("One warp waits {} cycles for a load, then keeps {} busy for {}: {} / {} = {}",
                   cycles_text(hiding.wait), hiding.unit, cycles_text(hiding.busy), cycles_text(hiding.busy),
                   cycles_text(hiding.wait + hiding.busy), report::percent(hiding.formula(1)))},
      false,
      false});
  text.items.emplace_back(Line{{formula_text(hiding)}, false, false});
  text.items.emplace_back(Gap{});
  text.items.emplace_back(table_of(hiding));
  text.items.emplace_back(Gap{});
  text.items.emplace_back(bars_of(hiding));
  text.items.emplace_back(Gap{});
  const std::uint64_t enough = hiding.enough();
  text.items.emplace_back(Line{
      {fmt::format("{} hide all of it; an SM holds {}", report::counted(enough, "warp"), hiding.most_warps)},
      false,
      false});
  picture.svg = drawn(hiding);
  return picture;
}

}  // namespace heddle::show
