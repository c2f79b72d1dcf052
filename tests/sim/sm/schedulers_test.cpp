// Which warp each policy picks, against the policy's definition written out.
#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "sim/sm/warp_scheduler.h"
#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

std::unique_ptr<WarpScheduler> make(std::string_view name) { return find_scheduler_policy(name)->make(); }

WarpSet set_of(std::initializer_list<unsigned> warps) {
  WarpSet set = 0;
  for (const unsigned warp : warps) set |= WarpSet{1} << warp;
  return set;
}

TEST_CASE("policies are found by name, and all are listed") {
  CHECK(find_scheduler_policy("nonsense") == nullptr);
  CHECK(find_scheduler_policy("") == nullptr);
  CHECK(scheduler_policies().size() >= 2);
  std::set<std::string_view> names;
  for (const SchedulerPolicy& policy : scheduler_policies()) {
    CHECK(find_scheduler_policy(policy.name) == &policy);
    CHECK_FALSE(policy.summary.empty());
    CHECK(policy.make() != nullptr);
    names.insert(policy.name);
  }
  CHECK(names.size() == scheduler_policies().size());
  CHECK(names.contains("lrr"));
  CHECK(names.contains("gto"));
}

TEST_CASE("round robin takes the eligible warps in turn and comes round at the end") {
  const auto policy = make("lrr");
  const std::vector<std::uint8_t> ages = {5, 2, 9, 63, 0};
  const WarpSet eligible = set_of({0, 2, 5, 9, 63});
  std::vector<unsigned> picked;
  for (int i = 0; i < 11; ++i) picked.push_back(policy->pick(eligible, ages));
  CHECK(picked == std::vector<unsigned>{0, 2, 5, 9, 63, 0, 2, 5, 9, 63, 0});
}

TEST_CASE("round robin passes over who cannot issue, who then waits for the next turn") {
  const auto policy = make("lrr");
  const std::vector<std::uint8_t> ages = {0, 1, 2, 3};
  CHECK(policy->pick(set_of({0, 1, 2, 3}), ages) == 0);
  CHECK(policy->pick(set_of({0, 3}), ages) == 3);
  CHECK(policy->pick(set_of({1, 2}), ages) == 1);
  CHECK(policy->pick(set_of({1}), ages) == 1);
}

TEST_CASE("greedy then oldest stays with a warp, then takes the one that started first") {
  const auto policy = make("gto");
  const std::vector<std::uint8_t> ages = {7, 3, 1, 5};  // 7 started first
  CHECK(policy->pick(set_of({1, 3, 5}), ages) == 3);
  CHECK(policy->pick(set_of({1, 3, 5, 7}), ages) == 3);  // greedy, though 7 is older
  CHECK(policy->pick(set_of({1, 5}), ages) == 1);
  CHECK(policy->pick(set_of({1, 3, 5, 7}), ages) == 1);
  CHECK(policy->pick(set_of({5, 7}), ages) == 7);
}

TEST_CASE("greedy then oldest does not hold a new warp for the old one in its slot") {
  const auto policy = make("gto");
  CHECK(policy->pick(set_of({2, 4}), std::vector<std::uint8_t>{4, 2}) == 4);
  policy->retired(4);
  // Slot 4 has a new warp, the youngest now.
  CHECK(policy->pick(set_of({2, 4}), std::vector<std::uint8_t>{2, 4}) == 2);
}

/// The definitions, with nothing clever.
unsigned expected_lrr(WarpSet eligible, std::optional<unsigned> last) {
  for (unsigned step = 1; step <= 64; ++step) {
    const unsigned warp = (last.value_or(63) + step) % 64;
    if ((eligible >> warp & 1) != 0) return warp;
  }
  return 64;
}

unsigned expected_gto(WarpSet eligible, const std::vector<std::uint8_t>& oldest_first,
                      std::optional<unsigned> last) {
  if (last && (eligible >> *last & 1) != 0) return *last;
  return *std::find_if(oldest_first.begin(), oldest_first.end(),
                       [eligible](unsigned warp) { return (eligible >> warp & 1) != 0; });
}

TEST_CASE("random lives of warps: both policies pick what their definitions say") {
  for (unsigned seed = 0; seed < 10; ++seed) {
    std::mt19937_64 random(seed);
    const auto lrr = make("lrr");
    const auto gto = make("gto");
    std::vector<std::uint8_t> resident = {0, 1, 2, 3, 4, 5, 6, 7};
    std::optional<unsigned> last_lrr;
    std::optional<unsigned> last_gto;
    for (int step = 0; step < 2000; ++step) {
      WarpSet eligible = 0;
      for (const std::uint8_t warp : resident) eligible |= WarpSet{random() % 3 == 0} << warp;
      if (eligible != 0) {
        REQUIRE(lrr->pick(eligible, resident) == expected_lrr(eligible, last_lrr));
        last_lrr = expected_lrr(eligible, last_lrr);
        REQUIRE(gto->pick(eligible, resident) == expected_gto(eligible, resident, last_gto));
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
