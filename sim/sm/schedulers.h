// The makers of the scheduling policies, one file each; schedulers.cpp lists them.
#pragma once

#include <memory>

#include "sim/sm/warp_scheduler.h"

namespace heddle::sim {

std::unique_ptr<WarpScheduler> make_loose_round_robin();
std::unique_ptr<WarpScheduler> make_greedy_then_oldest();
std::unique_ptr<WarpScheduler> make_oldest_first();
std::unique_ptr<WarpScheduler> make_two_level();
std::unique_ptr<WarpScheduler> make_strict_priority();
std::unique_ptr<WarpScheduler> make_greedy_then_youngest();

}  // namespace heddle::sim
