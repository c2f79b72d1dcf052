#include "tools/sample/block_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tools/sample/estimate.h"

namespace heddle::sample {

namespace {

constexpr double kLeastInterval = 0.01;
constexpr double kFull = 0.9;          // of L2's capacity: sets are not all full at once
constexpr double kStandardErrors = 2;  // half of an interval

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double relative(double value, double to) { return to > 0 ? value / to - 1 : 0; }

/// The blocks of the second run that end within as many blocks before the end of the first run, and those
/// that end within as many after it.
struct Windows {
  std::span<const BlockEvidence::Block> before;
  std::span<const BlockEvidence::Block> after;
};

Windows windows_of(const BlockPlan& plan, const BlockEvidence& evidence) {
  const std::uint64_t stretch = plan.second - plan.first;
  const std::span all(evidence.blocks);
  return {all.subspan(plan.first - stretch, stretch), all.subspan(plan.first, stretch)};
}

double mean_duration(std::span<const BlockEvidence::Block> blocks) {
  double sum = 0;
  for (const BlockEvidence::Block& block : blocks) sum += static_cast<double>(block.end - block.begin);
  return sum / static_cast<double>(blocks.size());
}

/// The cycles of the stretch before the last one, from when the blocks before it had ended.
double cycles_before(const BlockPlan& plan, const BlockEvidence& evidence) {
  const std::uint64_t stretch = plan.second - plan.first;
  const Cycle begin =
      plan.first == stretch ? evidence.blocks.front().begin : evidence.blocks[plan.first - stretch - 1].end;
  return static_cast<double>(evidence.blocks[plan.first - 1].end - begin);
}

double last_cycles(const BlockEvidence& evidence) {
  return static_cast<double>(evidence.second_cycles) - static_cast<double>(evidence.first_cycles);
}

double instructions_of_block(const BlockPlan& plan, const BlockEvidence& evidence) {
  return static_cast<double>(evidence.second_instructions - evidence.first_instructions) /
         static_cast<double>(plan.second - plan.first);
}

/// Whether L2 fills up only after the second run, though it does before the end of the launch.
bool fills_l2_later(const BlockPlan& plan, const BlockEvidence& evidence) {
  const auto capacity = static_cast<double>(evidence.l2_capacity);
  const auto first = static_cast<double>(evidence.first_l2_bytes);
  const auto second = static_cast<double>(evidence.second_l2_bytes);
  const double whole = second + static_cast<double>(plan.stretches) * (second - first);
  return whole > kFull * capacity && first < capacity;
}

}  // namespace

std::optional<BlockPlan> block_plan(std::uint64_t blocks, std::uint64_t wave, unsigned level) {
  const std::uint64_t longer = std::uint64_t{2} << level;  // waves
  const std::uint64_t waves = blocks / wave;
  // The waves after the first run are a multiple of `longer`.
  const std::uint64_t before = longer + waves % longer;
  if (before + longer > waves) return std::nullopt;
  const std::uint64_t first = blocks % wave + before * wave;
  const BlockPlan plan{first, first + longer * wave, (waves - before - longer) / longer};
  if (plan.first + plan.second > blocks / 2) return std::nullopt;
  return plan;
}

std::optional<std::string> unsteadiness(const BlockPlan& plan, const BlockEvidence& evidence) {
  if (fills_l2_later(plan, evidence)) return "L2 fills up only after these blocks";
  const double cycles = relative(last_cycles(evidence), cycles_before(plan, evidence));
  if (std::abs(cycles) > kSteady)
    return fmt::format("the cycles of a wave still change by {:.1f} %", 100 * cycles);
  const Windows windows = windows_of(plan, evidence);
  const double duration = relative(mean_duration(windows.after), mean_duration(windows.before));
  if (std::abs(duration) > kSteady)
    return fmt::format("the cycles of a block still change by {:.1f} %", 100 * duration);
  const double work =
      relative(instructions_of_block(plan, evidence),
               static_cast<double>(evidence.first_instructions) / static_cast<double>(plan.first));
  if (std::abs(work) > kSteady)
    return fmt::format("the instructions of a block still change by {:.1f} %", 100 * work);
  return std::nullopt;
}

bool is_too_short(const BlockPlan& plan, const BlockPlan& before, const BlockEvidence& evidence) {
  const double of_block = static_cast<double>(evidence.second_l2_bytes) / static_cast<double>(before.second);
  return fills_l2_later(before, evidence) &&
         of_block * static_cast<double>(plan.first) < static_cast<double>(evidence.l2_capacity);
}

namespace {

/// How far the instructions of the blocks that were not timed may be from those of the timed ones.
double difference(const BlockPlan& plan, const BlockEvidence& evidence) {
  const double timed = instructions_of_block(plan, evidence);
  const double error =
      std::sqrt(variance_of(evidence.others) / static_cast<double>(evidence.others.size())) / timed;
  return std::abs(relative(mean_of(evidence.others), timed)) + kStandardErrors * error;
}

}  // namespace

std::optional<std::string> difference_of_blocks(const BlockPlan& plan, const BlockEvidence& evidence) {
  const double found = difference(plan, evidence);
  if (found <= kSteady) return std::nullopt;
  return fmt::format("blocks differ: the instructions of later ones by up to {:.1f} %", 100 * found);
}

double half_width(const BlockPlan& plan, const BlockEvidence& evidence) {
  const double stretch = last_cycles(evidence);
  const double rest = static_cast<double>(plan.stretches) * stretch;
  const double change = std::abs(relative(stretch, cycles_before(plan, evidence)));
  const double whole = static_cast<double>(evidence.second_cycles) + rest;
  return rest * (change + difference(plan, evidence)) + kLeastInterval * whole;
}

}  // namespace heddle::sample
