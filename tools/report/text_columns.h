// Text in columns: printable characters, width, wrapping and shortening.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

/// Replaces unprintable characters by '?', so that a file name cannot control a terminal.
std::string printable(std::string_view text);

/// The width of the text in columns: its number of code points.
std::size_t text_width(std::string_view text);

/// Pads the text with blanks on the right or on the left. Wider text is unchanged.
std::string pad_right(const std::string& text, std::size_t columns);
std::string pad_left(const std::string& text, std::size_t columns);

void trim_end(std::string& text);

/// Wraps text at blanks, but not before a percent sign. The first line has `first` columns, the others
/// `rest`. A word that is wider than a line is split.
std::vector<std::string> wrapped_lines(std::string_view text, std::size_t first, std::size_t rest);

/// Text that is too wide loses its middle: "void cutla...float>". Its end is kept because it distinguishes
/// names of one family.
std::string shortened(std::string_view text, std::size_t columns);

}  // namespace heddle::report
