// Copies and fills: rows of bytes, in the order of a stream, over the link that they take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

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
  std::shared_ptr<const std::vector<std::byte>> staged =
      nullptr;  ///< What `from` leads into, if not to the program's.
};

/// Bytes behind one another.
CopyRequest line(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
/// Memory with this pitch, in slices of so many rows.
Rows rows_of(const void* first, std::size_t pitch, std::size_t height = 0);
/// What cudaMemcpy3D copies.
CopyRequest box(const cudaMemcpy3DParms& asked);
/// What a node of a graph fills.
CopyRequest rows_to_fill(const cudaMemsetParams& asked);

/// Gives the copy to its stream. Throws Failure if a range of device memory is none, or not that of the kind.
void copy(Gpu& gpu, const CopyRequest& request);
/// Fills rows with the low bytes of the value, so many for each element, likewise.
void fill(Gpu& gpu, const CopyRequest& request, unsigned value, unsigned element_bytes = 1);

/// The same as nodes of graphs do it.
void submit_copy(Gpu& gpu, CopyRequest request, cudaStream_t stream);
void submit_fill(Gpu& gpu, CopyRequest request, unsigned value, unsigned element_bytes, cudaStream_t stream);

}  // namespace heddle::cudart
