#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "tools/report/text_columns.h"
#include "tools/report/words.h"
#include "tools/validate/reports.h"

namespace heddle::validate {

namespace {

constexpr double kLeft = 90;
constexpr double kTop = 56;
constexpr double kSide = 640;  // side of the square between the axes
constexpr double kLegend = kLeft + kSide + 24;
constexpr double kLegendLine = 40;
constexpr double kWidth = kLegend + 360;
constexpr double kLeastHeight = kTop + kSide + 70;

/// Colours that people with impaired colour vision can distinguish (Okabe and Ito), then darker ones.
constexpr std::array kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
                                 "#5b3f95", "#8c510a", "#01665e", "#c51b7d", "#4d4d4d", "#7fbc41",
                                 "#000000", "#b8a500", "#7a0019", "#5ad1b5"};

bool can_be_drawn(const Comparison& one) { return one.measured > 0 && one.simulated.value_or(0) > 0; }

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : report::printable(text)) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else {
      result += c;
    }
  }
  return result;
}

/// Both axes cover whole powers of ten that include all values.
class Scale {
 public:
  explicit Scale(const std::vector<GroupResult>& groups) {
    double least = INFINITY;
    double most = 0;
    for (const GroupResult& group : groups) {
      for (const Comparison& one : group.cases) {
        if (!can_be_drawn(one)) continue;
        least = std::min({least, one.measured, *one.simulated});
        most = std::max({most, one.measured, *one.simulated});
      }
    }
    if (most <= 0) return;
    first_ = static_cast<int>(std::floor(std::log10(least)));
    last_ = std::max(static_cast<int>(std::ceil(std::log10(most))), first_ + 1);
  }

  [[nodiscard]] int first() const { return first_; }
  [[nodiscard]] int last() const { return last_; }
  [[nodiscard]] double x(double value) const { return kLeft + kSide * share(value); }
  [[nodiscard]] double y(double value) const { return kTop + kSide * (1 - share(value)); }

 private:
  [[nodiscard]] double share(double value) const { return (std::log10(value) - first_) / (last_ - first_); }

  int first_ = 0;
  int last_ = 1;
};

std::string tick_text(int power) {
  constexpr int kWritten = 4;
  if (std::abs(power) <= kWritten) return fmt::format("{:g}", std::pow(10.0, power));
  return fmt::format("10<tspan dy=\"-6\" font-size=\"10\">{}</tspan>", power);
}

std::string axes(const Scale& scale) {
  std::string svg;
  for (int power = scale.first(); power <= scale.last(); ++power) {
    const double value = std::pow(10.0, power);
    svg += fmt::format("<path class=\"grid\" d=\"M{0:.1f} {1}V{2}M{3} {4:.1f}H{5}\"/>\n", scale.x(value),
                       kTop, kTop + kSide, kLeft, scale.y(value), kLeft + kSide);
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", scale.x(value),
                       kTop + kSide + 22, tick_text(power));
    svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", kLeft - 10,
                       scale.y(value) + 5, tick_text(power));
    for (int part = 2; part < 10 && power < scale.last(); ++part) {
      svg +=
          fmt::format("<path class=\"fine\" d=\"M{0:.1f} {1}V{2}M{3} {4:.1f}H{5}\"/>\n",
                      scale.x(part * value), kTop, kTop + kSide, kLeft, scale.y(part * value), kLeft + kSide);
    }
  }
  svg += fmt::format(
      "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">measured, in the unit of each case</text>\n",
      kLeft + kSide / 2, kTop + kSide + 52);
  svg += fmt::format(
      "<text transform=\"translate(28 {}) rotate(-90)\" text-anchor=\"middle\">simulated</text>\n",
      kTop + kSide / 2);
  return svg;
}

/// The band from (1 - tolerance) to (1 + tolerance) times the measured value.
std::string band(const Scale& scale, double tolerance) {
  const double from = std::pow(10.0, scale.first());
  const double to = std::pow(10.0, scale.last());
  const double below = std::max(1 - tolerance, 1e-3);
  return fmt::format(
      "<path class=\"band\" d=\"M{0:.1f} {1:.1f}L{2:.1f} {3:.1f}L{2:.1f} {4:.1f}L{0:.1f} {5:.1f}Z\">"
      "<title>{6:g} %</title></path>\n",
      scale.x(from), scale.y(from * (1 + tolerance)), scale.x(to), scale.y(to * (1 + tolerance)),
      scale.y(to * below), scale.y(from * below), 100 * tolerance);
}

std::string bands_and_diagonal(const Scale& scale, const std::vector<GroupResult>& groups) {
  std::set<double> tolerances;
  for (const GroupResult& group : groups) {
    for (const Comparison& one : group.cases) {
      if (one.tolerance) tolerances.insert(*one.tolerance);
    }
  }
  std::string svg = "<g clip-path=\"url(#axes)\">\n";
  for (auto tolerance = tolerances.rbegin(); tolerance != tolerances.rend(); ++tolerance)
    svg += band(scale, *tolerance);
  return svg + fmt::format("<path class=\"diagonal\" d=\"M{} {}L{} {}\"/>\n</g>\n", kLeft, kTop + kSide,
                           kLeft + kSide, kTop);
}

