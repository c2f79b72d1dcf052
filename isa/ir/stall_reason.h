// The vocabulary of stalls, made from stall_reasons.def.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace heddle::ir {

/// Why a resident warp did not issue in a cycle, by the names of Nsight Compute. It has one reason in each
/// such cycle.
enum class StallReason : std::uint8_t {
#define STALL_REASON(name, ...) name,
#include "isa/ir/stall_reasons.def"
#undef STALL_REASON
  kCount
};

inline constexpr std::size_t kStallReasons = static_cast<std::size_t>(StallReason::kCount);

/// A row of stall_reasons.def.
struct StallReasonInfo {
  std::string_view key;      ///< Nsight Compute's name.
  char letter;               ///< In timelines.
  std::string_view summary;  ///< Completes "the warp waits for ...".
};

inline constexpr std::array<StallReasonInfo, kStallReasons> kStallReasonTable = {{
#define STALL_REASON(name, key, letter, summary) {key, letter, summary},
#include "isa/ir/stall_reasons.def"
#undef STALL_REASON
}};

constexpr const StallReasonInfo& info(StallReason reason) {
  return kStallReasonTable[static_cast<std::size_t>(reason)];
}

}  // namespace heddle::ir
