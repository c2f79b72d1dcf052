// Metrics of a profiler, and the figures of a run that correspond to them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heddle::validate {

/// A metric and its counterpart in the simulation.
struct Metric {
  std::string key;   ///< "achieved_occupancy"; also in the files of the measuring kit
  std::string unit;  ///< Empty for fractions.
  std::string summary;
  std::string ncu;         ///< Name in Nsight Compute; empty if there is none.
  std::string ncu_label;   ///< Label on its details page; empty if there is none.
  std::string expression;  ///< In the figures of `run`.
};

/// The metrics of metrics.def, and one for each stall reason.
std::span<const Metric> metrics();

/// Finds a metric by its key, or by one of Nsight Compute's names. Null if there is none.
const Metric* find_metric(std::string_view key);
const Metric* find_ncu_metric(std::string_view name);

/// Upper limit of a value. For fractions it is a little more than 1, because Nsight Compute counts hits and
/// requests in different passes over the kernel.
double most_of(const Metric& metric);

/// Whether Nsight Compute may write the metric in this unit. Without a unit only counts and ratios are
/// allowed.
bool is_unit_of(const Metric& metric, std::string_view ncu_unit);

/// Converts a value from a unit of Nsight Compute ("%", "ns", "Kbyte", "Kinst") to the metric's own:
/// fractions, microseconds, bytes, counts. Unless --print-units base is given, Nsight Compute scales large
/// values.
double in_own_unit(const Metric& metric, double value, std::string_view ncu_unit);

/// Whether values in this unit are always whole: sums of events, and nanoseconds.
bool is_whole(const Metric& metric, std::string_view ncu_unit);

}  // namespace heddle::validate
