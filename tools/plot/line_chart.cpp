#include "tools/plot/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tools/plot/palette.h"
#include "tools/plot/svg.h"

namespace heddle::plot {

namespace {

constexpr double kWidth = 760;
constexpr double kHeight = 440;  // without the legend
constexpr double kLeft = 84;
constexpr double kRight = 24;
constexpr double kTop = 56;
constexpr double kBottom = 64;
constexpr double kLegendRow = 20;
constexpr std::string_view kGrid = "#d9d9d9";
/// With the colours, they make as many different lines as nobody can read in one chart.
constexpr std::array<std::string_view, 4> kDashes = {"", "7 4", "2 3", "9 3 2 3"};
constexpr std::size_t kLongestName = 96;

/// Without needless zeros.
std::string number_text(double number) { return fmt::format("{:.12g}", number); }

std::string_view colour_of(std::size_t series) { return kPalette[series % kPalette.size()]; }
std::string_view dashes_of(std::size_t series) { return kDashes[series / kPalette.size() % kDashes.size()]; }

class ChartPainter {
 public:
  explicit ChartPainter(const LineChart& chart)
      : chart_(chart), ticks_(y_ticks(chart)), svg_(kWidth, height(), chart.title) {}

  std::string picture() {
    svg_.text({kWidth / 2, 24}, shortened(chart_.title),
              {.anchor = Anchor::Middle, .size = 15, .is_bold = true});
    svg_.text({kWidth / 2, 42}, shortened(chart_.note), {.anchor = Anchor::Middle});
    draw_grid();
    draw_places();
    for (std::size_t i = 0; i < chart_.series.size(); ++i) draw_series(i);
    if (has_legend()) draw_legend();
    return svg_.document();
  }

 private:
  [[nodiscard]] bool has_legend() const { return chart_.series.size() > 1; }
  [[nodiscard]] double height() const {
    return kHeight + (has_legend() ? kLegendRow * static_cast<double>(chart_.series.size()) : 0);
  }

  /// Whole characters, and not too many of them.
  static std::string shortened(const std::string& text) {
    if (text.size() <= kLongestName) return text;
    std::size_t end = kLongestName;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return text.substr(0, end) + "...";
  }

  static std::vector<double> y_ticks(const LineChart& chart) {
    double least = 0;
    double greatest = 0;
    for (const Series& series : chart.series) {
      for (const auto& value : series.values) {
        if (!value) continue;
        least = std::min(least, *value);
        greatest = std::max(greatest, *value);
      }
    }
    return ticks(least, greatest);
  }

  /// From 0 at the first place to 1 at the last.
  [[nodiscard]] double share_of(std::size_t place) const {
    const std::size_t count = chart_.x_labels.size();
    if (count < 2) return 0.5;
    if (chart_.places.empty()) return static_cast<double>(place) / static_cast<double>(count - 1);
    const double first = chart_.places.front();
    const double last = chart_.places.back();
    constexpr double kWide = 16;
    if (!chart_.is_linear && first > 0 && last >= kWide * first)
      return std::log(chart_.places[place] / first) / std::log(last / first);
    return (chart_.places[place] - first) / (last - first);
  }

  [[nodiscard]] double x_of(std::size_t place) const {
    constexpr double kMargin = 16;  // marks at the ends do not touch the frame
    return kLeft + kMargin + share_of(place) * (kWidth - kLeft - kRight - 2 * kMargin);
  }

  [[nodiscard]] double y_of(double value) const {
    const double share = (value - ticks_.front()) / (ticks_.back() - ticks_.front());
    return kHeight - kBottom - share * (kHeight - kTop - kBottom);
  }

