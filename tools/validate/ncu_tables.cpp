#include "tools/validate/ncu_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "isa/base/diagnostic.h"
#include "isa/base/file_kind.h"
#include "isa/base/read_file.h"

namespace heddle::validate {

namespace {

constexpr std::size_t kMostProblems = 20;

/// A digit, or a separator between thousands.
bool is_of_count(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == ','; }

/// Nsight Compute quotes each cell; a spreadsheet program may remove the quotes.
bool is_header(std::string_view line) { return line.starts_with("\"ID\",") || line.starts_with("ID,"); }

/// A row begins with the number of a launch; the row of units begins with an empty cell.
bool begins_row(std::string_view line, bool is_quoted) {
  if (is_quoted && !line.starts_with('"')) return false;
  if (is_quoted) line.remove_prefix(1);
  const std::size_t end = std::min(line.find(is_quoted ? '"' : ','), line.size());
  if (!std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(end), is_of_count)) return false;
  return line.substr(end).starts_with(is_quoted ? "\"," : ",");
}

/// This happens if the program's output had no newline before the profiler's.
bool hides_row(std::string_view line, bool is_quoted) {
  constexpr std::ptrdiff_t kCellsOfARow = 5;
  if (!is_quoted) return false;
  std::ptrdiff_t cells = 0;
  for (std::size_t at = 0; (at = line.find("\",\"", at)) != std::string_view::npos; at += 2) ++cells;
  return cells >= kCellsOfARow;
}

struct OtherFormat {
  std::string_view sign;  ///< A text that occurs in it.
  std::string_view told;
};

constexpr OtherFormat kOtherFormats[] = {
    {"NVPROF is profiling",
     "is output of nvprof: ncu --csv --page raw in its place prints a table that can be read"},
    {"\"Device\",\"Kernel\",\"Invocations\"",
     "is output of nvprof: ncu --csv --page raw in its place prints a table that can be read"},
    {"\"Time(%)\"", "is a summary of nvprof or nsys: ncu --csv --page raw prints a table that can be read"},
    {"Time (%),", "is a summary of nsys: ncu --csv --page raw prints a table that can be read"},
    {"\"Minimum\",\"Maximum\",\"Average\"",
     "is what ncu --print-summary prints, which has no launches in it: leave that option out"},
    {"Minimum,Maximum,Average",
     "is what ncu --print-summary prints, which has no launches in it: leave that option out"},
    {"Section: ", "is what ncu prints without --csv: add that option"},
};

[[noreturn]] void refuse_without_table(std::string_view text, const std::string& path) {
  for (const OtherFormat& other : kOtherFormats) {
    if (text.find(other.sign) != std::string_view::npos)
      throw InputError({path, 0, 0}, std::string(other.told));
  }
  throw InputError({path, 0, 0},
                   "there is no column 'ID': no report of ncu --csv --page raw or details");
}

class LogReader {
 public:
  LogReader(std::string_view text, const std::string& path) : reader_(text, path), path_(path) {}

  std::vector<CsvTable> read() {
    while (!reader_.at_end() && problems_.list().size() < kMostProblems) read_line();
    problems_.throw_if_any();
    return std::move(tables_);
  }

 private:
  void read_line() {
    const std::string_view line = reader_.line_text();
    if (is_header(line)) {
      is_quoted_ = line.starts_with('"');
      tables_.push_back({reader_.next().cells, {}});
    } else if (!tables_.empty() && begins_row(line, is_quoted_)) {
      add_row();
    } else {
      if (!tables_.empty() && hides_row(line, is_quoted_))
        problems_.add({path_, reader_.line(), 0}, "a row of the table begins in the middle of this line");
      reader_.skip_line();
    }
  }

  void add_row() {
    const std::size_t columns = tables_.back().columns.size();
    const std::string_view line = reader_.line_text();
    const bool ends_in_comma = line.substr(0, line.find_last_not_of(" \t\r") + 1).ends_with(',');
    CsvRow row = reader_.next();
    if (row.cells.size() == columns + 1 && ends_in_comma) row.cells.pop_back();
    if (row.cells.size() > columns) {
      return problems_.add({path_, row.line, 0},
                           fmt::format("a row has at most as many cells as there are columns, {}; found {}",
                                       columns, row.cells.size()));
    }
    row.given = row.cells.size();
    row.cells.resize(columns);
    tables_.back().rows.push_back(std::move(row));
  }

  CsvReader reader_;
  const std::string& path_;
  std::vector<CsvTable> tables_;
  Diagnostics problems_;
  bool is_quoted_ = true;
};

}  // namespace

std::vector<CsvTable> load_ncu_tables(const std::string& path) {
  const std::string contents = read_file(path);
  require_role(FileRole::Report, path, contents);
  const std::string_view text = without_byte_order_mark(contents, path);
  std::vector<CsvTable> tables = LogReader(text, path).read();
  if (tables.empty()) refuse_without_table(text, path);
  return tables;
}

}  // namespace heddle::validate
