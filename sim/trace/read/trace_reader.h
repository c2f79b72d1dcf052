// Reads a kernel trace from beginning to end, line by line, in the order of the file.
//
//   head, then for each block: Block, for each warp: Warp, Line..., then EndBlock; at last End.
//
// The result is guaranteed to be the launch that the head describes, so callers need no checks: each block of
// the grid comes once, in any order; each warp of a block comes once, in any order; a warp has as many lines
// as it declares; only lanes that exist execute, and all of them exit. Of blocks that are skipped, only the
// numbers of lines are sure.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "isa/base/diagnostic.h"
#include "sim/trace/format/trace_header.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

/// A trace as a sequence of events.
class TraceReader {
 public:
  /// What `next` found in the file.
  enum class Event { Block, Warp, Line, EndBlock, End };

  virtual ~TraceReader() = default;

  [[nodiscard]] virtual const TraceHeader& header() const = 0;

  /// Moves to the next event. Throws InputError if the file does not follow the format or does not fit the
  /// launch in its head; then the reader cannot be used any more. With a sink for mistakes it throws nothing
  /// and continues with what can be read.
  virtual Event next() = 0;

  /// After Block: moves to the EndBlock of the block, as if it were found by `next`. Lines on the way are
  /// neither parsed nor checked. Throws as `next` does.
  virtual void skip_block() {
    for (Event event = next(); event != Event::EndBlock && event != Event::End;) event = next();
  }

  // -- What `next` found; valid until the next call. --------------------------------------------------
  [[nodiscard]] virtual const TraceBlock& block() const = 0;
  [[nodiscard]] virtual const TraceWarp& warp() const = 0;
  [[nodiscard]] virtual const TraceLine& line() const = 0;
  /// An instruction by its index. It lives as long as the reader and does not move.
  [[nodiscard]] virtual const TraceInstruction& instruction(std::uint32_t index) const = 0;
  [[nodiscard]] virtual std::uint32_t instructions() const = 0;

  /// Position of the last event: file and line. For a .tracez container only the file.
  [[nodiscard]] virtual SourceLocation where() const = 0;
};

/// Receives each mistake in a trace, in the order of the file.
using MistakeSink = std::function<void(const Diagnostic&)>;

/// Opens a trace and reads its head. The form is recognized by the contents and the name: text, plain or
/// compressed by gzip, xz or zstd, or a .tracez container. Throws InputError.
///
/// With a sink, mistakes are reported there and reading continues at the next line that can be understood.
/// Only damage after which nothing can be read, such as in a compressed stream, ends it early, with `End`.
std::unique_ptr<TraceReader> open_trace(const std::string& path, MistakeSink sink = {});

/// Whether the first bytes of a file are those of a trace, compressed or not. False if it cannot be read.
bool begins_as_trace(const std::string& path);

}  // namespace heddle::trace
