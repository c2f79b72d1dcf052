// What a person who mistyped a name most likely meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::sim {

/// "did you mean 'ways'?" where a known name is near enough; otherwise "known are 'a', 'b', ..." in the given
/// order.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

/// The letters and digits of a name, small: "h100pcie" of "H100-PCIe".
std::string letters_of(std::string_view name);

}  // namespace heddle::sim
