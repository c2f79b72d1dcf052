// Which warp each policy picks, against the policy's definition written out.
#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "isa/base/diagnostic.h"
#include "sim/sm/warp_scheduler.h"
#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

template <typename Set>
std::unique_ptr<WarpScheduler<Set>> make(std::string_view name) {
  return scheduler_policy(name).make<Set>();
}

template <typename Set>
Set set_of(std::initializer_list<unsigned> warps) {
  Set set = 0;
  for (const unsigned warp : warps) set |= Set{1} << warp;
  return set;
}

TEST_CASE("policies are found by name, and all are listed") {
  CHECK_THROWS_AS(scheduler_policy("nonsense"), InputError);
  CHECK_THROWS_AS(scheduler_policy(""), InputError);
  CHECK(scheduler_policies().size() >= 2);
  std::set<std::string_view> names;
  for (const SchedulerPolicy& policy : scheduler_policies()) {
    CHECK(&scheduler_policy(policy.name) == &policy);
    CHECK_FALSE(policy.summary.empty());
    CHECK(policy.make<WarpSet>() != nullptr);
    CHECK(policy.make<WideWarpSet>() != nullptr);
    names.insert(policy.name);
  }
  CHECK(names.size() == scheduler_policies().size());
  CHECK(names.contains("lrr"));
  CHECK(names.contains("gto"));
}

template <typename Set>
unsigned pick(WarpScheduler<Set>& policy, Set eligible, const std::vector<std::uint8_t>& oldest_first,
              Set memory = 0) {
  std::vector<Set> older(kSetSize<Set>);
  Set resident = 0;
  for (const std::uint8_t warp : oldest_first) {
    older[warp] = resident;
    resident |= Set{1} << warp;
  }
  return policy.pick({.eligible = eligible, .memory = memory, .older = older});
}

TEMPLATE_TEST_CASE("round robin takes the eligible warps in turn and comes round at the end", "", WarpSet,
                   WideWarpSet) {
  const auto policy = make<TestType>("lrr");
  const std::vector<std::uint8_t> ages = {5, 2, 9, 63, 0};
  const TestType eligible = set_of<TestType>({0, 2, 5, 9, 63});
  std::vector<unsigned> picked;
  for (int i = 0; i < 11; ++i) picked.push_back(pick(*policy, eligible, ages));
  CHECK(picked == std::vector<unsigned>{0, 2, 5, 9, 63, 0, 2, 5, 9, 63, 0});
}

TEMPLATE_TEST_CASE("round robin passes over who cannot issue, who then waits for the next turn", "", WarpSet,
                   WideWarpSet) {
  const auto policy = make<TestType>("lrr");
  const std::vector<std::uint8_t> ages = {0, 1, 2, 3};
  CHECK(pick(*policy, set_of<TestType>({0, 1, 2, 3}), ages) == 0);
  CHECK(pick(*policy, set_of<TestType>({0, 3}), ages) == 3);
  CHECK(pick(*policy, set_of<TestType>({1, 2}), ages) == 1);
  CHECK(pick(*policy, set_of<TestType>({1}), ages) == 1);
}

TEMPLATE_TEST_CASE("greedy then oldest stays with a warp, then takes the one that started first", "", WarpSet,
                   WideWarpSet) {
  const auto policy = make<TestType>("gto");
  const std::vector<std::uint8_t> ages = {7, 3, 1, 5};  // 7 started first
  CHECK(pick(*policy, set_of<TestType>({1, 3, 5}), ages) == 3);
  CHECK(pick(*policy, set_of<TestType>({1, 3, 5, 7}), ages) == 3);  // greedy, though 7 is older
  CHECK(pick(*policy, set_of<TestType>({1, 5}), ages) == 1);
  CHECK(pick(*policy, set_of<TestType>({1, 3, 5, 7}), ages) == 1);
  CHECK(pick(*policy, set_of<TestType>({5, 7}), ages) == 7);
}

TEMPLATE_TEST_CASE("greedy then oldest does not hold a new warp for the old one in its slot", "", WarpSet,
                   WideWarpSet) {
  const auto policy = make<TestType>("gto");
  CHECK(pick(*policy, set_of<TestType>({2, 4}), std::vector<std::uint8_t>{4, 2}) == 4);
  policy->retired(4);
  // Slot 4 has a new warp, the youngest now.
  CHECK(pick(*policy, set_of<TestType>({2, 4}), std::vector<std::uint8_t>{2, 4}) == 2);
}

TEMPLATE_TEST_CASE("oldest first looks at nothing but age", "", WarpSet, WideWarpSet) {
  const auto policy = make<TestType>("oldest");
  const std::vector<std::uint8_t> ages = {7, 3, 1, 5};
  CHECK(pick(*policy, set_of<TestType>({1, 3, 5}), ages) == 3);
  CHECK(pick(*policy, set_of<TestType>({1, 3, 5, 7}), ages) == 7);
  CHECK(pick(*policy, set_of<TestType>({1, 5}), ages) == 1);
}

