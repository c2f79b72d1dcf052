// Writes a trace from what a reader says: as text, or as a .tracez container.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sim/trace/format/trace_header.h"
#include "sim/trace/format/trace_line.h"
#include "sim/trace/io/byte_stream.h"

namespace heddle::trace {

/// The calls come as the reader's events do: block, warp, its lines, end of the block; then `finish`.
class TraceWriter {
 public:
  virtual ~TraceWriter() = default;
  virtual void block(const TraceBlock& block) = 0;
  virtual void warp(const TraceWarp& warp) = 0;
  virtual void line(const TraceLine& line) = 0;
  virtual void end_block() = 0;
  /// All is with the file. Throws InputError if it cannot be.
  virtual void finish() = 0;
};

/// In columns of the head's version.
std::unique_ptr<TraceWriter> text_writer(TraceHeader header, std::unique_ptr<ByteSink> sink);

struct TracezOptions {
  std::uint32_t lines_of_chunk = 2048;    ///< At least; spin loops are not cut. 0: a chunk a warp.
  std::span<const char> dictionary = {};  ///< As ZDICT trains them; none if empty.
};

/// Writes into a new file, as it is.
std::unique_ptr<TraceWriter> tracez_writer(TraceHeader header, const SinkFile& file,
                                           const TracezOptions& options = {});

}  // namespace heddle::trace
