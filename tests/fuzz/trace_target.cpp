// Whatever the bytes, a trace is read or refused: it crashes nothing, hangs nowhere, and fills no memory.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "isa/base/diagnostic.h"
#include "sim/trace/read/text_reader.h"
#include "sim/trace/read/tracez_reader.h"

namespace {

using namespace heddle;

/// A file that is in memory only.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : descriptor_(memfd_create("fuzz", 0)) {
    if (descriptor_ < 0 || write(descriptor_, data, size) != static_cast<ssize_t>(size)) std::abort();
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// Every event and every instruction that a line names.
void read_all(trace::TraceReader& reader) {
  using Event = trace::TraceReader::Event;
  for (Event event = reader.next(); event != Event::End; event = reader.next()) {
    if (event != Event::Line) continue;
    const trace::TraceInstruction* instruction = reader.line().instruction;
    if (instruction != &reader.instruction(instruction->index)) std::abort();
    if (instruction->sources > trace::kMaxSources) std::abort();
  }
}

template <typename Open>
void read_or_refuse(Open open) {
  try {
    read_all(*open(trace::MistakeSink{}));
  } catch (const InputError& error) {
    if (error.list().empty()) std::abort();
  }
  try {
    read_all(*open([](const Diagnostic& diagnostic) {
      if (diagnostic.message.empty()) std::abort();
    }));
  } catch (const InputError&) {  // of the file itself
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const MemoryFile file(data, size);
  const std::string path = file.path();
  read_or_refuse([&](const trace::MistakeSink& sink) {
    return std::make_unique<trace::TextReader>(path, trace::open_source(path), sink);
  });
  read_or_refuse(
      [&](const trace::MistakeSink& sink) { return std::make_unique<trace::TracezReader>(path, sink); });
  return 0;
}
