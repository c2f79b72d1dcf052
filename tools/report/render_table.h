// Renders tables for render_text().
#pragma once

#include <string>

#include "tools/report/render_text.h"

namespace heddle::report {

/// If the table is too wide, names lose their middle; if it is still too wide, the remaining columns follow
/// below, with the names repeated.
std::string render_table(const Table& table, const TextStyle& style);

}  // namespace heddle::report
