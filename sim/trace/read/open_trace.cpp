#include "sim/trace/read/text_reader.h"
#include "sim/trace/read/tracez_reader.h"

namespace heddle::trace {

std::unique_ptr<TraceReader> open_trace(const std::string& path, MistakeSink sink) {
  // A container has no mark of its own but its name.
  if (path.ends_with(".tracez")) return std::make_unique<TracezReader>(path, std::move(sink));
  return std::make_unique<TextReader>(path, open_source(path), std::move(sink));
}

}  // namespace heddle::trace
