// Checks whether a trace can be replayed on any GPU.
#pragma once

#include <cstdint>
#include <string>

#include "sim/trace/read/trace_reader.h"

namespace heddle::trace {

/// How much of a trace could be read.
struct TraceSize {
  std::uint64_t blocks = 0;
  std::uint64_t lines = 0;  ///< Lines of instructions that could be read.
};

/// Reads a trace to its end and reports to the sink everything that a replay would refuse, in the order of
/// the file. Returns what could be read. Throws InputError if the file cannot be opened.
TraceSize check_trace(const std::string& path, MistakeSink sink);

}  // namespace heddle::trace
