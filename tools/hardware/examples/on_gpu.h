// The examples on the GPU: each launch checked, timed, and run once for the profiler.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/hardware/examples/list.h"
#include "tools/hardware/kit/gpu.h"
#include "tools/hardware/kit/profile.h"
#include "tools/hardware/kit/report.h"

namespace kit {

/// A launch at its file's own numbers, or at others (points.def).
struct Point {
  const TwinEntry* entry;
  Values::List given;
  std::string kernel;   ///< Its name.
  bool needs_progress;  ///< As Needs has it.
};

/// All that `only` names (empty: all) and this GPU can run, in the order in which the profiler sees them; why
/// others cannot goes to `left_out`. What could hang a GPU that gives no forward progress comes last.
std::vector<Point> points(const std::string& only, int capability, std::vector<std::string>& left_out);

/// Each once within cudaProfilerStart and Stop, for Nsight Compute; says on stdout how many, and ends with
/// the budget.
void profile_examples(const Gpu& gpu, const std::vector<Point>& all, const Budget& budget);

/// Checks and times; adds the profiler's figures. Calls `progress` after each. Returns how many results were
/// wrong.
int measure_examples(const Gpu& gpu, const std::vector<Point>& all,
                     const std::vector<ProfiledKernel>& profiled, const Budget& budget, Report& report,
                     const std::function<void()>& progress);

}  // namespace kit
