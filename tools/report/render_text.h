// Documents as text for a terminal, a pipe or a file.
#pragma once

#include <string>
#include <string_view>

#include "tools/report/document.h"

namespace heddle::report {

struct TextStyle {
  bool colour = false;  ///< Escape sequences; for terminals only. The text without them stays the same.
  bool ascii = false;   ///< Bars of # instead of block elements.
};

inline constexpr std::size_t kTextColumns = 100;

/// Lines of at most kTextColumns, unless a single word is longer.
std::string render_text(const Document& document, const TextStyle& style);

/// What is no printable text becomes '?', so that no file name can steer a terminal.
std::string printable(std::string_view text);

/// Columns that the text takes: its code points.
std::size_t text_width(std::string_view text);

}  // namespace heddle::report
