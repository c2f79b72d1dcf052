// Whether the first blocks of a launch are a measure of the rest, and how far off they may be.
//
// A launch of `blocks` is run twice, each time only its first blocks: those of `first` waves and some, then
// of `second`. Both end with the same part of a wave as the whole launch, so that their last blocks end as
// its last ones do. What the second takes longer is what so many waves take in the middle, if the run is
// steady by then.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isa/base/types.h"

namespace heddle::sample {

/// The two shorter runs, in blocks.
struct BlockPlan {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::uint64_t stretches = 0;  ///< blocks = second + stretches x (second - first)
};

/// The plans for a launch, the shortest first: the second run is 2, 4, 8, ... waves longer than the first,
/// which has at least as many. Nothing at a level at which both together have more than half of the blocks.
/// `wave`: the blocks that the GPU holds at a time.
std::optional<BlockPlan> block_plan(std::uint64_t blocks, std::uint64_t wave, unsigned level);

/// What the two runs have shown.
struct BlockEvidence {
  Cycle first_cycles = 0;
  Cycle second_cycles = 0;
  /// Of the second run, ascending by `end`.
  struct Block {
    Cycle begin = 0;
    Cycle end = 0;
  };
  std::vector<Block> blocks;
  std::uint64_t first_instructions = 0;  ///< Warp instructions of the first run,
  std::uint64_t second_instructions = 0;
  /// Warp instructions of a block, on average, of each of some samples of the blocks that were not timed.
  std::vector<double> others;
  std::uint64_t first_l2_bytes = 0;   ///< Bytes that came into L2 in the first run, from DRAM or by stores,
  std::uint64_t second_l2_bytes = 0;  ///< and in the second.
  std::uint64_t l2_capacity = 0;
};

/// How much the figures before and after may differ in a steady run.
inline constexpr double kSteady = 0.03;

/// Why the runs are no measure of the rest, as a clause: "cycles of a wave still change by 12 %". Nothing if
/// they are. Looks at all but `others`.
std::optional<std::string> unsteadiness(const BlockPlan& plan, const BlockEvidence& evidence);
/// Whether a longer plan cannot be steady either, because L2 is not full by the end of its first run, by what
/// came into L2 in the runs of the plan `before`.
bool is_too_short(const BlockPlan& plan, const BlockPlan& before, const BlockEvidence& evidence);
/// Why blocks that were not timed do other work than those that were, by `others`; nothing if they do not.
std::optional<std::string> difference_of_blocks(const BlockPlan& plan, const BlockEvidence& evidence);

/// Half of the interval of the whole launch's cycles: of the part that was not run, as much as the cycles of
/// a wave changed and the instructions of blocks differ; and 1 % of the whole, since no run is as steady as
/// that.
double half_width(const BlockPlan& plan, const BlockEvidence& evidence);

}  // namespace heddle::sample
