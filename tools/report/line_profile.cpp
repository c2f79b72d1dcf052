#include "tools/report/line_profile.h"

#include <fmt/format.h>

#include <array>

#include "tools/report/text_columns.h"

namespace heddle::report {

std::string_view key_of(SourceLevel level) {
  static constexpr std::array<std::string_view, 3> kKeys = {"cuda", "ptx", "ir"};
  return kKeys[static_cast<std::size_t>(level)];
}

std::string SourceText::short_name() const { return printable(name.substr(name.find_last_of('/') + 1)); }

std::string_view SourceText::line(std::uint32_t number) const {
  return number == 0 || number > lines.size() ? std::string_view() : lines[number - 1];
}

SourceText source_text(const std::string& name, const std::string& text) {
  SourceText source{name, {}};
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    source.lines.push_back(text.substr(begin, end - begin));
    if (source.lines.back().ends_with('\r')) source.lines.back().pop_back();
    begin = end + 1;
  }
  return source;
}

std::string LineProfile::name_of(const sim::LinePlace& place) const {
  return fmt::format("line {} of {}", place.line, file_of(place).short_name());
}

}  // namespace heddle::report
