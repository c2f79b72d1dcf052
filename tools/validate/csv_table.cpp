#include "tools/validate/csv_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/diagnostic.h"
#include "isa/base/read_file.h"

namespace heddle::validate {

namespace {

constexpr std::size_t kMostProblems = 20;

/// Takes records off the front of a text. A record goes on to the next line inside of quotes.
class Reader {
 public:
  Reader(std::string_view text, const std::string& file, std::uint32_t line)
      : text_(text), file_(file), line_(line) {}

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }

  /// Without comments and empty lines, which have no cells.
  CsvRow next() {
    CsvRow row{{}, line_};
    const std::size_t end = text_.find('\n', at_);
    const std::string_view line = text_.substr(at_, end - at_);
    if (line.starts_with('#') || line.find_first_not_of(" \t\r") == std::string_view::npos) {
      at_ += line.size() + 1;
      ++line_;
      return row;
    }
    do row.cells.push_back(cell());
    while (take(','));
    take('\r');
    if (!at_end()) ++at_;
    ++line_;
    return row;
  }

 private:
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string cell() {
    while (take(' ') || take('\t')) {
    }
    if (take('"')) return quoted_cell();
    const std::size_t end = std::min(text_.find_first_of(",\r\n", at_), text_.size());
    std::string text(text_.substr(at_, end - at_));
    at_ = end;
    text.erase(text.find_last_not_of(" \t") + 1);
    return text;
  }

  std::string quoted_cell() {
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

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::uint32_t line_;
};

/// Of the line that begins with the header; 0 if none does.
std::size_t header_position(std::string_view text, std::string_view header) {
  if (header.empty() || text.starts_with(header)) return 0;
  const std::size_t found = text.find(fmt::format("\n{}", header));
  return found == std::string::npos ? 0 : found + 1;
}

}  // namespace

CsvTable parse_csv(std::string_view text, const std::string& file, std::uint32_t first_line) {
  CsvTable table;
  Diagnostics problems;
  Reader reader(text, file, first_line);
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

CsvTable load_csv(const std::string& path, std::string_view header) {
  const std::string contents = read_file(path);
  const std::string_view text = without_byte_order_mark(contents, path);
  const std::size_t begin = header_position(text, header);
  const auto before = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
  return parse_csv(text.substr(begin), path, static_cast<std::uint32_t>(before) + 1);
}

}  // namespace heddle::validate
