// Renders documents as text for a terminal, a pipe or a file.
#pragma once

#include <cstddef>
#include <string>

#include "tools/report/document.h"

namespace heddle::report {

/// The width for files and pipes, whatever the terminal is.
inline constexpr std::size_t kTextColumns = 80;

/// How text is rendered.
struct TextStyle {
  bool colour = false;  ///< Use escape sequences; for terminals only. The text itself does not change.
  bool ascii = false;   ///< Draw bars with # instead of block elements.
  std::size_t columns = kTextColumns;
};

/// No line is wider than the style says. The length of bars depends only on the style, so that bars of
/// several reports can be compared.
std::string render_text(const Document& document, const TextStyle& style);

}  // namespace heddle::report
