// Tables of comma-separated values, as RFC 4180 has them; lines that begin with # are comments.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::validate {

struct CsvRow {
  std::vector<std::string> cells;
  std::uint32_t line = 0;
};

struct CsvTable {
  std::vector<std::string> columns;
  std::vector<CsvRow> rows;  ///< Each with as many cells as there are columns.
};

/// Throws InputError where a row has more or fewer cells than there are columns, or a quote is never closed.
/// `first_line` is the number of the text's first line in the file.
CsvTable parse_csv(std::string_view text, const std::string& file, std::uint32_t first_line = 1);

/// Throws InputError also for a file that cannot be read or is larger than 64 MiB. With `header`, what stands
/// before the first line that begins with it is no part of the table.
CsvTable load_csv(const std::string& path, std::string_view header = {});

}  // namespace heddle::validate
