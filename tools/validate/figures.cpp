#include "tools/validate/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::validate {

namespace {

/// 4 instead of 4.0, which could not be used as an index or count in an expression.
std::string number_text(double value) {
  const bool is_whole = std::abs(value) < 1e15 && value == std::floor(value);
  return is_whole ? fmt::format("{}", static_cast<std::int64_t>(value)) : fmt::format("{}", value);
}

bool is_for(const MeasuredFigure& figure, const Row& row) {
  return std::all_of(figure.at.begin(), figure.at.end(), [&](const auto& coordinate) {
    const std::string* cell = find_cell(row.cells, coordinate.first);
    return cell == nullptr || *cell == number_text(coordinate.second);
  });
}

}  // namespace

std::string full_name(const MeasuredFigure& figure) {
  std::string name = figure.name;
  for (const auto& [key, value] : figure.at) name += fmt::format(", {} {}", key, number_text(value));
  return name;
}

std::vector<Row> rows_of(const MeasuredFigures& figures, const std::string& name, const Row& row) {
  std::vector<Row> rows;
  for (const MeasuredFigure& figure : figures.list) {
    if (figure.name != name || !(figure.value > 0) || !is_for(figure, row)) continue;
    Row& next = rows.emplace_back(row);
    next.name = full_name(figure);
    next.cells.insert(next.cells.end(), figures.facts.begin(), figures.facts.end());
    for (const auto& [key, value] : figure.at) {
      if (find_cell(row.cells, key) == nullptr) next.cells.emplace_back(key, number_text(value));
    }
    next.cells.emplace_back("measured", fmt::format("{}", figure.value));
    next.cells.emplace_back("unit", figure.unit);
  }
  return rows;
}

}  // namespace heddle::validate
