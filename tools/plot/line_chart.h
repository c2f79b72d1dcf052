// A chart of lines over one axis, as an SVG picture.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace heddle::plot {

/// A line: a value for each place on the horizontal axis. Where a value is missing, the line has a gap.
struct Series {
  std::string name;
  std::vector<std::optional<double>> values;
};

/// A chart. Its vertical axis begins at 0, so that heights can be compared, unless a value is negative.
struct LineChart {
  std::string title;
  std::string x_name;  ///< With its unit in brackets: "block (threads)".
  std::string y_name;
  std::vector<std::string> x_labels;  ///< One for each place.
  /// The places, ascending and different. Their scale is logarithmic if they are positive and the last is 16
  /// or more times the first. Empty if they are no numbers; then the distances are equal.
  std::vector<double> places;
  std::vector<Series> series;
  std::string note = {};   ///< Stands under the title.
  bool is_linear = false;  ///< The scale of places is never logarithmic.
};

/// Round numbers from 0, or below the least, to above the greatest, about five steps: {0, 20, 40, 60}.
std::vector<double> ticks(double least, double greatest);

/// The picture. Lines differ in colour, marks and dashes; a legend below names them if there are several.
std::string to_svg(const LineChart& chart);

}  // namespace heddle::plot
