// The attributes of functions in sections .nv.info and .nv.info.FUNCTION: a list of numbers and records, each
// behind a byte with its format and a byte with its name. What they mean follows the names that nvdisasm
// prints.
#pragma once

#include <cstdint>

#include "isa/cubin/byte_view.h"
#include "isa/cubin/elf.h"
#include "isa/cubin/image.h"

namespace heddle::cubin {

/// Reads .nv.info: attributes of all functions, each of which names a symbol. `function_of` has, for each
/// symbol of the file, the index of its function in the image, or kNoFunction.
inline constexpr std::size_t kNoFunction = ~std::size_t{0};
void read_common_attributes(const ByteView& section, const std::vector<std::size_t>& function_of,
                            Image& image);

/// Reads .nv.info.FUNCTION.
void read_attributes(const ByteView& section, Function& function);

}  // namespace heddle::cubin
