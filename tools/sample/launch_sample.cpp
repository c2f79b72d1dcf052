#include "tools/sample/launch_sample.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heddle::sample {

namespace {

/// Launches of a group that are timed in the first round, beside its first one: with fewer, nothing is known
/// of their scatter.
constexpr std::size_t kFirstRound = 3;
constexpr unsigned kMostRounds = 5;
/// The interval is narrow enough if each half of it is at most this share of the total.
constexpr double kWanted = 0.02;
/// Standard deviations in half an interval where many launches were timed.
constexpr double kUsualQuantile = 2;

/// By group: the cycles of its launches but the first.
std::vector<std::vector<double>> cycles_by_group(std::span<const LaunchTiming> timed, std::size_t groups) {
  std::vector<std::vector<double>> cycles(groups);
  for (const LaunchTiming& each : timed) {
    if (!each.is_first) cycles[each.group].push_back(static_cast<double>(each.cycles));
  }
  return cycles;
}

std::vector<Stratum> strata_of(std::span<const std::uint64_t> members, std::span<const LaunchTiming> timed) {
  std::vector<std::vector<double>> cycles = cycles_by_group(timed, members.size());
  std::vector<Stratum> strata;
  for (std::size_t group = 0; group < members.size(); ++group) {
    if (!cycles[group].empty()) strata.push_back({members[group] - 1, std::move(cycles[group])});
  }
  return strata;
}

/// Neyman's allocation: how many of each stratum's members have to be measured so that the variance of the
/// total is at most this.
std::vector<std::size_t> allocation(std::span<const Stratum> strata, double variance) {
  double scatter = 0;
  double below = variance;
  for (const Stratum& stratum : strata) {
    const double own = variance_of(stratum.measured);
    scatter += static_cast<double>(stratum.members) * std::sqrt(own);
    below += static_cast<double>(stratum.members) * own;
  }
  std::vector<std::size_t> counts;
  for (const Stratum& stratum : strata) {
    const auto members = static_cast<double>(stratum.members);
    const double count = members * std::sqrt(variance_of(stratum.measured)) * scatter / below;
    counts.push_back(static_cast<std::size_t>(std::min(std::ceil(count), members)));
  }
  return counts;
}

}  // namespace

ListUncertainty uncertainty_of(std::span<const std::uint64_t> members, std::span<const LaunchTiming> timed,
                               std::span<const LaunchTiming> warm_ups) {
  ListUncertainty uncertainty;
  uncertainty.sampling = estimate_total(strata_of(members, timed)).half_width;
  const auto behind = cycles_by_group(timed, members.size());
  const auto without = cycles_by_group(warm_ups, members.size());
  double difference = 0;
  for (std::size_t group = 0; group < members.size(); ++group) {
    if (behind[group].empty() || without[group].empty()) continue;
    const auto untimed = static_cast<double>(members[group] - 1 - behind[group].size());
    difference += untimed * (mean_of(without[group]) - mean_of(behind[group]));
  }
  uncertainty.l2 = std::abs(difference);
  return uncertainty;
}

LaunchSample::LaunchSample(std::span<const LaunchTraits> launches)
    : groups_(group_launches(launches)), group_of_(launches.size()), is_drawn_(launches.size()) {
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    first_of_.push_back(*std::min_element(groups_[group].begin(), groups_[group].end()));
    for (const std::size_t launch : groups_[group]) group_of_[launch] = group;
  }
}

LaunchGroup LaunchSample::without_first(std::size_t group) const {
  LaunchGroup launches = groups_[group];
  std::erase(launches, first_of_[group]);
  return launches;
}

std::vector<Stratum> LaunchSample::strata() const {
  std::vector<Stratum> strata(groups_.size());
  for (std::size_t group = 0; group < groups_.size(); ++group)
    strata[group].members = groups_[group].size() - 1;
  for (const auto& [launch, cycles] : cycles_) {
    if (!is_first(launch)) strata[group_of_[launch]].measured.push_back(static_cast<double>(cycles));
  }
  return strata;
}

/// By group: how many of its launches but the first are to be timed in all.
std::vector<std::size_t> LaunchSample::wanted() const {
  if (rounds_ == 0) return std::vector<std::size_t>(groups_.size(), kFirstRound);
  const std::vector<Stratum> strata = this->strata();
  const Estimate estimate = estimate_total(strata);
  double total = estimate.total;
  for (const std::size_t first : first_of_) total += static_cast<double>(cycles_.at(first));
  const double half = kWanted * total;
  if (estimate.half_width <= half) return std::vector<std::size_t>(groups_.size(), 0);
  // Few degrees of freedom make an interval wide; more launches make them more.
  return allocation(strata, half / kUsualQuantile * half / kUsualQuantile);
}

std::vector<std::size_t> LaunchSample::next_round() {
  std::vector<std::size_t> round;
  if (rounds_ == kMostRounds) return round;
  const std::vector<std::size_t> wanted = this->wanted();
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    if (rounds_ == 0) {
      is_drawn_[first_of_[group]] = 1;
      round.push_back(first_of_[group]);
    }
    draw(group, wanted[group], round);
  }
  ++rounds_;
  std::sort(round.begin(), round.end());
  return round;
}

/// Draws a launch from each of `count` equal parts of the group that has none yet.
void LaunchSample::draw(std::size_t group, std::size_t count, std::vector<std::size_t>& round) {
  const LaunchGroup launches = without_first(group);
  const std::size_t parts = std::min(count, launches.size());
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t begin = launches.size() * part / parts;
    const std::size_t end = launches.size() * (part + 1) / parts;
    const auto has_one = [&](std::size_t launch) { return is_drawn_[launch] != 0; };
    const auto at = [&](std::size_t place) { return launches.begin() + static_cast<std::ptrdiff_t>(place); };
    if (std::any_of(at(begin), at(end), has_one)) continue;
    const std::size_t launch = launches[begin + random_() % (end - begin)];
    is_drawn_[launch] = 1;
    round.push_back(launch);
  }
}

std::map<std::size_t, std::vector<std::size_t>> LaunchSample::stand_ins() const {
  std::map<std::size_t, std::vector<std::size_t>> stand_ins;
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    stand_ins[first_of_[group]].push_back(first_of_[group]);
    std::vector<std::size_t> timed;
    std::vector<std::size_t> others;
    for (const std::size_t launch : without_first(group))
      (is_drawn_[launch] != 0 ? timed : others).push_back(launch);
    for (const std::size_t launch : timed) stand_ins[launch].push_back(launch);
    for (std::size_t i = 0; i < others.size(); ++i) {
      stand_ins[timed[i * timed.size() / others.size()]].push_back(others[i]);
    }
  }
  for (auto& [launch, all] : stand_ins) std::sort(all.begin(), all.end());
  return stand_ins;
}

}  // namespace heddle::sample
