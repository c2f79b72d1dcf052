// Blocks of LZ4, by which CUDA 12 packs device code (https://github.com/lz4/lz4, doc/lz4_Block_format.md).
#pragma once

#include <cstdint>
#include <string>

#include "isa/cubin/byte_view.h"

namespace heddle::image {

/// What the block holds, `bytes` of them. Throws InputError, with an offset, if it holds fewer or more, or
/// refers to what lies before its begin.
std::string unpacked_lz4(const cubin::ByteView& block, std::uint64_t bytes);

}  // namespace heddle::image
