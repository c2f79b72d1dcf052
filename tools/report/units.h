// The units of the figures of a run, by their names in JSON.
#pragma once

#include <string_view>

namespace heddle::report {

/// The unit of shares from 0 to 1.
inline constexpr std::string_view kFraction = "fraction";

/// "cycles", "us", "bytes", "slots", "warp cycles", "requests", "sectors", "passes", "instructions",
/// kFraction, or empty for plain numbers.
std::string_view unit_of(std::string_view figure);

}  // namespace heddle::report
