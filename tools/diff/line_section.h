// The lines whose cycles differ most, as a table.
#pragma once

#include "tools/diff/reports.h"

namespace heddle::diff {

/// The first lines, or with Detail::Full all that changed; the others together; and what belongs to no line.
/// Says why, if lines cannot be compared; nothing if a report has none.
void add_lines(const Comparison& comparison, Detail detail, report::Document& document);

}  // namespace heddle::diff
