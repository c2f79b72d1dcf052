// Tables of comma-separated values, as RFC 4180 has them; lines that begin with # are comments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::validate {

struct CsvRow {
  std::vector<std::string> cells;
  std::uint32_t line = 0;
  std::size_t given = 0;  ///< Cells that stand in the file, where some were added at the end.
};

struct CsvTable {
  std::vector<std::string> columns;
  std::vector<CsvRow> rows;  ///< Each with as many cells as there are columns.
};

/// Takes records off the front of a text. A record goes on to the next line inside of quotes.
class CsvReader {
 public:
  /// Both outlive it.
  CsvReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  /// Comments and empty lines have no cells. Throws InputError for a quote that is never closed.
  CsvRow next();

  [[nodiscard]] std::uint32_t line() const { return line_; }
  /// What is left of the line that comes next.
  [[nodiscard]] std::string_view line_text() const;
  void skip_line();

 private:
  bool take(char c);
  std::string cell();
  std::string quoted_cell();

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
};

/// Throws InputError where a row has more or fewer cells than there are columns, or a quote is never closed.
CsvTable parse_csv(std::string_view text, const std::string& file);

/// Throws InputError also for a file that cannot be read or is larger than 64 MiB.
CsvTable load_csv(const std::string& path);

}  // namespace heddle::validate
