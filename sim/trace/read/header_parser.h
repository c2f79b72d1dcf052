// Parses the head of a trace line by line: "-key = value".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/format/trace_header.h"

namespace heddle::trace {

/// Collects the lines of a head and checks them.
class HeaderParser {
 public:
  /// Parses a line that begins with '-', given without its end. Returns what is wrong with it, or an empty
  /// text.
  std::string add(std::string_view line);
  /// Parses the "#traces format" line. Like Accel-Sim, it accepts any other comment.
  void set_format(std::string_view line);

  /// Mistakes of the whole head: what is missing, and what does not fit together.
  [[nodiscard]] std::vector<std::string> complaints() const;
  [[nodiscard]] const TraceHeader& header() const { return header_; }
  /// Whether grid and block are known, so that positions in them can be checked.
  [[nodiscard]] bool has_shape() const { return has_grid_ && has_block_; }

 private:
  struct Field;
  static const Field kFields[];

  TraceHeader header_;
  std::vector<std::string_view> seen_;  // known keys that were seen
  std::size_t unknown_bytes_ = 0;
  bool has_grid_ = false;
  bool has_block_ = false;
};

}  // namespace heddle::trace
