// Figures of microbenchmarks in the files of the measuring kit, and the table rows that suites make of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/validate/rows.h"

namespace heddle::validate {

/// A measured figure.
struct MeasuredFigure {
  std::string name;                                ///< "shared.load"
  std::vector<std::pair<std::string, double>> at;  ///< Position on a curve: {"bytes", 4}, {"stride", 1}.
  double value = 0;
  std::string unit;
};

/// "shared.load, bytes 4, stride 1"
std::string full_name(const MeasuredFigure& figure);

/// All figures of a file, for one GPU.
struct MeasuredFigures {
  std::vector<MeasuredFigure> list;
  Cells facts;  ///< Facts about the GPU that stands for the measured one; each row gets them as columns.
};

/// One row for each figure of this name. It has the cells of `row`, the facts, the position, `measured` and
/// `unit`. If `row` has a column with the name of a coordinate, only figures with the same number there are
/// included. Figures that are not above 0 have no relative error and are left out.
std::vector<Row> rows_of(const MeasuredFigures& figures, const std::string& name, const Row& row);

}  // namespace heddle::validate
