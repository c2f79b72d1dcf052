// What made a report, as its last lines say it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "tools/report/document.h"
#include "tools/report/summary.h"

namespace heddle::report {

/// The version and the command line that made the runs, their parameters, and the files that went in.
void add_provenance(Document& document, std::span<const Summary> runs);
/// The version and the command line alone, which loses its middle where it takes more than two lines.
void add_short_provenance(Document& document, const Provenance& provenance, std::size_t columns);

/// Of a report that is not of runs: the command line as above, the GPU if something of it is changed,
/// parameters and files.
void add_provenance(Document& document, const Provenance& provenance, std::string_view gpu,
                    std::size_t columns);
/// The same as comments, each line behind `mark`: "# ", "// ".
std::string provenance_comment(const Provenance& provenance, std::string_view gpu, std::string_view mark);

/// A GPU, and what of it was changed: "h100, changed: l1.latency 40".
std::string changed_gpu_text(std::string_view gpu, const Provenance& provenance);
std::string gpu_text(const Summary& summary);

}  // namespace heddle::report
