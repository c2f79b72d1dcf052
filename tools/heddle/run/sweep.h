// --sweep KEY=VALUE,VALUE,...: the same launches again and again, each time with something changed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/heddle/base/options.h"
#include "tools/heddle/run/as_written.h"

namespace heddle::command {

/// What is changed, and to what: ("scheduler", "gto"), ("n", "1024").
using SweptValues = std::vector<std::pair<std::string, std::string>>;

struct SweepPoint {
  SweptValues values;   ///< In the order of the sweeps.
  Arguments arguments;  ///< The command line that says the same: {"--scheduler", "gto", "--param", "n=1024"}.
  Wordings wordings;    ///< How that was written: "--sweep n=1024".
};

/// Each value of each sweep with each of the others, those of the last one changing fastest; a single point
/// that changes nothing where there are no sweeps. A key is the name of an option (gpu, scheduler,
/// divergence, warp-size, grid, block, registers, shared, sms), a key of the GPU with a dot in it, as --set
/// takes it, or else a value of the launch, as --param takes it. Throws UsageError.
std::vector<SweepPoint> sweep_points(const std::vector<std::string>& sweeps);

/// " (at n=256, gpu=a100)", for messages; nothing if nothing is swept.
std::string point_text(const SweptValues& values);

/// Throws UsageError where the rest of the command line says what a sweep changes, too.
void require_free(const SweepPoint& point, const OptionValues& values);

}  // namespace heddle::command
