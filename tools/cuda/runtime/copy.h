// Copies and fills: rows of bytes, in the order of a stream, over the link that they take.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tools/cuda/runtime/gpu.h"

namespace heddle::cudart {

/// One side of a copy: rows lie `pitch` bytes apart, slices of rows `slice` bytes.
struct Rows {
  std::byte* first = nullptr;
  std::size_t pitch = 0;
  std::size_t slice = 0;
};

/// What is copied.
struct CopyRequest {
  Rows to;
  Rows from;
  std::size_t width = 0;  ///< Bytes of a row.
  std::size_t height = 1;
  std::size_t depth = 1;
  cudaMemcpyKind kind = cudaMemcpyDefault;
  cudaStream_t stream = nullptr;
  bool is_async = false;  ///< The host goes on at once, if its memory is pinned.
};

/// Throws Failure if a range of device memory is none, or not that of the kind.
void copy(Gpu& gpu, const CopyRequest& request);

/// Fills rows with the byte, in the order of the stream.
void fill(Gpu& gpu, const CopyRequest& request, int value);

}  // namespace heddle::cudart
