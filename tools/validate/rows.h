// The rows of a table of cases: columns and their cells, from the suite itself or from a CSV file.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isa/base/diagnostic.h"
#include "sim/config/yaml_document.h"
#include "tools/launch/element_type.h"

namespace heddle::validate {

/// The value of a cell that is a number.
std::optional<launch::Number> cell_number(const std::string& text);

/// Names and texts: the columns of a row, or the values of a case.
using Cells = std::vector<std::pair<std::string, std::string>>;

const std::string* find_cell(const Cells& cells, const std::string& name);

/// A row of the table.
struct Row {
  Cells cells;
  SourceLocation where;
  std::optional<std::string> name = {};  ///< Name of its case, if the row has one.
};

/// Reads the key `columns` with `rows` of a case, or `csv` (a path relative to the suite) with `where` (a
/// filter for its rows). In a CSV file, a cell NAME=VALUE;NAME=VALUE gives a column for each name. Without
/// these keys: one row without columns.
std::vector<Row> read_rows(sim::YamlMap& item, const std::string& folder, Diagnostics& problems);

/// A map of columns to a text, or to a list of texts of which one must be there. Numbers are compared as
/// such. Records a problem for a column that the cells do not have.
bool matches(const Cells& cells, const sim::YamlValue& filter, Diagnostics& problems);

}  // namespace heddle::validate
