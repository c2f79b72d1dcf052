#include <fmt/format.h>

#include <utility>

#include "tools/report/json.h"
#include "tools/report/json_object.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::pair<std::string, std::string>>;

std::string cell_text(const Json& leaf) {
  if (leaf.is_null()) return {};
  if (leaf.is_string()) return leaf.get<std::string>();
  if (!leaf.is_array() && !leaf.is_object()) return leaf.dump();
  std::string joined;
  for (const Json& element : leaf) {
    if (!joined.empty()) joined += leaf.is_array() ? ' ' : ':';
    joined += cell_text(element);
  }
  return joined;
}

void flatten(const std::string& name, const Json& value, Cells& cells) {
  if (!value.is_object()) {
    cells.emplace_back(name, cell_text(value));
    return;
  }
  for (const auto& [key, inner] : value.items()) {
    flatten(name.empty() ? key : fmt::format("{}.{}", name, key), inner, cells);
  }
}

/// As RFC 4180 has it: in quotes where it holds what separates cells.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

template <typename Text>
std::string row(const Cells& cells, Text text) {
  std::string row;
  for (const auto& cell : cells) row += quoted(text(cell)) + ',';
  if (!row.empty()) row.back() = '\n';
  return row;
}

}  // namespace

std::string to_csv(std::span<const Json> objects) {
  std::string csv;
  for (const Json& object : objects) {
    Cells cells;
    flatten({}, object, cells);
    if (csv.empty()) csv += row(cells, [](const auto& cell) { return cell.first; });
    csv += row(cells, [](const auto& cell) { return cell.second; });
  }
  return csv;
}

std::string to_csv(std::span<const Summary> runs) {
  std::vector<Json> objects;
  for (const Summary& run : runs) objects.push_back(to_object(run));
  return to_csv(objects);
}

}  // namespace heddle::report
