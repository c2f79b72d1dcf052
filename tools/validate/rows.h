// The rows of a table of cases: columns with what stands in them, from the suite itself or from a CSV file.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isa/base/diagnostic.h"
#include "sim/config/yaml_document.h"
#include "tools/launch/element_type.h"

namespace heddle::validate {

/// The number that a cell's text is, if it is one.
std::optional<launch::Number> cell_number(const std::string& text);

/// Names and texts: columns of a row, or values of a case.
using Cells = std::vector<std::pair<std::string, std::string>>;

const std::string* find_cell(const Cells& cells, const std::string& name);

struct Row {
  Cells cells;
  SourceLocation where;
  std::optional<std::string> name = {};  ///< Of its case, where the row has a name of its own.
};

/// Reads `columns` and `rows`, or `csv` (a path, beside the suite) with `where` (which of its rows), of a
/// case. Of a cell of a CSV file that holds NAME=VALUE;NAME=VALUE, each becomes a column. Without either: one
/// row without columns.
std::vector<Row> read_rows(sim::YamlMap& item, const std::string& folder, Diagnostics& problems);

/// A map of columns to a text, or to a list of texts of which one must be there. Numbers are compared as
/// such. Records a problem for a column that the cells do not have.
bool matches(const Cells& cells, const sim::YamlValue& filter, Diagnostics& problems);

}  // namespace heddle::validate
