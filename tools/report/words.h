// Figures as text for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/dim3.h"
#include "tools/report/summary.h"

namespace heddle::report {

std::string percent(double share);  ///< "71.2 %"; "<0.1 %" if it would round to 0 but is more.
std::string percent(const Ratio& share);
/// "71 %"; "99.6 %" if it would round to 100 but is less.
std::string whole_percent(double share);
std::string decimal(const Ratio& value, int digits);  ///< "-" if not set
std::string grouped(std::uint64_t number);            ///< "1,234,567"
std::string byte_text(std::uint64_t bytes);           ///< "512 KiB"
std::string time_text(double microseconds);           ///< "1.51 us"
std::string extents_text(const Dim3& extents);        ///< "256" or "16 x 16"

/// "1 block", "2 blocks".
std::string counted(std::uint64_t number, std::string_view thing);

/// Keys of the resources with the lowest limit: {"warps", "registers"}.
std::vector<std::string> limiter_keys(const sim::Occupancy& occupancy);
/// The resource in words: "block slots", "shared memory".
std::string resource_text(sim::Resource resource);
/// "warps, shared"
std::string limiters_text(const sim::Occupancy& occupancy);

/// A key as words: "long scoreboard".
std::string key_text(std::string_view key);

}  // namespace heddle::report
