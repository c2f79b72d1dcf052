// Reads tables of comma-separated values in the form of RFC 4180. Lines that begin with # are comments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::validate {

/// A row of a table.
struct CsvRow {
  std::vector<std::string> cells;
  std::uint32_t line = 0;
  std::size_t given = 0;  ///< Number of cells in the file; empty cells may have been added at the end.
};

/// A table with a header.
struct CsvTable {
  std::vector<std::string> columns;
  std::vector<CsvRow> rows;  ///< Each has as many cells as there are columns.
};

/// Reads records one by one. A record can contain line ends inside of quotes.
class CsvReader {
 public:
  /// Both arguments must outlive this.
  CsvReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  /// Comments and empty lines give a row without cells. Throws InputError for a quote without an end.
  CsvRow next();

  [[nodiscard]] std::uint32_t line() const { return line_; }
  /// The rest of the next line.
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

/// Throws InputError for a row with more or fewer cells than columns, and for a quote without an end.
CsvTable parse_csv(std::string_view text, const std::string& file);

/// Also throws InputError for a file that cannot be read or is larger than 64 MiB.
CsvTable load_csv(const std::string& path);

}  // namespace heddle::validate
