#include "sim/sm/schedulers.h"

namespace heddle::sim {

namespace {

constexpr SchedulerPolicy kPolicies[] = {
    {"lrr", "loose round robin: the next eligible warp after the last one, by slot", make_loose_round_robin},
    {"gto", "greedy, then oldest: the same warp while it can, else the eligible warp that started first",
     make_greedy_then_oldest},
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
