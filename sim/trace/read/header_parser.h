// The head of a trace, line by line: "-key = value".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/format/trace_header.h"

namespace heddle::trace {

class HeaderParser {
 public:
  /// A line that begins with '-', without its end. Returns what is wrong with it; empty if nothing is.
  std::string add(std::string_view line);
  /// The "#traces format" line; any other comment will do as well, as for Accel-Sim.
  void set_format(std::string_view line);

  /// What the whole still lacks, or what does not fit together.
  [[nodiscard]] std::vector<std::string> complaints() const;
  [[nodiscard]] const TraceHeader& header() const { return header_; }
  /// Whether grid and block are known, so that places in them can be checked.
  [[nodiscard]] bool has_shape() const { return has_grid_ && has_block_; }

 private:
  struct Field;
  static const Field kFields[];

  TraceHeader header_;
  std::vector<std::string_view> seen_;  // keys of the table
  std::size_t unknown_bytes_ = 0;
  bool has_grid_ = false;
  bool has_block_ = false;
};

}  // namespace heddle::trace
