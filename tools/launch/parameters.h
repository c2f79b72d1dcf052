// What a launch hands to its kernel, and its expressions are made of.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/launch/launch_file.h"

namespace heddle::launch {

/// The elements of a buffer that hold what the parameter holds; a pointer is its address.
ElementType element_type_of(ir::ParamType type);

/// Names and numbers: the values of the launch file, then the kernel's parameters that are numbers and have
/// no value's name.
std::vector<std::pair<std::string, std::string>> parameters_of(const LaunchFile& file);

}  // namespace heddle::launch
