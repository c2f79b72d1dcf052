// Reads a kernel trace from its beginning to its end, a line at a time: what the file holds, in its order.
//
//   head, then for each block: Block, for each warp: Warp, Line..., then EndBlock; at last End.
//
// What it gives is the launch of the head, and those who take it need not look again: each block of the grid
// once, in any order; in a block each warp once, in any order; of a warp as many lines as it says, in which
// lanes that exist execute, and exit.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "isa/base/diagnostic.h"
#include "sim/trace/format/trace_header.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

class TraceReader {
 public:
  enum class Event { Block, Warp, Line, EndBlock, End };

  virtual ~TraceReader() = default;

  [[nodiscard]] virtual const TraceHeader& header() const = 0;

  /// Goes on to what comes next. Throws InputError where the file is not as the format asks for, or not the
  /// launch of its head; after that the reader is of no more use. With a sink for mistakes it throws nothing,
  /// and gives what else there is.
  virtual Event next() = 0;

  // -- what `next` came to, valid until it goes on ----------------------------------------------------------
  [[nodiscard]] virtual const TraceBlock& block() const = 0;
  [[nodiscard]] virtual const TraceWarp& warp() const = 0;
  [[nodiscard]] virtual const TraceLine& line() const = 0;
  /// The instructions of lines live as long as the reader, each at its place.
  [[nodiscard]] virtual const TraceInstruction& instruction(std::uint32_t index) const = 0;
  [[nodiscard]] virtual std::uint32_t instructions() const = 0;

  /// Where the last event stands: file and line; for a .tracez container only the file.
  [[nodiscard]] virtual SourceLocation where() const = 0;
};

/// Hears of each mistake in a trace, in the order of the file.
using MistakeSink = std::function<void(const Diagnostic&)>;

/// Opens a trace by what it contains and its name: text, perhaps compressed by gzip, xz or zstd, or a
/// .tracez container. Reads its head. Throws InputError.
///
/// With a sink, mistakes go there and reading goes on at the next line that can be understood; only what
/// leaves nothing to be read, as a damaged compressed stream, ends it, with `End`.
std::unique_ptr<TraceReader> open_trace(const std::string& path, MistakeSink sink = {});

/// Whether the file's first bytes are those of a trace, compressed or not; false if it cannot be read.
bool begins_as_trace(const std::string& path);

}  // namespace heddle::trace
