// All scheduling policies.
#include "sim/sm/ccws.h"
#include "sim/sm/greedy.h"
#include "sim/sm/loose_round_robin.h"
#include "sim/sm/oldest_first.h"
#include "sim/sm/strict_priority.h"
#include "sim/sm/two_level.h"
#include "sim/sm/warp_scheduler.h"

namespace heddle::sim {

namespace {

template <typename Set, template <typename> typename Policy>
std::unique_ptr<WarpScheduler<Set>> make() {
  return std::make_unique<Policy<Set>>();
}

template <template <typename> typename Policy>
constexpr SchedulerPolicy policy(std::string_view name, std::string_view summary) {
  constexpr bool kWatchesL1 = requires { Policy<WarpSet>::kWatchesL1; };
  return {{name, summary}, make<WarpSet, Policy>, make<WideWarpSet, Policy>, kWatchesL1};
}

constexpr SchedulerPolicy kPolicies[] = {
    policy<LooseRoundRobin>("lrr", "loose round robin: the next eligible warp after the last one, by slot"),
    policy<GreedyThenOldest>(
        "gto", "greedy, then oldest: the same warp while it can, else the eligible warp that started first"),
    policy<OldestFirst>("oldest", "oldest first: always the eligible warp that started first"),
    policy<TwoLevel>("two_level",
                     "two-level: round robin in groups of eight, the next group when none of one can issue"),
    policy<StrictPriority>(
        "priority",
        "strict priority: arithmetic before memory instructions, then the warp that started first"),
    policy<CacheConscious>("ccws",
                           "cache-conscious: gto, while warps that take lines of L1 from one another load in turns"),
    policy<GreedyThenYoungest>("cggty", "greedy, then youngest, as measured on compute capability 8.6"),
};

}  // namespace

std::span<const SchedulerPolicy> scheduler_policies() { return kPolicies; }

PolicyNames scheduler_names() { return names_of(scheduler_policies()); }

const SchedulerPolicy& scheduler_policy(std::string_view name) {
  return find_policy(scheduler_policies(), kSchedulers, name, "sm.scheduler");
}

}  // namespace heddle::sim
