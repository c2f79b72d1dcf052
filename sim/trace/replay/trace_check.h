// Whether a trace can be replayed at all, whatever the GPU.
#pragma once

#include <cstdint>
#include <string>

#include "sim/trace/read/trace_reader.h"

namespace heddle::trace {

struct TraceSize {
  std::uint64_t blocks = 0;
  std::uint64_t lines = 0;  ///< Of instructions, that could be read.
};

/// Reads a trace to its end, tells the sink of all that a replay would be refused for, in the order of the
/// file, and returns what could be read. Throws InputError if the file cannot be opened.
TraceSize check_trace(const std::string& path, MistakeSink sink);

}  // namespace heddle::trace
