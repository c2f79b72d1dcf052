// NaNs as results. Single precision has one, whatever NaNs went in. A double that is NaN comes out as it went in, made
// quiet; an invalid operation gives CUDA's CUDART_NAN. Measured on an H200: tests/validation/measured/.
#pragma once

#include <cstdint>

namespace heddle::exec {

inline constexpr std::uint32_t kFloatNan = 0x7fffffff;
inline constexpr std::uint64_t kDoubleNan = 0xfff8000000000000;
inline constexpr std::uint64_t kQuietDouble = std::uint64_t{1} << 51;

constexpr bool is_double_nan(std::uint64_t bits) { return bits << 1 > 0xffe0000000000000; }

}  // namespace heddle::exec
