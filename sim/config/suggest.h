// What a person who mistyped a name most likely meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::sim {

/// "did you mean 'ways'?" where a known name is near enough; otherwise "known are 'a', 'b', ..." in the given
/// order.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace heddle::sim
