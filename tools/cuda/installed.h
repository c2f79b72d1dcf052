// Files that are installed with the command.
#pragma once

#include <string>

namespace heddle::cuda {

/// The path of a library of Heddle's, "libheddle_cudart.a": beside the command in a build folder, or in the
/// folder of libraries where it is installed. Throws InputError if it is not there.
std::string installed_file(const std::string& name);

}  // namespace heddle::cuda
