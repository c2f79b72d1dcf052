#include "tools/heddle/run/sweep_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <set>
#include <variant>

#include "isa/base/diagnostic.h"
#include "sim/config/suggest.h"
#include "tools/heddle/base/output.h"
#include "tools/report/figures.h"
#include "tools/report/units.h"
#include "tools/report/words.h"

namespace heddle::command {

namespace {

constexpr const char* kUsualFigure = "time_us";
/// The figures of a GPU's pipes, which depend on the GPU.
constexpr std::string_view kPipes = "pipes.";

using report::Summary;
using Swept = std::vector<std::pair<std::string, std::string>>;

/// The units of swept keys whose names do not say them. A key of the GPU is known by its last word.
struct KeyUnit {
  std::string_view end;
  std::string_view unit;
};
constexpr KeyUnit kKeyUnits[] = {
    {"block", "threads"},   {"grid", "blocks"},        {"registers", "a thread"}, {"shared", "bytes a block"},
    {"warp-size", "lanes"}, {"latency", "cycles"},     {"interval", "cycles"},    {"bytes", "bytes"},
    {"clock_mhz", "MHz"},   {"bandwidth_gbps", "GB/s"}};

std::string x_name(const std::string& key) {
  for (const KeyUnit& row : kKeyUnits) {
    if (key.ends_with(row.end)) return fmt::format("{} ({})", key, row.unit);
  }
  return key;
}

std::string y_name(const std::string& figure) {
  if (figure == kUsualFigure) return "time (us)";
  const std::string_view unit = report::unit_of(figure);
  const std::string name = report::key_text(figure);
  if (unit == report::kFraction) return name + " (%)";
  return unit.empty() || name.ends_with(unit) ? name : fmt::format("{} ({})", name, unit);
}

std::optional<double> number_in(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  constexpr double kGreatest = 1e15;
  return is_number && number >= -kGreatest && number <= kGreatest ? std::optional(number) : std::nullopt;
}

std::string value_of(const Swept& swept, const std::string& key) {
  const auto found =
      std::find_if(swept.begin(), swept.end(), [&](const auto& each) { return each.first == key; });
  return found == swept.end() ? std::string() : found->second;
}

/// Different values of a key, in the order of the runs.
std::vector<std::string> values_of(std::span<const Summary> runs, const std::string& key) {
  std::vector<std::string> values;
  for (const Summary& run : runs) {
    std::string value = value_of(run.info.swept, key);
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(std::move(value));
  }
  return values;
}

/// The values as numbers if they are numbers and all different: 64 and 64.0 are the same place.
std::vector<double> numbers_of(const std::vector<std::string>& values) {
  std::vector<double> numbers;
  for (const std::string& value : values) {
    const auto number = number_in(value);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return std::set<double>(numbers.begin(), numbers.end()).size() == numbers.size() ? numbers
                                                                                   : std::vector<double>();
}

std::string horizontal_key(std::span<const Summary> runs) {
  const Swept& keys = runs[0].info.swept;
  for (const bool wants_numbers : {true, false}) {
    for (const auto& [key, value] : keys) {
      const std::vector<std::string> values = values_of(runs, key);
      if (values.size() > 1 && (!wants_numbers || !numbers_of(values).empty())) return key;
    }
  }
  return keys.at(0).first;
}

std::string series_name(const Summary& run, const std::string& x_key, bool names_launch) {
  std::string name = names_launch ? run.info.short_name : "";
  for (const auto& [key, value] : run.info.swept) {
    if (key != x_key) name += fmt::format("{}{}={}", name.empty() ? "" : ", ", key, value);
  }
  return name.empty() ? run.info.short_name : name;
}

std::optional<double> value_of(const Summary& run, const std::string& figure) {
  for (const auto& [name, value] : report::figures(run)) {
    if (name != figure) continue;
    constexpr double kPercent = 100;
    const double number = std::visit([](auto each) { return static_cast<double>(each); }, value);
    return report::unit_of(figure) == report::kFraction ? number * kPercent : number;
  }
  return std::nullopt;
}

bool has_several_launches(std::span<const Summary> runs) {
  return std::any_of(runs.begin(), runs.end(),
                     [&](const Summary& run) { return run.info.short_name != runs[0].info.short_name; });
}

/// Ascending by number where the values are numbers.
void sort_places(std::vector<std::string>& labels, std::vector<double>& places) {
  std::vector<std::size_t> order(labels.size());
  std::iota(order.begin(), order.end(), 0);
  if (!places.empty()) {
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  }
  std::vector<std::string> sorted;
  for (const std::size_t i : order) sorted.push_back(labels[i]);
  labels = std::move(sorted);
  std::sort(places.begin(), places.end());
}

}  // namespace

void add_plot_options(Syntax& syntax) {
  auto add = syntax.options.add_options();
  add("plot", text_option("FILE.svg"), "draws a sweep as lines over what is swept: all of it, or nothing");
  add("plot-figure", text_option("NAME"),
      "the figure that --plot draws, by its name in JSON, as memory.l1_hit_rate; time_us if not given");
}

std::optional<PlotRequest> plot_of(const OptionValues& values) {
  const auto path = text_of(values, "plot");
  const auto figure = text_of(values, "plot-figure");
  if (figure && !path) throw UsageError("--plot-figure goes with --plot FILE.svg");
  if (!path) return std::nullopt;
  if (!path->ends_with(".svg"))
    throw UsageError(fmt::format("--plot {}: must be the name of an .svg", *path));
  const std::vector<std::string> known = report::figure_names();
  if (figure && !figure->starts_with(kPipes) &&
      std::find(known.begin(), known.end(), *figure) == known.end()) {
    throw UsageError(fmt::format("--plot-figure {}: no report has this figure; {}", *figure,
                                 sim::suggestion(*figure, known)));
  }
  return PlotRequest{*path, figure.value_or(kUsualFigure)};
}

plot::LineChart sweep_chart(std::span<const Summary> runs, const std::string& figure) {
  const std::string key = horizontal_key(runs);
  plot::LineChart chart;
  chart.x_name = x_name(key);
  chart.y_name = y_name(figure);
  chart.x_labels = values_of(runs, key);
  chart.places = numbers_of(chart.x_labels);
  sort_places(chart.x_labels, chart.places);
  const bool names_launch = has_several_launches(runs);
  chart.title = fmt::format("{}{} over {}", names_launch ? "" : runs[0].info.short_name + ": ",
                            report::key_text(figure), key);
  std::map<std::string, std::size_t> lines;
  for (const Summary& run : runs) {
    const std::string name = series_name(run, key, names_launch);
    const auto [line, is_new] = lines.emplace(name, chart.series.size());
    if (is_new) chart.series.push_back({name, std::vector<std::optional<double>>(chart.x_labels.size())});
    const auto place = std::find(chart.x_labels.begin(), chart.x_labels.end(), value_of(run.info.swept, key));
    chart.series[line->second].values[static_cast<std::size_t>(place - chart.x_labels.begin())] =
        value_of(run, figure);
  }
  return chart;
}

void write_plot(const PlotRequest& request, std::span<const Summary> runs) {
  if (runs.empty()) return;
  const plot::LineChart chart = sweep_chart(runs, request.figure);
  const bool has_value =
      std::any_of(chart.series.begin(), chart.series.end(), [](const plot::Series& series) {
        return std::any_of(series.values.begin(), series.values.end(),
                           [](const auto& each) { return each.has_value(); });
      });
  if (!has_value)
    throw InputError({request.path, 0, 0},
                     fmt::format("not written: no run has a value for '{}'", request.figure));
  write_file(request.path, plot::to_svg(chart));
}

}  // namespace heddle::command
