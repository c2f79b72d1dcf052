// Reads a kernel trace from its beginning to its end, a line at a time: what the file holds, in its order.
//
//   head, then for each block: Block, for each warp: Warp, Line..., then EndBlock; at last End.
#pragma once

#include <memory>
#include <string>

#include "isa/base/diagnostic.h"
#include "sim/trace/trace_header.h"
#include "sim/trace/trace_line.h"

namespace heddle::trace {

class TraceReader {
 public:
  enum class Event { Block, Warp, Line, EndBlock, End };

  virtual ~TraceReader() = default;

  [[nodiscard]] virtual const TraceHeader& header() const = 0;

  /// Goes on to what comes next. Throws InputError where the file is not as the format asks for; after that
  /// the reader is of no more use.
  virtual Event next() = 0;

  // -- what `next` came to, valid until it goes on ----------------------------------------------------------
  [[nodiscard]] virtual const TraceBlock& block() const = 0;
  [[nodiscard]] virtual const TraceWarp& warp() const = 0;
  [[nodiscard]] virtual const TraceLine& line() const = 0;
  /// The instructions of lines live as long as the reader, each at its place.
  [[nodiscard]] virtual const TraceInstruction& instruction(std::uint32_t index) const = 0;
  [[nodiscard]] virtual std::uint32_t instructions() const = 0;

  /// Where the last event stands: file and line, and for a compressed file how far it has been read.
  [[nodiscard]] virtual SourceLocation where() const = 0;
};

/// Opens a trace by what it contains and its name: text, perhaps compressed by gzip, xz or zstd, or a
/// .tracez container. Reads its head. Throws InputError.
std::unique_ptr<TraceReader> open_trace(const std::string& path);

}  // namespace heddle::trace
