// Sets of warps of one sub-partition.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// Bit i is the i-th warp slot.
__extension__ using WarpSet = unsigned __int128;

static_assert(kMostWarps <= 128);

/// Shifts of 128 bits take a dozen instructions, a table takes one.
inline constexpr auto kOnly = [] {
  std::array<WarpSet, kMostWarps> sets{};
  for (unsigned warp = 0; warp < kMostWarps; ++warp) sets[warp] = WarpSet{1} << warp;
  return sets;
}();

constexpr WarpSet only(unsigned warp) { return kOnly[warp]; }

constexpr bool contains(WarpSet warps, unsigned warp) { return (warps & only(warp)) != 0; }

/// The lowest warp of a set that is not empty.
constexpr unsigned lowest(WarpSet warps) {
  const auto low = static_cast<std::uint64_t>(warps);
  if (low != 0) return static_cast<unsigned>(std::countr_zero(low));
  return 64 + static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(warps >> 64)));
}

/// The highest warp of a set that is not empty.
constexpr unsigned highest(WarpSet warps) {
  const auto high = static_cast<std::uint64_t>(warps >> 64);
  if (high != 0) return 127 - static_cast<unsigned>(std::countl_zero(high));
  return 63 - static_cast<unsigned>(std::countl_zero(static_cast<std::uint64_t>(warps)));
}

/// Calls `visit(warp)` for each warp, lowest first.
template <typename Visitor>
constexpr void for_each_warp(WarpSet warps, Visitor visit) {
  for (auto low = static_cast<std::uint64_t>(warps); low != 0; low &= low - 1) {
    visit(static_cast<unsigned>(std::countr_zero(low)));
  }
  for (auto high = static_cast<std::uint64_t>(warps >> 64); high != 0; high &= high - 1) {
    visit(64 + static_cast<unsigned>(std::countr_zero(high)));
  }
}

constexpr unsigned warp_count(WarpSet warps) {
  const auto high = static_cast<std::uint64_t>(warps >> 64);
  return bit_count(static_cast<std::uint64_t>(warps)) + (high == 0 ? 0 : bit_count(high));
}

/// Those above `warp`.
constexpr WarpSet above(WarpSet warps, unsigned warp) { return warps & ~((WarpSet{2} << warp) - 1); }

}  // namespace heddle::sim
