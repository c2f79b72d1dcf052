// The levels of memory by name.
#pragma once

#include <array>
#include <string_view>

#include "sim/memory/request.h"

namespace heddle::report {

/// A level's key in JSON, and its name for people.
struct MemoryLevelName {
  std::string_view key;
  std::string_view text;
};

/// In the order of sim::MemoryLevel.
inline constexpr std::array<MemoryLevelName, sim::kMemoryLevels> kMemoryLevelNames = {
    {{"l1", "L1"}, {"l2", "L2"}, {"dram", "DRAM"}}};

constexpr std::string_view level_text(sim::MemoryLevel level) {
  return kMemoryLevelNames[static_cast<std::size_t>(level)].text;
}

}  // namespace heddle::report
