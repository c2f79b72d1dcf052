// A tensor map: what a copy of a tile is told of a tensor in global memory.
//
// CUDA's cuTensorMapEncodeTiled() makes the 128 bytes of a CUtensorMap, and does not say what they mean. Those that this
// makes are Heddle's own: a number that tells them from others, the fields, and a checksum, by which a map is refused that a
// kernel has changed. What a map can say follows CUDA's driver API, section on tensor map objects.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "isa/base/types.h"
#include "isa/exec/bulk_reduction.h"

namespace heddle::exec {

/// A tensor of up to 5 dimensions, and the tiles that are copied of it. The first dimension is the one along which elements
/// lie side by side.
struct TensorMap {
  static constexpr unsigned kMostDimensions = 5;
  static constexpr std::size_t kBytes = 128;

  BulkElement element = BulkElement::U8;
  unsigned rank = 1;
  Addr address = 0;
  std::array<std::uint64_t, kMostDimensions> sizes{};        ///< In elements.
  std::array<std::uint64_t, kMostDimensions - 1> strides{};  ///< Bytes to the next one of the second dimension and so on.
  std::array<std::uint32_t, kMostDimensions> box{};          ///< Elements of the tensor that a tile goes across.
  std::array<std::uint32_t, kMostDimensions> steps{};  ///< Of so many it takes one; along the first dimension, each.
  /// In shared memory, chunks of 16 bytes change places within as many bytes of a line; 0: they do not, else 32, 64 or 128.
  std::uint32_t swizzle = 0;

  /// Elements of a tile along a dimension.
  [[nodiscard]] std::uint32_t tile_size(unsigned dimension) const {
    const std::uint32_t step = dimension == 0 ? 1 : steps[dimension];
    return (box[dimension] + step - 1) / step;
  }
  /// What a tile takes in shared memory.
  [[nodiscard]] std::uint64_t tile_bytes() const;

  friend bool operator==(const TensorMap&, const TensorMap&) = default;
};

std::array<std::byte, TensorMap::kBytes> encoded(const TensorMap& map);

/// Nothing if these bytes are no map that encoded() has made.
std::optional<TensorMap> decode_tensor_map(std::span<const std::byte> bytes);

}  // namespace heddle::exec
