// The appearance of text: colours and number of columns.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "tools/report/render_text.h"

namespace heddle::command {

/// Columns of standard output: the variable COLUMNS, or else the width of the terminal, or else
/// report::kTextColumns.
std::size_t output_columns();

/// The style for a report to a file or to standard output. Files look the same wherever they are written.
report::TextStyle text_style(const std::optional<std::string>& file = {}, bool ascii = false);

}  // namespace heddle::command
