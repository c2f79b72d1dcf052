// Which lines of the source the cycles of two runs differ by.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/diff/comparison.h"

namespace heddle::diff {

/// The lines of both runs. Nothing if one of the reports has none.
std::optional<LineComparison> compare_lines(const RunFile& before, const RunFile& after,
                                            const CycleChange& cycles);

}  // namespace heddle::diff
