// The text of a trace as it is written: blocks, warps and lines as Accel-Sim's parser insists on them.
#pragma once

#include <string>

#include "sim/trace/format/trace_header.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

/// "#BEGIN_TB", the block's place in the grid, and in its cluster if the trace has clusters.
void append_block_begin(std::string& text, const TraceBlock& block);
void append_warp_begin(std::string& text, const TraceWarp& warp);
/// What versions before 3 have before each line.
void append_place(std::string& text, const std::array<std::uint32_t, 3>& block, std::uint32_t warp);
/// One line, in the columns that this head promises; addresses in `line.format`, or in a list where that
/// format cannot say them.
void append_line(std::string& text, const TraceLine& line, const TraceHeader& header);
void append_block_end(std::string& text);

/// The columns of a memory operation's addresses: the number of their format, then what it asks for.
void append_addresses(std::string& text, std::uint32_t mask, const std::array<Addr, kLanes>& addresses,
                      AddressFormat format);

/// The shortest format that can say these lanes' addresses, as the tracer chooses it.
AddressFormat shortest_format(std::uint32_t mask, const std::array<Addr, kLanes>& addresses);

}  // namespace heddle::trace
