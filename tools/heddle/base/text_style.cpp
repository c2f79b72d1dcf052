#include "tools/heddle/base/text_style.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "tools/heddle/base/output.h"

namespace heddle::command {

namespace {

/// With fewer columns, most lines would have a single word.
constexpr std::size_t kLeastColumns = 40;
constexpr std::size_t kMostColumns = 1000;

bool is_usable(std::size_t columns) { return columns >= kLeastColumns && columns <= kMostColumns; }

/// 0 if the variable has no valid value.
std::size_t columns_of_environment() {
  const char* variable = std::getenv("COLUMNS");
  if (variable == nullptr) return 0;
  const std::string_view text = variable;
  std::size_t columns = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), columns);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && is_usable(columns) ? columns : 0;
}

/// 0 if it is not a terminal or does not know its width.
std::size_t columns_of_terminal() {
  winsize size{};
  if (!is_terminal(stdout) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
  return is_usable(size.ws_col) ? size.ws_col : 0;
}

}  // namespace

std::size_t output_columns() {
  if (const std::size_t columns = columns_of_environment()) return columns;
  if (const std::size_t columns = columns_of_terminal()) return columns;
  return report::kTextColumns;
}

report::TextStyle text_style(const std::optional<std::string>& file, bool ascii) {
  if (file) return {false, ascii, report::kTextColumns};
  return {wants_colour(stdout), ascii, output_columns()};
}

}  // namespace heddle::command
