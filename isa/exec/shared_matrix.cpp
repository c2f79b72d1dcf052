#include "isa/exec/shared_matrix.h"

#include <utility>

namespace heddle::exec {

namespace {

constexpr std::uint32_t kChunks[] = {1, 8, 4, 2};  // by the descriptor's swizzle

/// 14 bits in units of 16 bytes.
std::uint32_t bytes_at(std::uint64_t descriptor, unsigned bit) {
  return static_cast<std::uint32_t>(descriptor >> bit & 0x3fff) * 16;
}

}  // namespace

SharedMatrix::SharedMatrix(std::uint64_t descriptor, bool is_transposed)
    : start_(bytes_at(descriptor, 0)),
      major_step_(bytes_at(descriptor, 16)),
      minor_step_(bytes_at(descriptor, 32)),
      chunks_(kChunks[descriptor >> 62]),
      is_transposed_(is_transposed),
      has_base_offset_((descriptor >> 49 & 7) != 0) {
  // The stride goes along M or N in all layouts but the swizzled one that has these as its major dimension.
  if (is_transposed && chunks_ == 1) std::swap(major_step_, minor_step_);
}

}  // namespace heddle::exec
