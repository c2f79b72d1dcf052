#include "tools/validate/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "isa/base/read_number.h"
#include "sim/config/suggest.h"
#include "tools/validate/csv_table.h"

namespace heddle::validate {

namespace {

bool is_same(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto x = cell_number(a);
  const auto y = cell_number(b);
  return x && y && launch::to_double(*x) == launch::to_double(*y);
}

/// Column names must differ, because cells are found by them.
void require_different(const std::vector<std::string>& columns, const SourceLocation& where,
                       Diagnostics& problems) {
  for (auto name = columns.begin(); name != columns.end(); ++name) {
    if (std::find(columns.begin(), name, *name) != name)
      problems.add(where, fmt::format("there are two columns '{}'", *name));
  }
}

std::vector<std::string> read_columns(const sim::YamlValue& value, Diagnostics& problems) {
  std::vector<std::string> names;
  const auto list = value.as_list(problems);
  if (!list) return names;
  for (const sim::YamlValue& name : *list) names.push_back(name.as_string(problems).value_or(""));
  require_different(names, value.where(), problems);
  return names;
}

std::vector<Row> read_listed(sim::YamlMap& item, const sim::YamlValue& columns, Diagnostics& problems) {
  const std::vector<std::string> names = read_columns(columns, problems);
  const auto rows = item.require("rows");
  const auto list = rows ? rows->as_list(problems) : std::nullopt;
  std::vector<Row> result;
  if (!list) return result;
  for (const sim::YamlValue& row : *list) {
    const std::vector<sim::YamlValue> cells = row.items();
    if (!row.is_list() || cells.size() != names.size()) {
      row.must_be(problems, fmt::format("a list with a cell for each column, {}", names.size()));
      continue;
    }
    result.push_back({{}, row.where()});
    for (std::size_t i = 0; i < cells.size(); ++i) {
      result.back().cells.emplace_back(names[i], cells[i].as_string(problems).value_or(""));
    }
  }
  return result;
}

bool is_assignment(std::string_view text) {
  const std::size_t equals = text.find('=');
  return equals != 0 && equals != std::string_view::npos;
}

/// "x=8;size=32" becomes two cells; any other cell stays as it is.
void add_cell(const std::string& column, const std::string& text, Cells& cells) {
  if (!is_assignment(text)) {
    cells.emplace_back(column, text);
    return;
  }
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const std::size_t equals = std::min(part.find('='), part.size());
    if (is_assignment(part)) cells.emplace_back(part.substr(0, equals), part.substr(equals + 1));
    begin = end + 1;
  }
}

std::vector<Row> read_csv(sim::YamlMap& item, const sim::YamlValue& file, const std::string& folder,
                          Diagnostics& problems) {
  const auto filter = item.find("where");
  const auto name = file.as_string(problems);
  std::vector<Row> result;
  if (!name) return result;
  const std::string path = (std::filesystem::path(folder) / *name).string();
  CsvTable table;
  try {
    table = load_csv(path);
    require_different(table.columns, {path, 0, 0}, problems);
  } catch (const InputError& error) {
    problems.add(error);
    return result;
  }
  for (const CsvRow& row : table.rows) {
    Row cells{{}, {path, row.line, 0}};
    for (std::size_t i = 0; i < row.cells.size(); ++i) add_cell(table.columns[i], row.cells[i], cells.cells);
    const std::size_t known = problems.list().size();
    if (!filter || matches(cells.cells, *filter, problems)) result.push_back(std::move(cells));
    if (problems.list().size() > known) return {};
  }
  if (result.empty()) (filter ? *filter : file).error(problems, fmt::format("no row of {} is taken", path));
  return result;
}

bool holds(const std::string& text, const sim::YamlValue& allowed) {
  if (!allowed.is_list()) return is_same(text, allowed.text());
  const std::vector<sim::YamlValue> list = allowed.items();
  return std::any_of(list.begin(), list.end(),
                     [&](const sim::YamlValue& one) { return is_same(text, one.text()); });
}

}  // namespace

std::optional<launch::Number> cell_number(const std::string& text) {
  if (const auto integer = number_in<std::int64_t>(text)) return *integer;
  if (const auto number = number_in<double>(text)) return *number;
  return std::nullopt;
}

const std::string* find_cell(const Cells& cells, const std::string& name) {
  const auto found =
      std::find_if(cells.begin(), cells.end(), [&](const auto& cell) { return cell.first == name; });
  return found == cells.end() ? nullptr : &found->second;
}

std::vector<Row> read_rows(sim::YamlMap& item, const std::string& folder, Diagnostics& problems) {
  const auto columns = item.find("columns");
  const auto csv = item.find("csv");
  if (columns && csv) csv->error_at_key(problems, "a case has 'columns' and 'rows', or 'csv', not both");
  if (columns) return read_listed(item, *columns, problems);
  if (csv) return read_csv(item, *csv, folder, problems);
  return {{{}, item.value().where()}};
}

bool matches(const Cells& cells, const sim::YamlValue& filter, Diagnostics& problems) {
  if (!filter.is_map()) {
    filter.must_be(problems, "a map of columns and what they hold");
    return false;
  }
  for (const sim::YamlValue& allowed : filter.items()) {
    const std::string* text = find_cell(cells, allowed.key());
    if (text != nullptr) {
      // Rows that are filtered out may lack later columns.
      if (!holds(*text, allowed)) return false;
      continue;
    }
    std::vector<std::string> names;
    for (const auto& cell : cells) names.push_back(cell.first);
    allowed.error_at_key(problems, fmt::format("there is no column or value '{}'; {}", allowed.key(),
                                               sim::suggestion(allowed.key(), names)));
    return false;
  }
  return true;
}

}  // namespace heddle::validate
