#include "sim/sm/schedulers.h"

namespace heddle::sim {

namespace {

constexpr SchedulerPolicy kPolicies[] = {
    {"lrr", "loose round robin: the next eligible warp after the last one, by slot", make_loose_round_robin},
    {"gto", "greedy, then oldest: the same warp while it can, else the eligible warp that started first",
     make_greedy_then_oldest},
    {"oldest", "oldest first: always the eligible warp that started first", make_oldest_first},
    {"two_level", "two-level: round robin in groups of eight, the next group when none of one can issue",
     make_two_level},
    {"priority", "strict priority: arithmetic before memory instructions, then the warp that started first",
     make_strict_priority},
    {"cggty", "greedy, then youngest, as measured on compute capability 8.6", make_greedy_then_youngest},
};

}  // namespace

std::span<const SchedulerPolicy> scheduler_policies() { return kPolicies; }

const SchedulerPolicy* find_scheduler_policy(std::string_view name) {
  for (const SchedulerPolicy& policy : kPolicies) {
    if (policy.name == name) return &policy;
  }
  return nullptr;
}

}  // namespace heddle::sim
