// Reports for programs. Keys do not change their meaning while schema_version stays the same; new ones may
// come.
#pragma once

#include <span>
#include <string>

#include "tools/report/failure.h"
#include "tools/report/summary.h"

namespace heddle::report {

inline constexpr int kSchemaVersion = 1;

/// One object for one run that is no point of a sweep, else an array of them, behind which are those that
/// failed. Counts are integers; what has no value is null.
std::string to_json(std::span<const Summary> runs, std::span<const Failure> failures = {});
/// The kernels of a list of traces, and all of them together; those that failed by themselves.
std::string to_json(std::span<const Summary> kernels, const Summary& all,
                    std::span<const Failure> failures = {});

/// A header and a row for each run. Columns are the keys of the JSON form, those of inner objects behind a
/// dot; lists are joined by blanks. What has no value is empty, as is what only other runs have.
std::string to_csv(std::span<const Summary> runs, std::span<const Failure> failures = {});

}  // namespace heddle::report
