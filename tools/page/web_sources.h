// The files of web/, as CMake has put them into the program.
#pragma once

#include <string_view>

namespace heddle::page {

/// A text and the SHA-256 of its bytes in hexadecimal digits.
struct WebSource {
  std::string_view text;
  std::string_view sha256;
};

extern const WebSource kStyle;    ///< All .css files, one after another.
extern const WebSource kProgram;  ///< All .js files, likewise.

}  // namespace heddle::page
