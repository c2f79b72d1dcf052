// The chunks of a .tracez container. Each is one zstd frame that may need the file's dictionary.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "sim/trace/io/byte_stream.h"
#include "sim/trace/io/file_view.h"

namespace heddle::trace {

/// Decompresses the chunks of one file with its dictionary. The dictionary can have at most 16 MiB; Accel-Sim
/// writes 64 KiB.
class ChunkDecoder {
 public:
  /// Throws InputError if the dictionary is not valid. An empty one means that there is none.
  ChunkDecoder(const std::string& path, std::span<const char> dictionary);
  ~ChunkDecoder();
  ChunkDecoder(const ChunkDecoder&) = delete;
  ChunkDecoder& operator=(const ChunkDecoder&) = delete;

  /// Opens the chunk of this many bytes at the cursor. Reading the chunk moves the cursor. This decoder and
  /// the cursor must outlive the source, and only one source can be open at a time. Throws InputError, and so
  /// does reading from the source.
  std::unique_ptr<ByteSource> open(FileCursor& cursor, std::uint32_t bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::trace
