#include "sim/trace/text_reader.h"

namespace heddle::trace {

std::unique_ptr<TraceReader> open_trace(const std::string& path, MistakeSink sink) {
  return std::make_unique<TextReader>(path, open_source(path), std::move(sink));
}

}  // namespace heddle::trace
