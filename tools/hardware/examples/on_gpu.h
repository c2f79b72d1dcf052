// Runs the examples on a GPU: each launch is checked, timed, and run once for the profiler.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/hardware/examples/list.h"
#include "tools/hardware/kit/gpu.h"
#include "tools/hardware/kit/profile.h"
#include "tools/hardware/kit/report.h"

namespace kit {

/// A launch with the parameters of its file or with others (points.def).
struct Point {
  const TwinEntry* entry;
  Values::List given;
  std::string kernel;   ///< The kernel's name.
  bool needs_progress;  ///< See Needs.
};

/// The points of the launches that `only` names (empty: all) and that this GPU can run, in the order of the
/// profiler. The reasons why others cannot run go to `left_out`. Launches that can hang a GPU without forward
/// progress come last.
std::vector<Point> points(const std::string& only, int capability, std::vector<std::string>& left_out);

/// Runs each point once between cudaProfilerStart and Stop, for Nsight Compute. Prints how many were run;
/// stops at the end of the budget.
void profile_examples(const Gpu& gpu, const std::vector<Point>& all, const Budget& budget);

/// Checks and times the points and adds the profiler's figures. Calls `progress` after each. Returns the
/// number of wrong results.
int measure_examples(const Gpu& gpu, const std::vector<Point>& all,
                     const std::vector<ProfiledKernel>& profiled, const Budget& budget, Report& report,
                     const std::function<void()>& progress);

}  // namespace kit
