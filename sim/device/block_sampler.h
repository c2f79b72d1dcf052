// Some of a grid's blocks for all of them: as soon as the grid runs in steady state, most of the rest is left
// out, and the last blocks come next.
//
//   blocks     0 ........ n                         n + k waves ........ last
//   run        ramp, steady waves                   steady waves, partial last wave, drain
//   left out                 k whole waves, each as long as the steady ones
//
// Whole waves are left out, so that the last, partial wave is as full as in the whole run, and its drain is
// measured. The estimate for all blocks is what the run took, and k times the cycles of a steady wave.
//
// The first of the last blocks are compared with those before: if they execute other numbers of instructions,
// or if their wave takes another time, what was left out runs after them, and nothing is estimated. Sources
// of error that no comparison sees: blocks in between that differ from those at both ends, and what L2 would
// hold at the end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/gpu_spec.h"
#include "sim/device/block_range.h"
#include "sim/device/steady_waves.h"
#include "sim/memory/l2_slices.h"
#include "sim/memory/memory_counters.h"
#include "sim/occupancy/occupancy.h"

namespace heddle::sim {

/// What became of a grid of which some blocks stand for all.
struct BlockSample {
  std::string why_whole;         ///< Why all blocks were run; empty if some were left out.
  std::uint64_t of_blocks = 0;   ///< Blocks of the grid.
  std::uint64_t wave = 0;        ///< Blocks that the GPU holds at a time.
  BlockRange left_out;           ///< Whole waves.
  std::size_t steady_waves = 0;  ///< From which the rate is taken.
  MeanOfValues wave_cycles;      ///< From batches of waves.
  double wave_deviation = 0;     ///< Of single waves.
  double wave_drift = 0;         ///< See SteadyWaves::drift.
  double last_wave_cycles = 0;   ///< Of a wave after what was left out.

  [[nodiscard]] bool is_whole() const { return left_out.blocks() == 0; }
  /// How many waves were left out.
  [[nodiscard]] double waves_left_out() const;
  /// What they would have taken, in cycles, and half of its 95 % interval.
  [[nodiscard]] double cycles_left_out() const;
  [[nodiscard]] double half_width() const;
};

/// Decides, from what a run shows, which blocks are left out. A grid's exchanges call it, in the order of
/// time; so the same happens in each run. One for each run.
class BlockSampler {
 public:
  /// `can_go_back`: blocks can run after blocks behind them. If not, a sample that turns out to be none has
  /// left blocks out, and the caller runs the grid again, whole.
  explicit BlockSampler(bool can_go_back = true) : can_go_back_(can_go_back) {}

  /// The grid starts.
  void begin(std::uint64_t blocks, const Occupancy& occupancy, const GpuSpec& spec);
  /// A block that ends before the next call of decide() has executed so many warp instructions.
  void add_block(BlockId block, std::uint64_t warp_instructions);
  /// A block has ended. Calls come in the order of time.
  void block_ended(Cycle at);
  /// What is to start from now on, if that is not what was to start before. `next`: the block that starts
  /// next. `counters`: the grid's, of L2 and DRAM.
  std::optional<std::vector<BlockRange>> decide(BlockId next, const MemoryCounters& counters,
                                                const L2Slices& l2);

  [[nodiscard]] const BlockSample& sample() const { return sample_; }
  /// Blocks that nobody starts, as things stand.
  [[nodiscard]] std::uint64_t left_out() const { return sample_.left_out.blocks(); }

 private:
  enum class Phase : std::uint8_t { Looking, Comparing, Done };

  void close_wave(const MemoryCounters& counters, const L2Slices& l2);
  std::optional<std::vector<BlockRange>> look(BlockId next);
  std::optional<std::vector<BlockRange>> compare(BlockId next);
  [[nodiscard]] std::string difference() const;
  std::optional<std::vector<BlockRange>> give_up(std::string why);

  bool can_go_back_;
  BlockSample sample_;
  Phase phase_ = Phase::Looking;
  WaveScale scale_;
  std::uint64_t sector_bytes_ = 0;
  std::uint64_t ended_ = 0;
  std::optional<Cycle> wave_ended_at_;  // since the last call of decide()
  std::vector<WaveEnd> ends_;
  BlockInstructions before_;  // of blocks before what is left out
  BlockInstructions last_;    // and behind it
  Cycle last_from_ = 0;  // when as many blocks had ended as start before what is left out, or fewer so far
};

}  // namespace heddle::sim
