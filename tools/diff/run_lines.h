// The ledger by line of a report of `heddle run --lines --format json`.
//
// Models nothing: it holds what the report says.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/json/json_reader.h"

namespace heddle::diff {

/// A line that instructions stand on. What belongs to no line is one of these, too, with number 0.
struct RunLine {
  std::string file;  ///< Empty for what belongs to no line.
  std::uint64_t number = 0;
  std::string text;  ///< Without blanks around it; empty if the source could not be read.
  /// Issue slots by part: `issued`, and those that were lost for this line by stall reason. None is 0.
  std::map<std::string, std::uint64_t> slots;

  /// Used and lost.
  [[nodiscard]] std::uint64_t total() const;
};

/// A run by lines. The slots of all lines and those without a warp sum to the issue ledger, exactly.
struct RunLines {
  std::string level;           ///< "cuda", "ptx" or "ir".
  std::vector<RunLine> lines;  ///< In the order of files and lines.
  std::uint64_t without_warp = 0;
};

/// Reads the member `lines` of a report whose ledgers have been checked; nothing if it has none. What is
/// malformed, and sums that are not those of the ledger, are added to the problems.
std::optional<RunLines> lines_of(const Json& report, const std::string& file, Diagnostics& problems);

}  // namespace heddle::diff
