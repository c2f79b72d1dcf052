// The instructions of a run and its source, in the form of the page's data.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/page/page_data.h"

namespace heddle::page {

/// An object for each instruction, with what was counted of it. Beyond kMostInstructions those are left out
/// that lost the fewest slots.
nlohmann::ordered_json code_data(const PageFacts& facts);

nlohmann::ordered_json source_data(const SourceText& source);

}  // namespace heddle::page
