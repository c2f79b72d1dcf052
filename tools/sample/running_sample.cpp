#include "tools/sample/running_sample.h"

#include <algorithm>
#include <cmath>

#include "isa/base/student_t.h"
#include "tools/sample/estimate.h"

namespace heddle::sample {

namespace {

/// The first launches of a group, which are all timed.
constexpr std::uint64_t kFirstLaunches = 5;
/// Grids whose blocks differ by less than this factor are about as large.
constexpr double kGridStep = 2;
/// A stretch ends where there have been so many times the launches at its beginning: if the estimate is sure
/// to 2 % of the whole, and if it is not.
constexpr double kLongStretch = 2;
constexpr double kShortStretch = 1.1;
constexpr double kSure = 0.02;
/// A launch of a group may not come again: others are timed for it no longer than this.
constexpr unsigned kMostPatience = 64;
/// Standard deviations that scatter may make.
constexpr double kDeviations = 2;

const std::vector<TimedWork>& counted(const std::vector<TimedWork>& behind,
                                      const std::vector<TimedWork>& alone) {
  return behind.empty() ? alone : behind;
}

std::vector<double> cycles_of(const std::vector<TimedWork>& timed) {
  std::vector<double> cycles(timed.size());
  std::ranges::transform(timed, cycles.begin(), &TimedWork::cycles);
  return cycles;
}

double mean_cycles(const std::vector<TimedWork>& timed) { return mean_of(cycles_of(timed)); }

/// How much more or less a launch takes that finds in L2 what one long before left there, beyond what scatter
/// explains.
double l2_effect(const std::vector<TimedWork>& behind, const std::vector<TimedWork>& alone) {
  const double of_means = 1 / static_cast<double>(behind.size()) + 1 / static_cast<double>(alone.size());
  const double by_scatter = kDeviations * std::sqrt(variance_of(cycles_of(behind)) * of_means);
  return std::max(0.0, std::abs(mean_cycles(alone) - mean_cycles(behind)) - by_scatter);
}

}  // namespace

ProgramEstimate& ProgramEstimate::operator+=(const ProgramEstimate& more) {
  launches += more.launches;
  timed += more.timed;
  cycles += more.cycles;
  half_width = std::hypot(half_width, more.half_width);
  return *this;
}

bool RunningSample::begin(const LaunchTraits& traits, bool has_to) {
  const int size = static_cast<int>(std::log(static_cast<double>(traits.grid.count())) / std::log(kGridStep));
  const Key key{traits.kernel, traits.block.x, traits.block.y, traits.block.z, traits.shared_bytes, size};
  const auto [found, is_new] = numbers_.try_emplace(key, static_cast<std::uint32_t>(groups_.size()));
  const std::uint32_t number = found->second;
  if (is_new) groups_.emplace_back();
  Group& group = groups_[number];

  const bool is_drawn = group.launches >= kFirstLaunches && group.launches == group.next_drawn;
  bool is_timed = has_to || group.launches < kFirstLaunches || is_drawn || awaited_.has_value();
  launches_.push_back({number, group.launches == 0, was_timed_ || launches_.empty()});
  if (awaited_ == number || (awaited_ && --patience_ == 0)) awaited_.reset();
  if (is_drawn && !was_timed_) {
    awaited_ = number;  // timed again with what the others leave in L2
    patience_ = kMostPatience;
  }
  ++group.launches;
  if (is_timed && group.launches >= kFirstLaunches) draw(group);
  return was_timed_ = is_timed;
}

/// Which of the next stretch.
void RunningSample::draw(Group& group) {
  const auto launches = static_cast<double>(group.launches);
  const auto most = static_cast<std::uint64_t>(std::ceil(launches * (stretch_of(group) - 1)));
  group.next_drawn = group.launches + std::uniform_int_distribution<std::uint64_t>(0, most)(random_);
}

double RunningSample::stretch_of(const Group& group) const {
  if (group.behind.size() < 2) return kLongStretch;
  const Prediction rest = predict(group.behind, group.untimed);
  SumInterval interval;
  interval.add(rest.variance, rest.degrees_of_freedom);
  return interval.half_width() > kSure * estimate().cycles ? kShortStretch : kLongStretch;
}

void RunningSample::add_timed(std::size_t launch, Cycle cycles, std::uint64_t warp_instructions) {
  const Launch& of = launches_.at(launch);
  Group& group = groups_[of.group];
  ++group.timed_launches;
  const TimedWork work{static_cast<double>(warp_instructions), static_cast<double>(cycles)};
  if (of.is_first) {
    group.own_cycles = work.cycles;
  } else {
    (of.is_behind ? group.behind : group.alone).push_back(work);
  }
}

void RunningSample::add_executed(std::size_t launch, std::uint64_t warp_instructions) {
  UntimedWork& untimed = groups_[launches_.at(launch).group].untimed;
  ++untimed.launches;
  untimed.warp_instructions += static_cast<double>(warp_instructions);
}

Cycle RunningSample::expected(std::size_t launch) const {
  const Group& group = groups_[launches_.at(launch).group];
  const std::vector<TimedWork>& timed = counted(group.behind, group.alone);
  return static_cast<Cycle>(std::llround(timed.empty() ? group.own_cycles : mean_cycles(timed)));
}

namespace {

/// What a group's launches took beside the first one.
struct GroupEstimate {
  double cycles = 0;
  Prediction rest;  // of those that do not stand for themselves
  double l2 = 0;    // how much more or less the rest would take if it found in L2 what `alone` found
};

/// Launches that were timed alone stand for nobody, themselves included, if others were timed behind their
/// predecessors.
GroupEstimate estimate_of_group(const std::vector<TimedWork>& behind, const std::vector<TimedWork>& alone,
                                UntimedWork others) {
  const std::vector<TimedWork>& timed = counted(behind, alone);
  if (timed.empty()) return {};
  GroupEstimate estimate;
  estimate.cycles = mean_cycles(timed) * static_cast<double>(timed.size());
  if (!behind.empty() && !alone.empty()) {
    for (const TimedWork& each : alone) {
      ++others.launches;
      others.warp_instructions += each.warp_instructions;
    }
    estimate.l2 = l2_effect(behind, alone) * static_cast<double>(others.launches);
  }
  estimate.rest = predict(timed, others);
  return estimate;
}

}  // namespace

ProgramEstimate RunningSample::estimate_of(const std::string* kernel) const {
  ProgramEstimate all;
  SumInterval interval;
  double l2 = 0;
  for (const auto& [key, number] : numbers_) {
    if (kernel != nullptr && std::get<0>(key) != *kernel) continue;
    const Group& group = groups_[number];
    const GroupEstimate own = estimate_of_group(group.behind, group.alone, group.untimed);
    all.launches += group.timed_launches + group.untimed.launches;
    all.timed += group.timed_launches;
    all.cycles += group.own_cycles + own.cycles + own.rest.cycles;
    l2 += own.l2;
    interval.add(own.rest.variance, own.rest.degrees_of_freedom);
  }
  all.half_width = l2 + interval.half_width();
  return all;
}

}  // namespace heddle::sample
