// Files with earlier figures: JSON reports, and totals of programs.
#pragma once

#include <string>

namespace heddle::conditions {

/// The value of a figure: of the only run, or of all kernels together. Throws InputError if the file is none
/// of these, has several runs, or lacks the figure.
double figure_in_file(const std::string& path, const std::string& figure);

}  // namespace heddle::conditions
