// A run as a file for Perfetto. A nanosecond there is a cycle of the SM clock here.
//
//   KERNEL on GPU              counters over the whole run: occupancy, issue slots, lanes, L2, DRAM
//     SMs                      counters of each SM: resident warps, warp instructions a cycle
//     SM 0                     a mark where stretches of time are left out
//       scheduler 0 ...        what it issued
//       slot 0 ...             the warps that were there, and inside of each what it issued or waited for
#pragma once

#include <functional>
#include <string>

#include "tools/history/run_history.h"

namespace heddle::perfetto {

/// What a history does not know.
struct Labels {
  std::string title;  ///< "reduce_v1 on h100"
  std::function<std::string(Pc)> instruction;
  unsigned schedulers = 4;  ///< Of an SM.
  unsigned max_warps = 64;  ///< Of an SM.
  unsigned sector_bytes = 32;
  double clock_mhz = 1000;
};

/// The bytes of the file. The same history gives the same bytes.
std::string perfetto_file(const history::RunHistory& history, const Labels& labels);

}  // namespace heddle::perfetto
