// Grid and block sizes as in CUDA.
#pragma once

#include <cstdint>

namespace heddle {

/// Three extents or a position within them; x runs fastest.
struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;

  friend bool operator==(const Dim3&, const Dim3&) = default;

  [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }

  /// The position with this linear index. x runs fastest.
  [[nodiscard]] Dim3 position_of(std::uint64_t linear) const {
    const std::uint64_t row = linear / x;
    return {static_cast<std::uint32_t>(linear % x), static_cast<std::uint32_t>(row % y),
            static_cast<std::uint32_t>(row / y)};
  }
};

}  // namespace heddle
