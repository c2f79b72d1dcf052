// A page that shows a run: one HTML file with its style, its program and its data, which asks for nothing
// from anywhere. The sources are in web/; CMake puts them into the program.
#pragma once

#include <string>
#include <string_view>

#include "tools/page/page_data.h"

namespace heddle::page {

/// The whole file. Its content security policy allows its own style and program alone, by their hashes. The
/// same facts give the same bytes.
std::string html_page(const PageFacts& facts);

/// A page of other data that the program knows: `json` is what script_text() made of them.
std::string html_page(std::string_view title, std::string_view json);

/// JSON for a script element: no name in it can end the element or begin a comment. Pieces of it can be put
/// together as those of JSON.
std::string script_text(const nlohmann::ordered_json& data);

}  // namespace heddle::page
