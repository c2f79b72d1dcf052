// Groups the launches of a list by what they are, as far as that is known without running them. Launches of a
// group are expected to take about the same time, so that some of them can stand for all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "isa/base/dim3.h"

namespace heddle::sample {

/// What is known of a launch before it runs.
struct LaunchTraits {
  std::string kernel;
  Dim3 grid;
  Dim3 block;
  std::uint32_t registers = 0;     ///< Of a thread.
  std::uint32_t shared_bytes = 0;  ///< Of a block, in bytes.
  std::uint64_t warp_instructions = 0;
  bool finds_empty_l2 = false;  ///< L2 is emptied right before it.
};

/// Launches in the order in which a group is cut into parts, as positions in the list.
using LaunchGroup = std::vector<std::size_t>;

/// So many launches that are alike in all traits are a group of their own, in the order of the list.
inline constexpr std::size_t kEnoughAlike = 5;
/// The others are put together by kernel, block, registers, shared memory and L2, in the order of their
/// instructions; in such a group the most instructions, or blocks, are at most so many times the least.
inline constexpr double kGreatestSpread = 1.1;

/// The groups, in the order of their first launches. Each launch is in one of them.
std::vector<LaunchGroup> group_launches(std::span<const LaunchTraits> launches);

}  // namespace heddle::sample
