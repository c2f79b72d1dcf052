// The instructions of a run and its source, in the form of the page's data.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/page/page_data.h"

namespace heddle::page {

/// An object for each instruction, with what was counted of it. Beyond kMostInstructions those are left out
/// that lost the fewest slots.
nlohmann::ordered_json code_data(const PageFacts& facts);

/// The sources level by level: of each file from some lines before the first that instructions stand on to
/// some lines after the last. Files are numbered as the places of the instructions number them.
nlohmann::ordered_json sources_data(const std::vector<report::LineProfile>& sources);

}  // namespace heddle::page
