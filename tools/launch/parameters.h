// The numbers that a launch passes to its kernel and to its expressions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/launch/launch_file.h"

namespace heddle::launch {

/// The element type with the same contents as the parameter type; a pointer counts as its address.
ElementType element_type_of(ir::ParamType type);

/// Names and numbers: the values of the launch file, then those numeric parameters of the kernel that are not
/// named like a value.
std::vector<std::pair<std::string, std::string>> parameters_of(const LaunchFile& file);

}  // namespace heddle::launch
