// Generic addresses: which of them lie in shared and in local memory, are constants or parameters.
#pragma once

#include <cstdint>

namespace heddle::ir {

/// A generic address of shared or local memory has this high word; its low word is the address in that space.
/// Addresses of global memory never have it: they have fewer than 48 bits.
inline constexpr std::uint32_t kSharedWindow = 0x01000000;
inline constexpr std::uint32_t kLocalWindow = 0x02000000;
/// The same of constants and parameters: the low word is the offset in the constant bank that has them.
inline constexpr std::uint32_t kConstantWindow = 0x03000000;
inline constexpr std::uint32_t kParameterWindow = 0x04000000;

}  // namespace heddle::ir