TEMPLATE_TEST_CASE("greedy then youngest stays with a warp, then takes the one that started last", "",
                   WarpSet, WideWarpSet) {
  const auto policy = make<TestType>("cggty");
  const std::vector<std::uint8_t> ages = {7, 3, 1, 5};
  CHECK(pick(*policy, set_of<TestType>({7, 3}), ages) == 3);
  CHECK(pick(*policy, set_of<TestType>({7, 3, 5}), ages) == 3);
  CHECK(pick(*policy, set_of<TestType>({7, 1, 5}), ages) == 5);
  policy->retired(5);
  CHECK(pick(*policy, set_of<TestType>({7, 1}), ages) == 1);
}

TEMPLATE_TEST_CASE("strict priority puts memory instructions last, then goes by age", "", WarpSet,
                   WideWarpSet) {
  const auto policy = make<TestType>("priority");
  const std::vector<std::uint8_t> ages = {7, 3, 1, 5};
  CHECK(pick(*policy, set_of<TestType>({1, 3, 5, 7}), ages, set_of<TestType>({7, 3})) == 1);
  CHECK(pick(*policy, set_of<TestType>({3, 7}), ages, set_of<TestType>({7, 3})) == 7);
  CHECK(pick(*policy, set_of<TestType>({3, 5}), ages) == 3);
}

TEMPLATE_TEST_CASE("two-level begins with the first group, however many there are", "", WarpSet,
                   WideWarpSet) {
  const auto policy = make<TestType>("two_level");
  const unsigned last = kSetSize<TestType> - 1;
  CHECK(pick(*policy, set_of<TestType>({0, last}), {0, static_cast<std::uint8_t>(last)}) == 0);
}

TEMPLATE_TEST_CASE(
    "two-level goes round in a group of eight until none of it can issue, then to the next group", "",
    WarpSet, WideWarpSet) {
  const auto policy = make<TestType>("two_level");
  const std::vector<std::uint8_t> ages = {0, 1, 2, 8, 9, 16};
  CHECK(pick(*policy, set_of<TestType>({0, 1, 2, 8, 9}), ages) == 0);
  CHECK(pick(*policy, set_of<TestType>({0, 1, 2, 8, 9}), ages) == 1);
  CHECK(pick(*policy, set_of<TestType>({0, 2, 8, 9}), ages) == 2);
  CHECK(pick(*policy, set_of<TestType>({0, 8, 9}), ages) == 0);  // comes round in the group
  CHECK(pick(*policy, set_of<TestType>({9, 16}), ages) == 9);    // none of the group: the next one
  CHECK(pick(*policy, set_of<TestType>({0, 8, 9}), ages) == 8);  // and stays there
  CHECK(pick(*policy, set_of<TestType>({0, 16}), ages) == 16);
  CHECK(pick(*policy, set_of<TestType>({0, 1}), ages) == 0);  // groups come round, too
}

/// The definitions, with nothing clever.
template <typename Set>
unsigned expected_lrr(Set eligible, std::optional<unsigned> last) {
  for (unsigned step = 1; step <= kSetSize<Set>; ++step) {
    const unsigned warp = (last.value_or(kSetSize<Set> - 1) + step) % kSetSize<Set>;
    if ((eligible >> warp & 1) != 0) return warp;
  }
  return kSetSize<Set>;
}

template <typename Set>
unsigned expected_gto(Set eligible, const std::vector<std::uint8_t>& oldest_first,
                      std::optional<unsigned> last) {
  if (last && (eligible >> *last & 1) != 0) return *last;
  return *std::find_if(oldest_first.begin(), oldest_first.end(),
                       [eligible](unsigned warp) { return (eligible >> warp & 1) != 0; });
}

TEMPLATE_TEST_CASE("random lives of warps: both policies pick what their definitions say", "", WarpSet,
                   WideWarpSet) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    std::mt19937_64 random(seed);
    const auto lrr = make<TestType>("lrr");
    const auto gto = make<TestType>("gto");
    std::vector<std::uint8_t> resident = {0, 1, 2, 3, 62, 63};
    for (unsigned warp = 64; warp < kSetSize<TestType>; warp += 21)
      resident.push_back(static_cast<std::uint8_t>(warp));
    std::optional<unsigned> last_lrr;
    std::optional<unsigned> last_gto;
    for (int step = 0; step < 2000; ++step) {
      TestType eligible = 0;
      for (const std::uint8_t warp : resident) eligible |= TestType{random() % 3 == 0} << warp;
      if (eligible != 0) {
        REQUIRE(pick(*lrr, eligible, resident) == expected_lrr(eligible, last_lrr));
        last_lrr = expected_lrr(eligible, last_lrr);
        REQUIRE(pick(*gto, eligible, resident) == expected_gto(eligible, resident, last_gto));
        last_gto = expected_gto(eligible, resident, last_gto);
      }
      if (random() % 10 == 0) {  // a warp goes, a new one takes its slot
        const auto gone = static_cast<std::ptrdiff_t>(random() % resident.size());
        const std::uint8_t slot = resident[static_cast<std::size_t>(gone)];
        lrr->retired(slot);
        gto->retired(slot);
        if (last_gto == slot) last_gto.reset();
        resident.erase(resident.begin() + gone);
        resident.push_back(slot);
      }
    }
  }
}

}  // namespace
}  // namespace heddle::sim
