// The makers of the scheduling policies, one file each; schedulers.cpp lists them.
#pragma once

#include <memory>

#include "sim/sm/warp_scheduler.h"

namespace heddle::sim {

std::unique_ptr<WarpScheduler> make_loose_round_robin();
std::unique_ptr<WarpScheduler> make_greedy_then_oldest();

}  // namespace heddle::sim
