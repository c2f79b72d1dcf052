// A run as a report of `heddle run --format json` tells it, for comparing it with another run.
//
// Models nothing: it holds what the report says. Numbers keep their JSON form, so that counts stay integers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "tools/diff/run_lines.h"
#include "tools/json/json_reader.h"

namespace heddle::diff {

/// One run of a report.
struct RunFile {
  std::string path;               ///< The report's file, as messages name it.
  Json report;                    ///< An object with kernel, gpu, cycles, sms, active_cycles and the ledgers.
  std::optional<RunLines> lines;  ///< Not set if it was made without --lines.
};

/// The run with this number, from 1, of the report with this text. Without a number the report must have only
/// one run; of a list of traces it is all kernels together. Throws InputError if the text is no report of a
/// run, if its schema_version is not report::kSchemaVersion, if that run failed, or if there is no such run.
RunFile run_of(const std::string& text, const std::string& path, std::optional<std::size_t> number);

}  // namespace heddle::diff
