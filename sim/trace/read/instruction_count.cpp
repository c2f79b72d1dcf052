#include "sim/trace/read/instruction_count.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "isa/base/diagnostic.h"
#include "isa/base/read_number.h"
#include "sim/trace/io/byte_stream.h"
#include "sim/trace/read/line_window.h"
#include "sim/trace/read/tracez_reader.h"
#include "sim/trace/read/trimmed.h"

namespace heddle::trace {

namespace {

constexpr std::string_view kKey = "insts = ";

SourceLocation place_of(const std::string& path, std::uint64_t line) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return {path, static_cast<std::uint32_t>(std::min(line, kMost)), 0};
}

std::uint64_t count_in_text(const std::string& path) {
  LineWindow lines(open_source(path));
  std::uint64_t sum = 0;
  while (lines.next() != LineWindow::Found::End) {
    const std::string_view text = lines.text();
    if (!text.starts_with(kKey)) continue;
    const auto count = number_in<std::uint64_t>(trimmed(text.substr(kKey.size())));
    if (!count) throw InputError(place_of(path, lines.number()), "'insts = n' has no number n");
    sum += *count;
  }
  return sum;
}

}  // namespace

std::uint64_t count_instructions(const std::string& path) {
  // Only its name tells that a file is a container, as in open_trace().
  if (path.ends_with(".tracez")) return TracezReader(path, {}).instructions_in_index();
  return count_in_text(path);
}

}  // namespace heddle::trace
