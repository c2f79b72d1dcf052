// --plot FILE.svg: draws the runs of a sweep as lines.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "tools/heddle/base/options.h"
#include "tools/plot/line_chart.h"
#include "tools/report/summary.h"

namespace heddle::command {

/// What to draw, and where.
struct PlotRequest {
  std::string path;
  std::string figure;  ///< A name in JSON: "memory.l1_hit_rate".
};

/// Adds --plot and --plot-figure.
void add_plot_options(Syntax& syntax);
/// Nothing if --plot was not given. Throws UsageError, also if there is no such figure.
std::optional<PlotRequest> plot_of(const OptionValues& values);

/// The horizontal axis is the first swept key whose values are different numbers, or else the first that has
/// several values. Each combination of the other swept values, and each of several kernels, is a line. Runs
/// without a value for the figure are gaps. Shares are in percent.
plot::LineChart sweep_chart(std::span<const report::Summary> runs, const std::string& figure);

/// Writes the picture, whole or not at all. Throws InputError, also if no run has a value for the figure.
void write_plot(const PlotRequest& request, std::span<const report::Summary> runs);

}  // namespace heddle::command
