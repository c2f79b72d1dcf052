// The NaN that a GPU has as a result, whatever NaNs went in: CUDART_NAN_F and CUDART_NAN of CUDA's
// math_constants.h.
#pragma once

#include <cstdint>

namespace heddle::exec {

inline constexpr std::uint32_t kFloatNan = 0x7fffffff;
inline constexpr std::uint64_t kDoubleNan = 0xfff8000000000000;

}  // namespace heddle::exec
