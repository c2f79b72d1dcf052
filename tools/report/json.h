// Reports for programs. While schema_version stays the same, keys do not change their meaning; new keys may
// be added.
#pragma once

#include <span>
#include <string>

#include "tools/report/failure.h"
#include "tools/report/summary.h"

namespace heddle::report {

inline constexpr int kSchemaVersion = 1;

/// One object for a single run outside of a sweep; else an array of them, followed by the failed runs. Counts
/// are integers; a missing value is null.
std::string to_json(std::span<const Summary> runs, std::span<const Failure> failures = {});
/// The kernels of a list of traces, all of them together, and separately the failed ones.
std::string to_json(std::span<const Summary> kernels, const Summary& all,
                    std::span<const Failure> failures = {});

/// A header and a row for each run. The columns are the keys of the JSON form; keys of inner objects follow a
/// dot; lists are joined by blanks. Missing values are empty.
std::string to_csv(std::span<const Summary> runs, std::span<const Failure> failures = {});

}  // namespace heddle::report
