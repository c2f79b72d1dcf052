// Arrays: memory that textures and surfaces read. Rows lie behind one another, as in any other memory: where
// a GPU puts texels for its texture units is not simulated.
#pragma once

#include <cstdint>

#include "tools/cuda/runtime/copy.h"

/// What a cudaArray_t points to.
struct cudaArray {
  std::uint64_t address = 0;
  cudaChannelFormatDesc format{};
  cudaExtent extent{};  ///< In texels; 0: there is no such dimension. Layers and faces are its depth.
  unsigned flags = 0;   ///< As the program gave them.

  [[nodiscard]] std::size_t texel_bytes() const {
    return static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
  }
  [[nodiscard]] std::size_t pitch() const { return extent.width * texel_bytes(); }
  [[nodiscard]] std::size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
  [[nodiscard]] std::size_t layers() const { return extent.depth == 0 ? 1 : extent.depth; }
};

namespace heddle::cudart {

/// The rows of an array from a place on, of which x counts bytes. Throws Failure if it is no array.
Rows rows_of(const cudaArray* array, std::size_t x_bytes, std::size_t y, std::size_t z);

}  // namespace heddle::cudart
