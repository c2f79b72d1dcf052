// --sweep KEY=VALUE,VALUE,...: runs the same launches several times, each time with other values.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/heddle/base/options.h"
#include "tools/heddle/run/as_written.h"

namespace heddle::command {

/// The keys and their values: ("scheduler", "gto"), ("n", "1024").
using SweptValues = std::vector<std::pair<std::string, std::string>>;

/// One combination of swept values.
struct SweepPoint {
  SweptValues values;   ///< In the order of the sweeps.
  Arguments arguments;  ///< The equivalent command line: {"--scheduler", "gto", "--param", "n=1024"}.
  Wordings wordings;    ///< How it was written: "--sweep n=1024".
};

/// All combinations of the values of all sweeps; the last sweep changes fastest. Without sweeps, a single
/// point that changes nothing. A key is the name of an option (gpu, scheduler, divergence, warp-size, grid,
/// block, registers, shared, sms), or a key of the GPU with a dot, as in --set, or else a value of the
/// launch, as in --param. Throws UsageError.
std::vector<SweepPoint> sweep_points(const std::vector<std::string>& sweeps);

/// " (at n=256, gpu=a100)", for messages; empty if nothing is swept.
std::string point_text(const SweptValues& values);

/// Throws UsageError if the rest of the command line also sets what a sweep changes.
void require_free(const SweepPoint& point, const OptionValues& values);

}  // namespace heddle::command
