#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "tools/report/json.h"
#include "tools/report/json_object.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::pair<std::string, std::string>>;

constexpr std::string_view kCommandColumn = "provenance.command";

/// Replaces bytes that are not UTF-8 by U+FFFD, as in JSON.
std::string valid_text(const Json& text) {
  return Json::parse(text.dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

std::string cell_text(const Json& leaf) {
  if (leaf.is_null()) return {};
  if (leaf.is_string()) return valid_text(leaf);
  if (!leaf.is_array() && !leaf.is_object()) return leaf.dump();
  std::string joined;
  for (const Json& element : leaf) {
    if (!joined.empty()) joined += leaf.is_array() ? ' ' : ':';
    joined += cell_text(element);
  }
  return joined;
}

/// A list of words in shell syntax.
std::string shell_text(const Json& words) {
  Json quoted = Json::array();
  for (const Json& word : words) quoted.push_back(shell_quoted(word.get<std::string>()));
  return cell_text(quoted);
}

Cells cells_of(const Json& object) {
  Cells cells;
  visit_leaves({}, object, [&cells](const std::string& name, const Json& leaf) {
    cells.emplace_back(name, name == kCommandColumn ? shell_text(leaf) : cell_text(leaf));
  });
  return cells;
}

/// As in RFC 4180: in quotes if it contains separators.
std::string in_quotes(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string line(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = in_quotes(cell);
  return fmt::format("{}\n", fmt::join(cells, ","));
}

/// Inserts new columns after the one that they follow in the row.
void add_columns(const Cells& cells, std::vector<std::string>& columns) {
  auto place = columns.begin();
  for (const auto& [name, text] : cells) {
    const auto known = std::find(columns.begin(), columns.end(), name);
    place = known == columns.end() ? columns.insert(place, name) : known;
    ++place;
  }
}

std::string row(const Cells& cells, const std::vector<std::string>& columns) {
  const std::map<std::string, std::string> texts(cells.begin(), cells.end());
  std::vector<std::string> row;
  for (const std::string& column : columns) {
    const auto text = texts.find(column);
    row.push_back(text == texts.end() ? std::string() : text->second);
  }
  return line(row);
}

bool same_names(const Cells& a, const Cells& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& one, const auto& other) { return one.first == other.first; });
}

}  // namespace

/// GPUs have different pipes, and samples have additional keys. Cells of columns that an object lacks are
/// empty.
std::string to_csv(std::span<const Json> objects) {
  std::vector<Cells> rows;
  std::vector<std::string> columns;
  for (const Json& object : objects) {
    Cells cells = cells_of(object);
    if (rows.empty() || !same_names(rows.back(), cells)) add_columns(cells, columns);
    rows.push_back(std::move(cells));
  }
  if (rows.empty()) return {};
  std::string csv = line(columns);
  for (const Cells& cells : rows) csv += row(cells, columns);
  return csv;
}

ProvenanceCells provenance_cells(const Provenance& provenance) {
  const Json object = {{"provenance", to_object(provenance)}};
  const std::string csv = to_csv(std::span(&object, 1));
  const std::size_t end = csv.find('\n');  // keys of a GPU and parameters contain no newline
  return {csv.substr(0, end), csv.substr(end + 1, csv.size() - end - 2)};
}

std::string to_csv(std::span<const Summary> runs, std::span<const Failure> failures) {
  std::vector<Json> objects;
  for (const Summary& run : runs) objects.push_back(to_object(run));
  for (const Failure& failure : failures) objects.push_back(to_object(failure));
  return to_csv(objects);
}

}  // namespace heddle::report
