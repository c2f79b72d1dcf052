// Words of input as messages show them.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

/// Text in quotes, with unprintable bytes escaped and cut when it is long.
std::string quoted(std::string_view text);

}  // namespace heddle
