// The mechanisms by which the lanes of a warp part and meet again, and their names.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::ir {

/// The mechanism of a GPU: a choice in its file (`divergence`) that lasts for a whole run.
enum class Divergence : std::uint8_t {
  Stack,     ///< isa/exec/simt_stack.h
  Barriers,  ///< isa/exec/convergence_barriers.h
};

/// What a mechanism is called.
struct DivergenceInfo {
  Divergence mechanism;
  std::string_view key;   ///< In GPU files and on the command line.
  std::string_view name;  ///< In reports.
};

inline constexpr DivergenceInfo kDivergences[] = {
    {Divergence::Stack, "stack", "SIMT stack"},
    {Divergence::Barriers, "barrier", "convergence barriers"},
};

/// Null if no mechanism has that key.
constexpr const DivergenceInfo* find_divergence(std::string_view key) {
  for (const DivergenceInfo& each : kDivergences) {
    if (each.key == key) return &each;
  }
  return nullptr;
}

}  // namespace heddle::ir
