// Whether the blocks of a grid run in steady state, and at which rate, from what has been seen of its waves.
//
// A wave is as many ends of blocks as the GPU holds blocks at a time, in the order of time. The first one is
// left out: caches are cold, and all blocks begin at once. Of the others the second half counts, so that a
// slow start is forgotten the longer a run goes on. A long wave is often followed by a short one, so they are
// put together to kFewestBatches batches or a few more (the method of batch means). Steady are waves if
//
//   - so many have ended that no more than kMostExtrapolation times as many follow from them;
//   - their blocks execute the same numbers of warp instructions, but for kMostSpread;
//   - they show no trend: the first half of them and the second differ by less than kMostTrend in cycles, or
//     by no more than what the scatter of batches explains (Welch's t test); and by less than kMostTrend of
//     what DRAM could move in the time in what it moves;
//   - their mean is known to kMostError (Student's t, 95 %);
//   - L2 is past its own start: as much as it holds has been brought in, and what is written to it
//     displaces as much that was written before, but for kMostTrend of what DRAM could move. If L2 holds all
//     that the grid will ever bring in, neither matters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/base/types.h"

namespace heddle::sim {

/// Greatest standard deviation of the warp instructions of blocks, of their mean.
inline constexpr double kMostSpread = 0.05;
inline constexpr double kMostTrend = 0.01;
inline constexpr double kMostError = 0.03;
inline constexpr std::size_t kFewestBatches = 6;
/// Fewer waves are not looked at.
inline constexpr std::size_t kLeastWaves = 4;
/// No more waves than so many times those that have ended follow from them: rates drift for long, as SMs lose
/// step with each other.
inline constexpr double kMostExtrapolation = 16;

/// What a run of values says of the one that it scatters around.
struct MeanOfValues {
  double mean = 0;
  double deviation = 0;   ///< Standard deviation, with n - 1 below the line.
  double half_width = 0;  ///< Of the mean's interval, by Student's t, 95 %.
};
MeanOfValues mean_of(const std::vector<double>& values);

/// The warp instructions of blocks.
struct BlockInstructions {
  std::uint64_t blocks = 0;
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t most = 0;
  double sum = 0;
  double sum_of_squares = 0;

  void add(std::uint64_t instructions);
  [[nodiscard]] double mean() const { return sum / static_cast<double>(blocks); }
  /// Standard deviation / mean.
  [[nodiscard]] double spread() const;
};

/// What had happened when a wave ended.
struct WaveEnd {
  Cycle at = 0;
  std::uint64_t l2_sectors = 0;   ///< Brought into L2: read from DRAM or written by SMs.
  std::uint64_t dirty_bytes = 0;  ///< In L2: DRAM does not have them yet.
  std::uint64_t dram_bytes = 0;
};

/// What is asked of the GPU and the grid to judge its waves.
struct WaveScale {
  double waves = 0;                 ///< Of the whole grid.
  double l2_sectors = 0;            ///< That L2 holds.
  double dram_bytes_per_cycle = 0;  ///< That DRAM moves at best.
};

/// The judgement.
struct SteadyWaves {
  bool are_steady = false;
  std::size_t waves = 0;      ///< How many were looked at.
  MeanOfValues cycles;        ///< Of a wave, from batches of them.
  double wave_deviation = 0;  ///< The standard deviation of single waves.
  double drift = 0;           ///< By how many cycles the halves of the waves that were looked at differ.
  std::string why_not;        ///< "cycles of waves show a trend ...", if they are not steady.
};

/// `ends`: of all waves so far.
SteadyWaves judge_waves(const std::vector<WaveEnd>& ends, const WaveScale& scale);

}  // namespace heddle::sim
