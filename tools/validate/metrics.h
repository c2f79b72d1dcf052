// Metrics of a profiler, and which figures of a run stand beside them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heddle::validate {

struct Metric {
  std::string key;   ///< "achieved_occupancy"; also in the files of the measuring kit
  std::string unit;  ///< Empty for fractions.
  std::string summary;
  std::string ncu;         ///< Nsight Compute's name; empty if it has none.
  std::string ncu_label;   ///< What its details page calls it; empty if it does not.
  std::string expression;  ///< Of the figures of `run`.
};

/// Those of metrics.def, and one for each reason to stall.
std::span<const Metric> metrics();

/// By its key, by either of Nsight Compute's names; null if there is none.
const Metric* find_metric(std::string_view key);
const Metric* find_ncu_metric(std::string_view name);

/// What a value can be at most: of fractions little more than 1, as Nsight Compute counts hits and requests
/// in different passes over the kernel.
double most_of(const Metric& metric);

/// Whether Nsight Compute may write a value of the metric in this unit; without one only counts and ratios.
bool is_unit_of(const Metric& metric, std::string_view ncu_unit);

/// A value in a unit of it that Nsight Compute writes ("%", "ns", "Kbyte", "Kinst") as metrics have it:
/// fractions, microseconds, bytes, counts. Unless told otherwise (--print-units base), it scales what is
/// large.
double in_own_unit(const Metric& metric, double value, std::string_view ncu_unit);

/// Whether only a whole number can stand in this unit: sums of events, and nanoseconds.
bool is_whole(const Metric& metric, std::string_view ncu_unit);

}  // namespace heddle::validate
