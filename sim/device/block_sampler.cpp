#include "sim/device/block_sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heddle::sim {

namespace {

/// So many waves at least are left out; fewer are not worth an estimate.
constexpr std::uint64_t kLeastLeftOut = 2;
/// The last blocks are more than so many waves: when one of them has ended, some of them have not started.
constexpr std::uint64_t kLastWaves = 2;
/// How much the last blocks may differ from those before: in warp instructions, and in the cycles of a wave.
constexpr double kMostInstructionChange = 0.05;
constexpr double kMostCycleChange = 0.05;
/// So many standard deviations of a wave are no change.
constexpr double kDeviations = 2.5;

std::uint64_t sectors_into_l2(const MemoryCounters& counters) {
  return counters.l2_load_sectors - counters.l2_load_hit_sectors + counters.l2_store_sectors +
         counters.l2_atomic_sectors - counters.l2_atomic_hit_sectors;
}

double change(double from, double to) { return std::abs(to - from) / from; }

}  // namespace

// -- the estimate -------------------------------------------------------------------------------------------

double BlockSample::waves_left_out() const {
  return is_whole() ? 0 : static_cast<double>(left_out.blocks()) / static_cast<double>(wave);
}

double BlockSample::cycles_left_out() const { return waves_left_out() * wave_cycles.mean; }

/// The waves that were left out scatter themselves, and around a mean that is known from some waves. If the
/// rate goes steadily from that of the first waves to that of the last one, their mean lies half between. What
/// differed between the halves of the waves that were looked at may differ once more. All are independent.
double BlockSample::half_width() const {
  const double waves = waves_left_out();
  const double scatter =
      wave_cycles.half_width * std::sqrt(waves * (waves + static_cast<double>(steady_waves)));
  return std::hypot(scatter, waves * (last_wave_cycles - wave_cycles.mean) / 2, waves * wave_drift);
}

// -- what happens -------------------------------------------------------------------------------------------

void BlockSampler::begin(std::uint64_t blocks, const Occupancy& occupancy, const GpuSpec& spec) {
  sample_ = {};
  sample_.of_blocks = blocks;
  sample_.wave = std::uint64_t{occupancy.blocks_per_sm} * spec.sms;
  scale_.waves = static_cast<double>(blocks) / static_cast<double>(sample_.wave);
  scale_.l2_sectors = spec.l2.enabled ? static_cast<double>(spec.l2.bytes) / spec.l1.sector_bytes : 0;
  sector_bytes_ = spec.l1.sector_bytes;
  scale_.dram_bytes_per_cycle = spec.dram.bandwidth_gbps * 1e3 / spec.clock_mhz;
  const std::uint64_t fewest = kLeastWaves + 2 + kLeastLeftOut + kLastWaves + 1;
  if (blocks >= fewest * sample_.wave) return;
  give_up(fmt::format("it has {:.1f} waves of blocks, fewer than {}", scale_.waves, fewest));
}

void BlockSampler::add_block(BlockId block, std::uint64_t warp_instructions) {
  if (phase_ == Phase::Looking) {
    before_.add(warp_instructions);
  } else if (block >= sample_.left_out.until) {
    last_.add(warp_instructions);
  }
}

void BlockSampler::block_ended(Cycle at) {
  ++ended_;
  if (ended_ % sample_.wave == 0) wave_ended_at_ = at;
  if (sample_.is_whole()) {
    last_from_ = at;  // if no block of those before is left, the last ones begin here
    return;
  }
  // The last blocks' rate: of a wave, and of two if that many end before the last one, which drains.
  const std::uint64_t from = sample_.left_out.from;
  if (ended_ <= from) last_from_ = at;
  const std::uint64_t last = sample_.of_blocks - sample_.left_out.until;
  if (ended_ <= from || ended_ > from + last - sample_.wave || (ended_ - from) % sample_.wave != 0) return;
  sample_.last_wave_cycles = static_cast<double>(at - last_from_) * static_cast<double>(sample_.wave) /
                             static_cast<double>(ended_ - from);
}