std::string point(const Scale& scale, const GroupResult& group, const Comparison& one, const char* colour) {
  std::string_view kind = one.is_within() ? "" : " class=\"known\"";
  if (one.is_unexpected()) kind = " class=\"outside\"";
  return fmt::format(
      "<circle{} cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\" fill=\"{}\"><title>{} {}, {}: measured {:.4g}, "
      "simulated {:.4g}{}{}, {:+.1f} %</title></circle>\n",
      kind, scale.x(one.measured), scale.y(*one.simulated), colour, escaped(group.name), escaped(one.name),
      escaped(one.gpu), one.measured, *one.simulated, one.unit.empty() ? "" : " ", escaped(one.unit),
      100 * *one.error());
}

std::string shortened(const std::string& text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

std::string legend_entry(const GroupResult& group, const char* colour, double y) {
  constexpr std::size_t kLongest = 50;
  const std::string title = shortened(group.title, kLongest - std::min<std::size_t>(group.name.size(), 10));
  const std::string whole =
      title == group.title ? "" : fmt::format("<title>{}</title>", escaped(group.title));
  return fmt::format(
      "<circle cx=\"{0}\" cy=\"{1}\" r=\"5.5\" fill=\"{2}\"/>\n"
      "<text x=\"{3}\" y=\"{4}\">{10}<tspan font-weight=\"bold\">{5}</tspan> {6}</text>\n"
      "<text class=\"small\" x=\"{3}\" y=\"{7}\">{8}, mean absolute error {9}</text>\n",
      kLegend + 6, y, colour, kLegend + 20, y + 5, escaped(group.name), escaped(title), y + 21,
      report::counted(group.cases.size(), "case"), report::percent(mean_absolute_error(group.cases)), whole);
}

/// Explains the rings around points and the bands.
std::string ring_legend(double y) {
  return fmt::format(
      "<circle class=\"known\" cx=\"{0}\" cy=\"{1}\" r=\"4.5\" fill=\"#bbb\"/>"
      "<text class=\"small\" x=\"{2}\" y=\"{3}\">outside of its tolerance, and known</text>\n"
      "<circle class=\"outside\" cx=\"{0}\" cy=\"{4}\" r=\"4.5\" fill=\"#bbb\"/>"
      "<text class=\"small\" x=\"{2}\" y=\"{5}\">outside of its tolerance</text>\n"
      "<rect class=\"band\" x=\"{6}\" y=\"{7}\" width=\"12\" height=\"9\"/>"
      "<text class=\"small\" x=\"{2}\" y=\"{8}\">bands: the tolerances that cases have</text>\n",
      kLegend + 6, y, kLegend + 20, y + 4, y + 20, y + 24, kLegend, y + 35, y + 44);
}

constexpr const char* kStyle =
    "<style>text{font:14px sans-serif;fill:#222}"
    ".title{font-size:18px;font-weight:bold}.small{font-size:12px;fill:#555}"
    ".grid{stroke:#c8c8c8;fill:none}.fine{stroke:#eee;fill:none}.band{fill:#2a7f2a;fill-opacity:.10}"
    ".diagonal{stroke:#444;stroke-width:1.2;fill:none}"
    "circle{fill-opacity:.8}.known{stroke:#222;stroke-width:1}.outside{stroke:#e00000;stroke-width:2.2}"
    ".frame{stroke:#444;fill:none}</style>\n";

}  // namespace

std::string scatter_plot(const Results& results) {
  const std::vector<GroupResult>& groups = results.groups;
  const Scale scale(groups);
  const double height = std::max(kLeastHeight, kTop + kLegendLine * (static_cast<double>(groups.size()) + 2));
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n{2}"
      "<clipPath id=\"axes\"><rect x=\"{3}\" y=\"{4}\" width=\"{5}\" height=\"{5}\"/></clipPath>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
      "<text class=\"title\" x=\"{3}\" y=\"34\">Simulated against measured</text>\n",
      kWidth, height, kStyle, kLeft, kTop, kSide);
  svg += fmt::format("<desc>Made by heddle {}: {}</desc>\n", results.provenance.version,
                     escaped(results.provenance.command_text()));
  svg += axes(scale) + bands_and_diagonal(scale, groups);
  svg += fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", kLeft, kTop,
                     kSide, kSide);
  double y = kTop + 8;
  for (std::size_t i = 0; i < groups.size(); ++i, y += kLegendLine) {
    const char* colour = kColours[i % kColours.size()];
    svg += legend_entry(groups[i], colour, y);
    for (const Comparison& one : groups[i].cases) {
      if (can_be_drawn(one)) svg += point(scale, groups[i], one, colour);
    }
  }
  return svg + ring_legend(y + 6) + "</svg>\n";
}

}  // namespace heddle::validate
