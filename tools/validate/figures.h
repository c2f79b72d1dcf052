// Figures of microbenchmarks, as the measuring kit writes them, and what suites make of them: rows of a
// table.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/validate/rows.h"

namespace heddle::validate {

struct MeasuredFigure {
  std::string name;                                ///< "shared.load"
  std::vector<std::pair<std::string, double>> at;  ///< The point of a curve: {"bytes", 4}, {"stride", 1}.
  double value = 0;
  std::string unit;
};

/// "shared.load, bytes 4, stride 1"
std::string full_name(const MeasuredFigure& figure);

struct MeasuredFigures {
  std::vector<MeasuredFigure> list;
  Cells facts;  ///< Of the GPU that stands for the measured one; columns of each row.
};

/// A row for each figure of this name: the row's cells, the facts, the point, `measured` and `unit`. Where
/// the row has a column of the point's, only for figures with the same number there. Figures that are not
/// above 0 have no error, and so no row.
std::vector<Row> rows_of(const MeasuredFigures& figures, const std::string& name, const Row& row);

}  // namespace heddle::validate
