// Sets of warps of one sub-partition, and of the groups that they lie in.
//
// The sub-partitions of GPUs have 8 to 32 warps, and a word holds them with room to spare. Those who explain
// latency hiding want to see more than a hundred: for them there are sets twice as wide, and whoever holds
// sets is a template of their type.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"

namespace heddle::sim {

/// Bit i is the i-th warp slot.
using WarpSet = std::uint64_t;
__extension__ using WideWarpSet = unsigned __int128;

/// How many warps a set can hold.
template <typename Set>
inline constexpr unsigned kSetSize = 8 * sizeof(Set);

static_assert(kMostWarps <= kSetSize<WideWarpSet>);

/// Shifts of 128 bits take a dozen instructions, a table takes one.
inline constexpr auto kOnlyWide = [] {
  std::array<WideWarpSet, kMostWarps> sets{};
  for (unsigned warp = 0; warp < kMostWarps; ++warp) sets[warp] = WideWarpSet{1} << warp;
  return sets;
}();

template <typename Set>
constexpr Set only(unsigned warp) {
  if constexpr (std::is_same_v<Set, WideWarpSet>)
    return kOnlyWide[warp];
  else
    return Set{1} << warp;
}

template <typename Set>
constexpr bool contains(Set warps, unsigned warp) {
  return (warps & only<Set>(warp)) != 0;
}

/// The lowest warp of a set that is not empty.
constexpr unsigned lowest(WarpSet warps) { return static_cast<unsigned>(std::countr_zero(warps)); }
constexpr unsigned lowest(WideWarpSet warps) {
  const auto low = static_cast<WarpSet>(warps);
  return low != 0 ? lowest(low) : 64 + lowest(static_cast<WarpSet>(warps >> 64));
}

/// The highest warp of a set that is not empty.
constexpr unsigned highest(WarpSet warps) { return 63 - static_cast<unsigned>(std::countl_zero(warps)); }
constexpr unsigned highest(WideWarpSet warps) {
  const auto high = static_cast<WarpSet>(warps >> 64);
  return high != 0 ? 64 + highest(high) : highest(static_cast<WarpSet>(warps));
}

/// Bit i is the i-th group of timing classes that are held up together; see SubPartition.
using GroupSet = std::uint32_t;

/// Calls `visit(group)` for each group, lowest first.
template <typename Visitor>
constexpr void for_each_group(GroupSet groups, Visitor visit) {
  for (; groups != 0; groups &= groups - 1) visit(static_cast<unsigned>(std::countr_zero(groups)));
}

/// Calls `visit(warp)` for each warp, lowest first.
template <typename Set, typename Visitor>
constexpr void for_each_warp(Set warps, Visitor visit) {
  for (; warps != 0; warps &= warps - 1) visit(lowest(warps));
}

constexpr unsigned warp_count(WarpSet warps) { return bit_count(warps); }
constexpr unsigned warp_count(WideWarpSet warps) {
  return bit_count(static_cast<WarpSet>(warps)) + bit_count(static_cast<WarpSet>(warps >> 64));
}

/// The warps of the set above `warp`.
template <typename Set>
constexpr Set above(Set warps, unsigned warp) {
  return warps & ~((Set{2} << warp) - 1);
}

}  // namespace heddle::sim
