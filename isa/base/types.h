// Basic types that all folders share: time, addresses, lanes, ids.
#pragma once

#include <bit>
#include <cstdint>

namespace heddle {

using Cycle = std::uint64_t;  ///< SM clock cycles since the launch reached the GPU.
using Addr = std::uint64_t;   ///< Byte address in a memory space of the simulated GPU.
using Pc = std::uint32_t;     ///< Index of an instruction in its kernel (not a byte offset).

using SmId = std::uint32_t;
using BlockId = std::uint64_t;   ///< Linear block index in the grid: x fastest, then y, then z.
using WarpSlot = std::uint32_t;  ///< The slot of a resident warp on its SM, 0 to max warps - 1.

/// One bit per lane, lane 0 lowest. Wide enough for a warp of 64 (AMD-like GPUs).
using LaneMask = std::uint64_t;

inline constexpr unsigned kMaxWarpSize = 64;
inline constexpr Cycle kNever = ~Cycle{0};

/// The mask with the `lanes` lowest lanes set; `lanes` is 0 to 64.
constexpr LaneMask first_lanes(unsigned lanes) {
  return lanes >= 64 ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
}

/// Same as std::popcount, which would call a library function if the processor may lack the instruction.
constexpr unsigned bit_count(std::uint64_t bits) {
#ifdef __POPCNT__
  return static_cast<unsigned>(std::popcount(bits));
#else
  bits -= bits >> 1 & 0x5555555555555555U;
  bits = (bits & 0x3333333333333333U) + (bits >> 2 & 0x3333333333333333U);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fU;
  return static_cast<unsigned>(bits * 0x0101010101010101U >> 56);
#endif
}

constexpr unsigned lane_count(LaneMask mask) { return bit_count(mask); }

constexpr unsigned first_lane(LaneMask mask) {
  return static_cast<unsigned>(std::countr_zero(mask));
}

/// Calls `visit(lane)` for each set lane, lowest first.
template <typename Visitor>
constexpr void for_each_lane(LaneMask mask, Visitor visit) {
  for (; mask != 0; mask &= mask - 1) visit(first_lane(mask));
}

constexpr std::uint64_t divide_up(std::uint64_t amount, std::uint64_t unit) {
  return (amount + unit - 1) / unit;
}

constexpr std::uint64_t round_up(std::uint64_t amount, std::uint64_t unit) {
  return divide_up(amount, unit) * unit;
}

}  // namespace heddle
