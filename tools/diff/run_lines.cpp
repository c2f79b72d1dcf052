#include "tools/diff/run_lines.h"

#include <fmt/format.h>

namespace heddle::diff {

namespace {

/// Larger counts are refused, so that sums cannot overflow.
constexpr std::uint64_t kMostCount = std::uint64_t{1} << 53;
/// A report with more lines than this is not one of ours.
constexpr std::size_t kMostLines = 1'000'000;

std::string without_blanks(const std::string& text) {
  constexpr const char* kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

bool is_null(const Json& object, const char* key) {
  const Json* value = look_up(object, key);
  return value != nullptr && value->is_null();
}

RunLine line_of(const Json& object, const std::string& path, JsonReader& reader) {
  RunLine line;
  if (!is_null(object, "line")) {
    line.file = reader.text(object, "file", path);
    line.number = reader.whole(object, "line", path).value_or(0);
    line.text = without_blanks(reader.text(object, "text", path));
  }
  if (const auto issued = reader.whole(object, "issued", path, kMostCount).value_or(0); issued != 0)
    line.slots["issued"] = issued;
  const Json* costs = reader.part(object, "costs", path, JsonReader::Part::Object);
  if (costs == nullptr) return line;
  for (const auto& [reason, value] : costs->items()) {
    const auto slots = reader.whole(*costs, reason.c_str(), path + "costs.", kMostCount);
    if (reason != "total" && slots.value_or(0) != 0) line.slots[reason] = *slots;
  }
  return line;
}

}  // namespace

std::uint64_t RunLine::total() const {
  std::uint64_t sum = 0;
  for (const auto& [part, count] : slots) sum += count;
  return sum;
}

std::optional<RunLines> lines_of(const Json& report, const std::string& file, Diagnostics& problems) {
  const Json* object = look_up(report, "lines");
  if (object == nullptr) return std::nullopt;
  JsonReader reader(file, problems);
  RunLines lines;
  lines.level = reader.text(*object, "level", "lines.");
  lines.without_warp = reader.whole(*object, "without_warp", "lines.", kMostCount).value_or(0);
  const Json* list = reader.part(*object, "lines", "lines.", JsonReader::Part::List);
  if (list == nullptr) return std::nullopt;
  if (list->size() > kMostLines) {
    problems.add({file, 0, 0},
                 fmt::format("lines.lines has {} lines; at most {} are read", list->size(), kMostLines));
    return std::nullopt;
  }
  std::uint64_t sum = lines.without_warp;
  bool fits = true;
  for (std::size_t i = 0; i < list->size(); ++i) {
    lines.lines.push_back(line_of((*list)[i], fmt::format("lines.lines[{}].", i), reader));
    for (const auto& [part, count] : lines.lines.back().slots)
      fits = !__builtin_add_overflow(sum, count, &sum) && fits;
  }
  const std::uint64_t ledger = report.at("ledgers").at("issue_slots").at("total").get<std::uint64_t>();
  if (problems.empty() && (!fits || sum != ledger)) {
    problems.add({file, 0, 0},
                 fmt::format("the slots of its lines sum to {}, not to the total of ledgers.issue_slots, {}",
                             sum, ledger));
  }
  return lines;
}

}  // namespace heddle::diff
