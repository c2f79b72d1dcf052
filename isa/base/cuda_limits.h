// The limits that CUDA sets for a launch on any GPU: CUDA C++ Programming Guide, technical specifications per
// compute capability, where they are the same for all from 5.0 on.
#pragma once

#include <cstdint>

#include "isa/base/dim3.h"

namespace heddle {

inline constexpr Dim3 kLargestGrid{0x7fffffff, 65535, 65535};
inline constexpr Dim3 kLargestBlock{1024, 1024, 64};
inline constexpr std::uint32_t kMostThreadsPerBlock = 1024;
inline constexpr std::uint32_t kMostRegistersPerThread = 255;  ///< R0 to R254; the encoding of 255 is RZ.
inline constexpr std::uint32_t kMostBarriersPerBlock = 16;     ///< Named barriers.

}  // namespace heddle