std::optional<std::vector<BlockRange>> BlockSampler::decide(BlockId next, const MemoryCounters& counters,
                                                            const L2Slices& l2) {
  if (phase_ == Phase::Comparing && ended_ >= sample_.left_out.from + sample_.wave) return compare(next);
  if (phase_ == Phase::Looking && wave_ended_at_) {
    close_wave(counters, l2);
    return look(next);
  }
  return std::nullopt;
}

// -- what is decided ----------------------------------------------------------------------------------------

std::optional<std::vector<BlockRange>> BlockSampler::give_up(std::string why) {
  sample_.why_whole = std::move(why);
  phase_ = Phase::Done;
  return std::nullopt;
}

void BlockSampler::close_wave(const MemoryCounters& counters, const L2Slices& l2) {
  WaveEnd end;
  end.at = *std::exchange(wave_ended_at_, std::nullopt);
  end.l2_sectors = sectors_into_l2(counters);
  for (const TagArray& slice : l2.tags()) end.dirty_bytes += slice.dirty_sectors() * sector_bytes_;
  end.dram_bytes = counters.dram_read_bytes + counters.dram_write_bytes;
  ends_.push_back(end);
}

/// A wave has ended.
std::optional<std::vector<BlockRange>> BlockSampler::look(BlockId next) {
  if (ends_.size() <= kLeastWaves) return std::nullopt;
  if (before_.spread() > kMostSpread) {
    return give_up(
        fmt::format("blocks execute from {} to {} warp instructions", before_.least, before_.most));
  }
  const SteadyWaves judged = judge_waves(ends_, scale_);
  const std::uint64_t rest = sample_.of_blocks - next;
  // As few last blocks as there may be, with whole waves before them.
  const std::uint64_t partial = rest % sample_.wave;
  const std::uint64_t last = kLastWaves * sample_.wave + (partial == 0 ? sample_.wave : partial);
  if (rest < last + kLeastLeftOut * sample_.wave)
    return give_up(judged.are_steady ? "waves became steady when few were left" : judged.why_not);
  if (!judged.are_steady) return std::nullopt;
  sample_.left_out = {next, next + rest - last};
  sample_.steady_waves = judged.waves;
  sample_.wave_cycles = judged.cycles;
  sample_.wave_deviation = judged.wave_deviation;
  sample_.wave_drift = judged.drift;
  phase_ = Phase::Comparing;
  return std::vector{BlockRange{sample_.left_out.until, sample_.of_blocks}};
}

/// The first of the last blocks have ended.
std::optional<std::vector<BlockRange>> BlockSampler::compare(BlockId next) {
  phase_ = Phase::Done;
  sample_.why_whole = difference();
  if (sample_.why_whole.empty() || !can_go_back_) return std::nullopt;
  const BlockRange left_out = std::exchange(sample_.left_out, BlockRange());
  return std::vector{BlockRange{next, sample_.of_blocks}, left_out};
}

/// Empty if the last blocks are like those before.
std::string BlockSampler::difference() const {
  if (change(before_.mean(), last_.mean()) > kMostInstructionChange) {
    return fmt::format("the last blocks execute {:.0f} warp instructions, those before {:.0f}", last_.mean(),
                       before_.mean());
  }
  const MeanOfValues& cycles = sample_.wave_cycles;
  const auto waves = static_cast<double>(sample_.steady_waves);
  const double by_scatter = kDeviations * sample_.wave_deviation * std::sqrt(1 + 1 / waves);
  const double least = kMostCycleChange * cycles.mean;
  if (std::abs(sample_.last_wave_cycles - cycles.mean) <= std::max(by_scatter, least)) return {};
  return fmt::format("the last blocks take {:.0f} cycles a wave, those before {:.0f}",
                     sample_.last_wave_cycles, cycles.mean);
}

}  // namespace heddle::sim
