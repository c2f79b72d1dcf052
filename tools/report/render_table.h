// A table as text: its part of render_text().
#pragma once

#include <string>

#include "tools/report/render_text.h"

namespace heddle::report {

/// Where it is too wide, names lose their middle; then it goes on below, with the names at the left again.
std::string render_table(const Table& table, const TextStyle& style);

}  // namespace heddle::report
