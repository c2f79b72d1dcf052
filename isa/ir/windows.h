// Generic addresses: which of them lie in shared and in local memory.
#pragma once

#include <cstdint>

namespace heddle::ir {

/// A generic address of shared or local memory has this high word; its low word is the address in that space.
/// Addresses of global memory never have it: they have fewer than 48 bits.
inline constexpr std::uint32_t kSharedWindow = 0x01000000;
inline constexpr std::uint32_t kLocalWindow = 0x02000000;

}  // namespace heddle::ir
