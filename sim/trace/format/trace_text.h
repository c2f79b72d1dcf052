// Writes the text of a trace: blocks, warps and lines in the form that Accel-Sim's parser requires.
#pragma once

#include <string>

#include "sim/trace/format/trace_header.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

/// "#BEGIN_TB", the block's position in the grid, and its position in the cluster if the trace has clusters.
void append_block_begin(std::string& text, const TraceBlock& block);
void append_warp_begin(std::string& text, const TraceWarp& warp);
/// The columns for block and warp that begin each line in versions before 3.
void append_place(std::string& text, const std::array<std::uint32_t, 3>& block, std::uint32_t warp);
/// One line with the columns that this head declares. Addresses are written in `line.format`, or as a list if
/// that format cannot express them.
void append_line(std::string& text, const TraceLine& line, const TraceHeader& header);
void append_block_end(std::string& text);

/// The columns of a memory operation's addresses: the number of the format, then the addresses in that
/// format.
void append_addresses(std::string& text, std::uint32_t mask, const std::array<Addr, kLanes>& addresses,
                      AddressFormat format);

/// The shortest format that can express these addresses. The tracer makes the same choice.
AddressFormat shortest_format(std::uint32_t mask, const std::array<Addr, kLanes>& addresses);

}  // namespace heddle::trace
