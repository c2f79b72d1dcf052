// Writes the provenance as the last lines of a report.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "tools/report/document.h"
#include "tools/report/summary.h"

namespace heddle::report {

/// Version and command line of the runs, their parameters, and the input files.
void add_provenance(Document& document, std::span<const Summary> runs);
/// Only version and command line. If the command line takes more than two lines, its middle is left out.
void add_short_provenance(Document& document, const Provenance& provenance, std::size_t columns);

/// For a report about something other than runs: the command line as above, the GPU if it was changed,
/// parameters and files.
void add_provenance(Document& document, const Provenance& provenance, std::string_view gpu,
                    std::size_t columns);
/// The same as comments. Each line begins with `mark`: "# ", "// ".
std::string provenance_comment(const Provenance& provenance, std::string_view gpu, std::string_view mark);

/// A GPU and its changes: "h100, changed: l1.latency 40".
std::string changed_gpu_text(std::string_view gpu, const Provenance& provenance);
std::string gpu_text(const Summary& summary);

}  // namespace heddle::report
