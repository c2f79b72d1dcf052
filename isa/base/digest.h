// A number that tells whether bytes are still what they were.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace heddle {

/// Of bytes, behind what `before` is of.
inline std::uint64_t digest_of(std::span<const std::byte> bytes, std::uint64_t before) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return (before ^ std::hash<std::string_view>{}(text)) * 0x9e3779b97f4a7c15;
}

}  // namespace heddle
