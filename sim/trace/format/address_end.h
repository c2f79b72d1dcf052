// Where the addresses of a GPU end.
#pragma once

#include "isa/base/types.h"

namespace heddle::trace {

/// Virtual addresses have at most 57 bits (Hopper; 49 before). What a trace has above is no address.
inline constexpr Addr kAddressEnd = Addr{1} << 57;

}  // namespace heddle::trace
