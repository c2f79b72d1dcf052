// Which launches are alike, which are timed, and which stand for which.
#include "tools/sample/launch_sample.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "tests/support/catch.h"

namespace heddle::sample {

namespace {

LaunchTraits launch(const std::string& kernel, std::uint64_t instructions, std::uint32_t blocks = 8) {
  return {kernel, {blocks, 1, 1}, {64, 1, 1}, 16, 0, instructions, false};
}

std::vector<LaunchTraits> repeated(std::size_t times, const std::vector<LaunchTraits>& launches) {
  std::vector<LaunchTraits> list;
  for (std::size_t i = 0; i < times; ++i) list.insert(list.end(), launches.begin(), launches.end());
  return list;
}

/// Times what the plan asks for. Returns how many were timed.
std::size_t run(LaunchSample& sample, const std::vector<Cycle>& cycles) {
  std::size_t timed = 0;
  for (auto round = sample.next_round(); !round.empty(); round = sample.next_round()) {
    CHECK(std::is_sorted(round.begin(), round.end()));
    for (const std::size_t launch : round) sample.add(launch, cycles[launch]);
    timed += round.size();
  }
  return timed;
}

Cycle total_of(const LaunchSample& sample, const std::vector<Cycle>& cycles) {
  Cycle total = 0;
  for (const auto& [launch, all] : sample.stand_ins()) total += cycles[launch] * all.size();
  return total;
}

/// Each launch has exactly one that stands for it, of its own group; a timed one stands for itself.
void check_stand_ins(const LaunchSample& sample, std::size_t launches) {
  std::multiset<std::size_t> stood_for;
  for (const auto& [launch, all] : sample.stand_ins()) {
    CHECK(std::count(all.begin(), all.end(), launch) == 1);
    if (sample.is_first(launch)) CHECK(all.size() == 1);
    for (const std::size_t each : all) {
      CHECK(sample.group_of(each) == sample.group_of(launch));
      stood_for.insert(each);
    }
  }
  CHECK(stood_for.size() == launches);
  CHECK(std::set(stood_for.begin(), stood_for.end()).size() == launches);
}

}  // namespace

TEST_CASE("Launches are alike if all their traits are, in the order of the list") {
  const auto groups = group_launches(repeated(5, {launch("a", 100), launch("b", 100), launch("a", 101)}));
  REQUIRE(groups.size() == 3);
  CHECK(groups[0] == LaunchGroup{0, 3, 6, 9, 12});
  CHECK(groups[1] == LaunchGroup{1, 4, 7, 10, 13});
  CHECK(groups[2] == LaunchGroup{2, 5, 8, 11, 14});

  LaunchTraits other = launch("a", 100);
  std::vector<LaunchTraits> list = repeated(5, {other});
  const auto add_five = [&] {
    for (int i = 0; i < 5; ++i) list.push_back(other);
    other = launch("a", 100);
  };
  other.finds_empty_l2 = true;
  add_five();
  other.registers = 17;
  add_five();
  other.shared_bytes = 4;
  add_five();
  other.block.x = 32;
  add_five();
  CHECK(group_launches(list).size() == 5);
}

TEST_CASE("Launches whose sizes are near form a group where few are alike") {
  std::vector<LaunchTraits> list;
  for (const std::uint64_t instructions : {1000, 1210, 1050, 1100, 1101, 900})
    list.push_back(launch("a", instructions));
  list.push_back(launch("b", 1000));
  const auto groups = group_launches(list);
  REQUIRE(groups.size() == 4);
  CHECK(groups[0] == LaunchGroup{0, 2, 3});  // 1000 to 1100
  CHECK(groups[1] == LaunchGroup{4, 1});     // in the order of their instructions
  CHECK(groups[2] == LaunchGroup{5});
  CHECK(groups[3] == LaunchGroup{6});
  // The same instructions on a grid that is much larger are another matter.
  list = {launch("a", 1000, 8), launch("a", 1000, 9), launch("a", 1000, 16)};
  CHECK(group_launches(list).size() == 3);
}

TEST_CASE("Launches that take the same cycles need four of a group") {
  const std::vector<LaunchTraits> list = repeated(100, {launch("a", 100), launch("b", 7)});
  std::vector<Cycle> cycles;
  for (std::size_t i = 0; i < list.size(); ++i) cycles.push_back(i % 2 == 0 ? 500 : 90);
  cycles[0] = 1000;  // nothing in L2
  LaunchSample sample(list);
  CHECK(run(sample, cycles) == 8);
  check_stand_ins(sample, list.size());
  CHECK(total_of(sample, cycles) == std::accumulate(cycles.begin(), cycles.end(), Cycle{0}));
}

TEST_CASE("Short lists are timed whole") {
  const std::vector<LaunchTraits> list = repeated(4, {launch("a", 100), launch("b", 7)});
  std::vector<Cycle> cycles(list.size(), 10);
  LaunchSample sample(list);
  CHECK(run(sample, cycles) == list.size());
  check_stand_ins(sample, list.size());
}

TEST_CASE("A group that scatters gets more launches, until the interval is narrow") {
  const std::vector<LaunchTraits> list = repeated(400, {launch("a", 100), launch("b", 7)});
  std::vector<Cycle> cycles;
  for (std::size_t i = 0; i < list.size(); ++i) cycles.push_back(i % 2 == 0 ? 500 : 80 + 40 * (i % 7));
  LaunchSample sample(list);
  const std::size_t timed = run(sample, cycles);
  CHECK(timed > 20);
  CHECK(timed < 300);
  check_stand_ins(sample, list.size());
  std::size_t of_b = 0;
  for (const auto& [launch, all] : sample.stand_ins()) of_b += sample.group_of(launch);
  CHECK(of_b > timed / 2);
  const auto whole = static_cast<double>(std::accumulate(cycles.begin(), cycles.end(), Cycle{0}));
  CHECK(std::abs(static_cast<double>(total_of(sample, cycles)) - whole) < 0.04 * whole);
}

TEST_CASE("What L2 adds to the interval is what launches without the one before them would take more") {
  const std::vector<std::uint64_t> members = {11, 1};
  const std::vector<LaunchTiming> timed = {{0, true, 900}, {0, false, 100}, {0, false, 100}, {1, true, 50}};
  const std::vector<LaunchTiming> warm_ups = {{0, false, 120}, {0, false, 130}};
  const ListUncertainty uncertainty = uncertainty_of(members, timed, warm_ups);
  CHECK(uncertainty.sampling == 0);
  CHECK(uncertainty.l2 == 8 * 25);  // 8 of the 10 others were not timed
  CHECK(uncertainty_of(members, timed, {}).sum() == 0);
}

}  // namespace heddle::sample
