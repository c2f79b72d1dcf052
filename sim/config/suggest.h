// Suggestions for mistyped names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::sim {

/// "did you mean 'ways'?" if a known name is similar enough; otherwise "known are 'a', 'b', ..." in the given
/// order.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

/// The letters and digits of a name in lower case: "h100pcie" for "H100-PCIe".
std::string letters_of(std::string_view name);

}  // namespace heddle::sim