  void draw_grid() {
    for (const double tick : ticks_) {
      svg_.line({kLeft, y_of(tick)}, {kWidth - kRight, y_of(tick)}, {.colour = kGrid});
      svg_.text({kLeft - 8, y_of(tick) + 4}, number_text(tick), {.anchor = Anchor::End});
    }
    const double bottom = y_of(ticks_.front());
    svg_.line({kLeft, kTop}, {kLeft, bottom}, {});
    svg_.line({kLeft, bottom}, {kWidth - kRight, bottom}, {});
    svg_.text({20, (kTop + kHeight - kBottom) / 2}, shortened(chart_.y_name),
              {.anchor = Anchor::Middle, .size = 13, .is_upright = true});
    svg_.text({(kLeft + kWidth - kRight) / 2, kHeight - 16}, shortened(chart_.x_name),
              {.anchor = Anchor::Middle, .size = 13});
  }

  /// A label that would touch the one before it is left out.
  void draw_places() {
    constexpr double kCharacter = 7.2;
    double free_from = 0;
    for (std::size_t i = 0; i < chart_.x_labels.size(); ++i) {
      constexpr std::size_t kLongestLabel = 16;
      const std::string label = chart_.x_labels[i].substr(0, kLongestLabel);
      const double half = kCharacter * static_cast<double>(label.size()) / 2;
      const double bottom = kHeight - kBottom;
      svg_.line({x_of(i), bottom}, {x_of(i), bottom + 4}, {});
      if (x_of(i) - half < free_from) continue;
      free_from = x_of(i) + half + kCharacter;
      svg_.text({x_of(i), bottom + 18}, label, {.anchor = Anchor::Middle});
    }
  }

  void draw_series(std::size_t index) {
    const Series& series = chart_.series[index];
    const Stroke stroke{colour_of(index), 2, dashes_of(index)};
    std::vector<Point> run;
    for (std::size_t i = 0; i <= series.values.size(); ++i) {
      if (i < series.values.size() && series.values[i]) {
        run.push_back({x_of(i), y_of(*series.values[i])});
        draw_mark(index, run.back());
        continue;
      }
      if (run.size() > 1) svg_.lines(run, stroke);
      run.clear();
    }
  }

  /// Circle, square, triangle and diamond by turns.
  void draw_mark(std::size_t index, Point at) {
    constexpr std::size_t kShapes = 4;
    constexpr double kRadius = 4;
    const std::string_view colour = colour_of(index);
    switch (index % kShapes) {
      case 0:
        return svg_.circle(at, kRadius, colour);
      case 1:
        return svg_.rectangle({at.x - kRadius, at.y - kRadius}, 2 * kRadius, 2 * kRadius, colour);
      case 2:
        return svg_.polygon({{at.x, at.y - 5}, {at.x + 5, at.y + 4}, {at.x - 5, at.y + 4}}, colour);
      default:
        return svg_.polygon({{at.x, at.y - 5}, {at.x + 5, at.y}, {at.x, at.y + 5}, {at.x - 5, at.y}}, colour);
    }
  }

  void draw_legend() {
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      const double y = kHeight + kLegendRow * static_cast<double>(i);
      svg_.line({kLeft, y}, {kLeft + 36, y}, {colour_of(i), 2, dashes_of(i)});
      draw_mark(i, {kLeft + 18, y});
      svg_.text({kLeft + 46, y + 4}, shortened(chart_.series[i].name));
    }
  }

  const LineChart& chart_;
  std::vector<double> ticks_;
  Svg svg_;
};

}  // namespace

std::vector<double> ticks(double least, double greatest) {
  if (!(greatest > least)) greatest = least + 1;
  constexpr double kSteps = 5;
  const double rough = (greatest - least) / kSteps;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  constexpr std::array<double, 4> kRound = {1, 2, 5, 10};
  const auto* factor = std::find_if(kRound.begin(), kRound.end() - 1, [&](double each) {
    constexpr double kTolerance = 1e-9;
    return each * power >= rough * (1 - kTolerance);
  });
  const double step = *factor * power;
  const double first = std::floor(least / step);
  const double last = std::ceil(greatest / step);
  std::vector<double> list;
  for (double at = first; at <= last; at += 1) list.push_back(at * step);
  return list;
}

std::string to_svg(const LineChart& chart) { return ChartPainter(chart).picture(); }

}  // namespace heddle::plot
