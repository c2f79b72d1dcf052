// How text comes out: whether with colours, and in how many columns.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "tools/report/render_text.h"

namespace heddle::command {

/// Of standard output: what the variable COLUMNS says, else what the terminal has, else report::kTextColumns.
std::size_t output_columns();

/// Of a report that goes to a file, or to standard output. Files look the same wherever they are written.
report::TextStyle text_style(const std::optional<std::string>& file = {}, bool ascii = false);

}  // namespace heddle::command
