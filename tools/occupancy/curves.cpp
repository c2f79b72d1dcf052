#include "tools/occupancy/curves.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tools/report/json_object.h"
#include "tools/report/render_text.h"
#include "tools/report/words.h"

namespace heddle::occupancy {

namespace {

constexpr std::size_t kRows = 8;
constexpr std::size_t kBeforePlot = 9;
constexpr std::size_t kMostColumns = report::kTextColumns - kBeforePlot;

/// The points for the columns of a plot: all, or every n-th so that they fit.
std::vector<const sim::CurvePoint*> columns_of(const Curve& curve) {
  const std::size_t step = (curve.points.size() + kMostColumns - 1) / kMostColumns;
  std::vector<const sim::CurvePoint*> columns;
  for (std::size_t i = 0; i < curve.points.size(); i += std::max<std::size_t>(step, 1)) {
    columns.push_back(&curve.points[i]);
  }
  return columns;
}

/// The column with the nearest amount.
std::size_t column_of(const std::vector<const sim::CurvePoint*>& columns, std::uint64_t amount) {
  const auto after = std::find_if(columns.begin(), columns.end(),
                                  [&](const sim::CurvePoint* point) { return point->amount >= amount; });
  return after == columns.end() ? columns.size() - 1 : static_cast<std::size_t>(after - columns.begin());
}

/// If the plot has few points, its columns are wider.
std::size_t width_of(const std::vector<const sim::CurvePoint*>& columns) {
  return std::max<std::size_t>(1, kMostColumns / columns.size());
}

std::string_view cell(double warps, double floor, double height, bool ascii) {
  static constexpr std::string_view kEighths[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const double filled = std::clamp((warps - floor) / height, 0.0, 1.0);
  if (ascii) return filled >= 0.5 ? "#" : " ";
  return kEighths[static_cast<std::size_t>(std::lround(filled * 8))];
}

std::string axis(const Curve& curve, const std::vector<const sim::CurvePoint*>& columns) {
  const std::size_t width = width_of(columns);
  const std::string first = report::grouped(columns.front()->amount);
  const std::string last = report::grouped(curve.points.back().amount);  // amount of the last column
  const std::string here = report::grouped(curve.here);
  std::string line(columns.size() * width, ' ');
  line.replace(0, first.size(), first);
  if (line.size() > last.size()) line.replace(line.size() - last.size(), last.size(), last);
  const std::size_t at = column_of(columns, curve.here) * width;
  const bool has_room = at + 1 + here.size() <= kMostColumns;
  const std::string mark =
      has_room ? fmt::format("{:{}}^{}", "", at, here) : fmt::format("{:>{}}^", here, at);
  return fmt::format("{0:{1}}{2}\n{0:{1}}{3}\n", "", kBeforePlot, line, mark);
}

}  // namespace

std::vector<Curve> curves_of(const Question& question) {
  const sim::OccupancySpec& limits = question.device.limits;
  const sim::KernelResources& kernel = question.resources;
  return {{"block_size", "threads a block", sim::curve_over_block_size(limits, kernel), kernel.block.count()},
          {"registers", "registers a thread", sim::curve_over_registers(limits, kernel),
           kernel.registers_per_thread},
          {"shared", "bytes of shared memory a block", sim::curve_over_shared(limits, kernel),
           kernel.shared_bytes()}};
}

std::string plot(const Curve& curve, std::uint32_t max_warps, bool ascii) {
  const auto columns = columns_of(curve);
  const std::size_t width = width_of(columns);
  std::string text = fmt::format("warps an SM over {}\n", curve.title);
  const double height = static_cast<double>(max_warps) / kRows;
  for (std::size_t row = kRows; row-- > 0;) {
    std::string line =
        row % 2 == 1 ? fmt::format("{:>7} ", height * static_cast<double>(row + 1)) : std::string(8, ' ');
    line += ascii ? "|" : "▏";
    for (const sim::CurvePoint* point : columns) {
      const std::string_view mark =
          cell(point->occupancy.warps_per_sm, height * static_cast<double>(row), height, ascii);
      for (std::size_t i = 0; i < width; ++i) line += mark;
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text + axis(curve, columns);
}

nlohmann::ordered_json to_object(const std::vector<Curve>& curves) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const Curve& curve : curves) {
    nlohmann::ordered_json points = nlohmann::ordered_json::array();
    for (const sim::CurvePoint& point : curve.points) {
      points.push_back({{"amount", point.amount},
                        {"blocks_per_sm", point.occupancy.blocks_per_sm},
                        {"warps_per_sm", point.occupancy.warps_per_sm},
                        {"occupancy", point.occupancy.occupancy}});
    }
    object[curve.key] = points;
  }
  return object;
}

std::string to_csv(const std::vector<Curve>& curves, const report::Provenance& provenance) {
  const report::ProvenanceCells made = report::provenance_cells(provenance);
  std::string text = fmt::format("curve,amount,blocks_per_sm,warps_per_sm,occupancy,limiters,{}\n", made.columns);
  for (const Curve& curve : curves) {
    for (const sim::CurvePoint& point : curve.points) {
      text += fmt::format("{},{},{},{},{},{},{}\n", curve.key, point.amount, point.occupancy.blocks_per_sm,
                          point.occupancy.warps_per_sm, point.occupancy.occupancy,
                          fmt::join(report::limiter_keys(point.occupancy), " "), made.row);
    }
  }
  return text;
}

}  // namespace heddle::occupancy
