// Documents as text for a terminal, a pipe or a file.
#pragma once

#include <cstddef>
#include <string>

#include "tools/report/document.h"

namespace heddle::report {

/// Of what goes to a file or a pipe, whatever the terminal is.
inline constexpr std::size_t kTextColumns = 80;

struct TextStyle {
  bool colour = false;  ///< Escape sequences; for terminals only. The text without them stays the same.
  bool ascii = false;   ///< Bars of # instead of block elements.
  std::size_t columns = kTextColumns;
};

/// No line has more columns than the style says. The length of bars depends on these alone, so that those of
/// several reports can be compared.
std::string render_text(const Document& document, const TextStyle& style);

}  // namespace heddle::report
