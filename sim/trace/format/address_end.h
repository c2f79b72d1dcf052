// The end of a GPU's virtual address space.
#pragma once

#include "isa/base/types.h"

namespace heddle::trace {

/// Virtual addresses have at most 57 bits (Hopper; 49 before). A larger number in a trace is not an address.
inline constexpr Addr kAddressEnd = Addr{1} << 57;

}  // namespace heddle::trace
