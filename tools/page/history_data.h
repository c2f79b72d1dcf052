// What happened over time, in the form of the page's data.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/history/run_history.h"

namespace heddle::page {

/// The whole GPU by buckets of time: an array for each sum.
nlohmann::ordered_json time_data(const history::RunHistory& history);

/// Each SM by fewer, wider buckets.
nlohmann::ordered_json sm_data(const history::RunHistory& history);

/// The warps of the watched SM. A slot's time is a list of numbers: the first cycle, then for each piece its
/// length, its state and its instruction. State 0: nothing is told; 1: issued; 2 + r: stalled for reason r.
nlohmann::ordered_json watched_data(const history::RunHistory& history);

/// One access of each instruction: `lanes` and `addresses` of those that executed it.
nlohmann::ordered_json access_data(const history::RunHistory& history);

}  // namespace heddle::page
