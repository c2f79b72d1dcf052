// A page that shows a run: one HTML file with its style, its program and its data, which asks for nothing
// from anywhere. The sources are in web/; CMake puts them into the program.
#pragma once

#include <string>

#include "tools/page/page_data.h"

namespace heddle::page {

/// The whole file. Its content security policy allows its own style and program alone, by their hashes. The
/// same facts give the same bytes.
std::string html_page(const PageFacts& facts);

}  // namespace heddle::page
