// Parses the line of one instruction.
#pragma once

#include <string_view>

#include "sim/trace/format/trace_header.h"
#include "sim/trace/format/trace_line.h"
#include "sim/trace/read/instruction_table.h"

namespace heddle::trace {

/// Parses lines with the columns that a trace's head declares.
class LineParser {
 public:
  explicit LineParser(const TraceHeader& header);

  /// Sets the block and warp of the following lines. Versions before 3 repeat them in each line; then they
  /// are compared.
  void set_place(const TraceBlock& block, std::uint32_t warp) {
    block_ = block.id;
    warp_ = warp;
  }

  /// Parses a line. The text must be followed by '\n'. Throws Malformed.
  void parse(std::string_view text);

  // -- the line that was parsed last ------------------------------------------------------------------
  [[nodiscard]] const TraceLine& line() const { return line_; }
  [[nodiscard]] const KnownInstruction& known() const { return *known_; }
  [[nodiscard]] const InstructionTable& table() const { return table_; }

 private:
  void parse_place(const char*& at) const;
  void parse_immediates(const char*& at);

  bool has_place_;
  bool has_source_line_;
  bool has_values_;
  bool has_group_end_;
  unsigned most_immediates_;
  std::array<std::uint32_t, 3> block_{};
  std::uint32_t warp_ = 0;
  InstructionTable table_;
  const KnownInstruction* known_ = nullptr;
  TraceLine line_;
};

}  // namespace heddle::trace
