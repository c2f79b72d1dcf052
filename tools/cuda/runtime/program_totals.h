// What all launches of a program counted, by kernel and in all, for other programs: HEDDLE_TOTALS.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tools/cuda/runtime/launch_log.h"
#include "tools/report/summary.h"

namespace heddle::cudart {

/// The sums over all GPUs of a program, which are alike.
struct ProgramTotals {
  std::vector<KernelTotals> kernels;  ///< In the order of their first launches.
  CopyTotals copies[3];               ///< By CopyDirection.
  double clock_us = 0;                ///< How long the longest-lived GPU lived.
  bool has_failed = false;            ///< A launch has, which no sum has.
  bool is_over_limit = false;         ///< As LaunchLog says.
  std::uint64_t calls = 0;
  std::uint64_t timed = 0;
  sample::ProgramEstimate estimate;  ///< Of all launches, if some were timed for all.
  sim::GpuSpec gpu;     ///< Of all of them.
  report::Summary all;  ///< Of the timed launches, if there are any.
};

/// Logs can be null.
ProgramTotals totals_of(std::span<const std::unique_ptr<LaunchLog>> logs);

/// JSON in the form of a report of a list of kernels, which heddle diff reads: "kernels" and "all", each with
/// the figures of a run, and with calls and timed launches; then copies.
std::string totals_text(const ProgramTotals& totals, const Settings& settings);

}  // namespace heddle::cudart
