// Text in columns of a terminal: what is printable, how wide it is, how it is broken and shortened.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

/// What is no printable text becomes '?', so that no file name can steer a terminal.
std::string printable(std::string_view text);

/// Columns that the text takes: its code points.
std::size_t text_width(std::string_view text);

/// With blanks on the right, or on the left, up to so many columns; wider text stays as it is.
std::string pad_right(const std::string& text, std::size_t columns);
std::string pad_left(const std::string& text, std::size_t columns);

void trim_end(std::string& text);

/// Broken at blanks, but not before a percent sign; the first line has `first` columns, the others `rest`. A
/// word that is wider than a line is broken, too.
std::vector<std::string> wrapped_lines(std::string_view text, std::size_t first, std::size_t rest);

/// Text of more columns than there are without its middle: "void cutla...float>". Its end is what tells names
/// of one family apart.
std::string shortened(std::string_view text, std::size_t columns);

}  // namespace heddle::report
