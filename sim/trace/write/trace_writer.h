// Writes a trace as text or as a .tracez container.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sim/trace/format/trace_header.h"
#include "sim/trace/format/trace_line.h"
#include "sim/trace/io/byte_stream.h"

namespace heddle::trace {

/// The calls follow the events of a reader: block, warp, its lines, end of the block; then `finish`.
class TraceWriter {
 public:
  virtual ~TraceWriter() = default;
  virtual void block(const TraceBlock& block) = 0;
  virtual void warp(const TraceWarp& warp) = 0;
  virtual void line(const TraceLine& line) = 0;
  virtual void end_block() = 0;
  /// Writes everything to the file. Throws InputError if that fails.
  virtual void finish() = 0;
};

/// Writes the columns of the version in the head.
std::unique_ptr<TraceWriter> text_writer(TraceHeader header, std::unique_ptr<ByteSink> sink);

/// How a .tracez container is compressed.
struct TracezOptions {
  /// Least lines of a chunk; spin loops are not cut. 0: one chunk per warp.
  std::uint32_t lines_of_chunk = 2048;
  std::span<const char> dictionary = {};  ///< As ZDICT makes them; empty: none.
};

/// Writes directly to a new file.
std::unique_ptr<TraceWriter> tracez_writer(TraceHeader header, const SinkFile& file,
                                           const TracezOptions& options = {});

}  // namespace heddle::trace
