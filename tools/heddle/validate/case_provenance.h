// What made the figures of a case, which may be of several runs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/heddle/validate/validate_request.h"
#include "tools/validate/comparison.h"

namespace heddle::command {

/// The provenance of a run by the name that its case has for it.
using NamedProvenance = std::pair<std::string, report::Provenance>;

/// All files. A setting or parameter that is the same in all runs has its value; else it says which run has
/// which: "few 2, many 6".
report::Provenance merged_provenance(const std::vector<NamedProvenance>& runs);

/// Gives each case the version and the command line, and the files `read` before its own. The results have
/// the files of all cases, and what is changed of the GPU of every case.
void complete_provenance(const ValidateRequest& request, const std::vector<std::string>& read,
                         validate::Results& results);

}  // namespace heddle::command
