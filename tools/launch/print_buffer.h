// Elements of a buffer as text.
#pragma once

#include <cstdint>
#include <string>

#include "tools/launch/launch_file.h"

namespace heddle::launch {

/// "y[0:4] = 1 2.5 0 7\n": the elements from `from` to before `until`, or the last one. Throws InputError if
/// there is no such buffer or if it ends before `from`.
std::string printed_elements(const LaunchFile& file, const std::string& name, std::uint64_t from,
                             std::uint64_t until);

}  // namespace heddle::launch
