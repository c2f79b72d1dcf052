#include <array>
#include <string_view>

#include "isa/base/file_kind.h"
#include "sim/trace/read/text_reader.h"
#include "sim/trace/read/tracez_reader.h"

namespace heddle::trace {

namespace {

constexpr std::string_view kBegin = "-kernel name = ";

}  // namespace

std::unique_ptr<TraceReader> open_trace(const std::string& path, MistakeSink sink) {
  require_role_of_file(FileRole::Trace, path);
  // Only its name tells that a file is a container.
  if (path.ends_with(".tracez")) return std::make_unique<TracezReader>(path, std::move(sink));
  return std::make_unique<TextReader>(path, open_source(path), std::move(sink));
}

bool begins_as_trace(const std::string& path) {
  try {
    const std::unique_ptr<ByteSource> source = open_source(path);
    std::array<char, kBegin.size()> bytes{};
    std::size_t filled = 0;
    while (filled != bytes.size()) {
      const std::size_t got = source->read(bytes.data() + filled, bytes.size() - filled);
      if (got == 0) return false;
      filled += got;
    }
    return std::string_view(bytes.data(), bytes.size()) == kBegin;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace heddle::trace
