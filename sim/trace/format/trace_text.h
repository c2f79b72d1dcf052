// Writes the text of a trace: blocks, warps and lines in the form that Accel-Sim's parser requires.
#pragma once

#include <string>

#include "sim/trace/format/trace_header.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

/// The columns of a line that not all versions have. Found once for a trace, not for each line.
struct LineForm {
  explicit LineForm(const TraceHeader& header);

  bool has_source_line = false;
  bool has_immediate = false;
  bool has_second_immediate = false;
  bool has_values = false;
};

/// "#BEGIN_TB", the block's position in the grid, and its position in the cluster if the trace has clusters.
void append_block_begin(std::string& text, const TraceBlock& block);
void append_warp_begin(std::string& text, const TraceWarp& warp);
/// The columns for block and warp that begin each line in versions before 3.
void append_place(std::string& text, const std::array<std::uint32_t, 3>& block, std::uint32_t warp);
/// One line with the columns of this form. Addresses are written in `line.format`, or as distances if it is a
/// stride and they have none.
void append_line(std::string& text, const TraceLine& line, const LineForm& form);
void append_block_end(std::string& text);

/// The columns of a memory operation's addresses: the number of the format, then the addresses in that
/// format.
void append_addresses(std::string& text, std::uint32_t mask, const std::array<Addr, kLanes>& addresses,
                      AddressFormat format);

/// The shortest format that can express these addresses. The tracer makes the same choice.
AddressFormat shortest_format(std::uint32_t mask, const std::array<Addr, kLanes>& addresses);

}  // namespace heddle::trace
