#include "sim/device/steady_waves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "isa/base/student_t.h"

namespace heddle::sim {

namespace {

/// What happened in each of the last `count` batches of so many waves, for a wave.
template <typename Value>
std::vector<double> in_batches(const std::vector<WaveEnd>& ends, std::size_t count, std::size_t waves,
                               Value value) {
  std::vector<double> values;
  for (std::size_t end = ends.size() - 1 - count * waves; values.size() < count; end += waves) {
    const double sum = static_cast<double>(value(ends[end + waves])) - static_cast<double>(value(ends[end]));
    values.push_back(sum / static_cast<double>(waves));
  }
  return values;
}

/// How far the means of the two halves lie apart, and how far scatter alone may move them (Welch's test).
struct Trend {
  double difference = 0;
  double by_scatter = 0;
};

Trend trend_of(const std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  const MeanOfValues before = mean_of({values.begin(), middle});
  const MeanOfValues after = mean_of({middle, values.end()});
  SumInterval interval;
  const auto add = [&interval](const MeanOfValues& half, std::ptrdiff_t values_of_half) {
    const auto count = static_cast<double>(values_of_half);
    interval.add(half.deviation * half.deviation / count, count - 1);
  };
  add(before, middle - values.begin());
  add(after, values.end() - middle);
  return {std::abs(after.mean - before.mean), interval.half_width()};
}

/// Of what DRAM could move in the time of a wave.
double share_of_dram(double bytes, double cycles, const WaveScale& scale) {
  return bytes / (scale.dram_bytes_per_cycle * std::max(cycles, 1.0));
}

}  // namespace

MeanOfValues mean_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  MeanOfValues result;
  result.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  if (values.size() < 2) return result;
  double sum = 0;
  for (const double value : values) sum += (value - result.mean) * (value - result.mean);
  result.deviation = std::sqrt(sum / (count - 1));
  result.half_width = student_t(count - 1) * result.deviation / std::sqrt(count);
  return result;
}

void BlockInstructions::add(std::uint64_t instructions) {
  ++blocks;
  least = std::min(least, instructions);
  most = std::max(most, instructions);
  const auto value = static_cast<double>(instructions);
  sum += value;
  sum_of_squares += value * value;
}

double BlockInstructions::spread() const {
  if (blocks < 2) return 0;
  const auto count = static_cast<double>(blocks);
  const double variance = std::max(0.0, (sum_of_squares - sum * sum / count) / (count - 1));
  return std::sqrt(variance) / mean();
}

SteadyWaves judge_waves(const std::vector<WaveEnd>& ends, const WaveScale& scale) {
  SteadyWaves result;
  const std::size_t after_first = ends.empty() ? 0 : ends.size() - 1;
  if (after_first < kLeastWaves || static_cast<double>(after_first) * kMostExtrapolation < scale.waves) {
    result.why_not = "too few waves have ended";
    return result;
  }
  const std::size_t half = std::max(kLeastWaves, divide_up(after_first, 2));
  const std::size_t in_batch = std::max(half / kFewestBatches, std::size_t{1});
  const std::size_t batches = half / in_batch;
  result.waves = batches * in_batch;
  const auto at = [](const WaveEnd& end) { return end.at; };
  const std::vector<double> cycles = in_batches(ends, batches, in_batch, at);
  const std::vector<double> bytes =
      in_batches(ends, batches, in_batch, [](const WaveEnd& end) { return end.dram_bytes; });
  const std::vector<double> sectors =
      in_batches(ends, batches, in_batch, [](const WaveEnd& end) { return end.l2_sectors; });
  const std::vector<double> dirty =
      in_batches(ends, batches, in_batch, [](const WaveEnd& end) { return end.dirty_bytes; });
  result.cycles = mean_of(cycles);
  result.wave_deviation = mean_of(in_batches(ends, result.waves, 1, at)).deviation;
  const double mean = result.cycles.mean;
  const Trend trend = trend_of(cycles);
  result.drift = trend.difference;
  const double bytes_change = share_of_dram(trend_of(bytes).difference, mean, scale);
  const double more_dirty = share_of_dram(mean_of(dirty).mean, mean, scale);
  if (result.cycles.half_width > kMostError * mean) {
    result.why_not = fmt::format("cycles of waves scatter by {:.1f} %", 100 * result.wave_deviation / mean);
  } else if (trend.difference > kMostTrend * mean && trend.difference > trend.by_scatter) {
    result.why_not = fmt::format("cycles of waves change by {:.1f} %", 100 * trend.difference / mean);
  } else if (bytes_change > kMostTrend) {
    result.why_not = fmt::format("DRAM traffic of waves changes by {:.1f} % of its peak", 100 * bytes_change);
  } else if (mean_of(sectors).mean * scale.waves <= scale.l2_sectors) {
    // L2 holds all that will ever come.
  } else if (static_cast<double>(ends.back().l2_sectors) < scale.l2_sectors) {
    result.why_not = "L2 still held data from before the launch";
  } else if (more_dirty > kMostTrend) {
    result.why_not = "L2 wrote less to DRAM than was written to it";
  }
  result.are_steady = result.why_not.empty();
  return result;
}

}  // namespace heddle::sim
