// The provenance of a case, which can have several runs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/heddle/validate/validate_request.h"
#include "tools/validate/comparison.h"

namespace heddle::command {

/// The name of a run in its case, and the run's provenance.
using NamedProvenance = std::pair<std::string, report::Provenance>;

/// Contains all files. A setting or parameter with the same value in all runs has that value; else it lists
/// the value of each run: "few 2, many 6".
report::Provenance merged_provenance(const std::vector<NamedProvenance>& runs);

/// Adds the version, the command line and the files `read` to each case. Adds to the results the files of all
/// cases and the changes to the GPU of every case.
void complete_provenance(const ValidateRequest& request, const std::vector<std::string>& read,
                         validate::Results& results);

}  // namespace heddle::command
