#include "tools/validate/csv_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/diagnostic.h"
#include "isa/base/read_file.h"

namespace heddle::validate {

namespace {

constexpr std::size_t kMostProblems = 20;

}  // namespace

CsvRow CsvReader::next() {
  CsvRow row{{}, line_};
  const std::string_view line = line_text();
  if (line.starts_with('#') || line.find_first_not_of(" \t\r") == std::string_view::npos) {
    skip_line();
    return row;
  }
  do row.cells.push_back(cell());
  while (take(','));
  take('\r');
  if (!at_end()) ++at_;
  ++line_;
  return row;
}

std::string_view CsvReader::line_text() const { return text_.substr(at_, text_.find('\n', at_) - at_); }

void CsvReader::skip_line() {
  at_ += line_text().size() + 1;
  ++line_;
}

bool CsvReader::take(char c) {
  if (at_end() || text_[at_] != c) return false;
  ++at_;
  return true;
}

std::string CsvReader::cell() {
  while (take(' ') || take('\t')) {
  }
  if (take('"')) return quoted_cell();
  const std::size_t end = std::min(text_.find_first_of(",\r\n", at_), text_.size());
  std::string text(text_.substr(at_, end - at_));
  at_ = end;
  text.erase(text.find_last_not_of(" \t") + 1);
  return text;
}

std::string CsvReader::quoted_cell() {
  const std::uint32_t begin = line_;
  std::string text;
  while (!at_end()) {
    const char c = text_[at_++];
    if (c == '\n') ++line_;
    if (c == '"' && !take('"')) return text;
    text += c;
  }
  throw InputError({file_, begin, 0}, "this line opens a quote that is never closed");
}

CsvTable parse_csv(std::string_view text, const std::string& file) {
  CsvTable table;
  Diagnostics problems;
  CsvReader reader(text, file);
  while (!reader.at_end() && problems.list().size() < kMostProblems) {
    CsvRow row = reader.next();
    if (row.cells.empty()) continue;
    if (table.columns.empty()) {
      table.columns = std::move(row.cells);
    } else if (row.cells.size() == table.columns.size()) {
      table.rows.push_back(std::move(row));
    } else {
      problems.add({file, row.line, 0},
                   fmt::format("a row has as many cells as there are columns, {}; found {}",
                               table.columns.size(), row.cells.size()));
    }
  }
  if (table.columns.empty()) problems.add({file, 0, 0}, "there is no line with the names of the columns");
  problems.throw_if_any();
  return table;
}

CsvTable load_csv(const std::string& path) {
  const std::string contents = read_file(path);
  return parse_csv(without_byte_order_mark(contents, path), path);
}

}  // namespace heddle::validate
