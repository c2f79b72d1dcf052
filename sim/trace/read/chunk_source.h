// The chunks of a .tracez container: each one zstd frame, perhaps with the file's dictionary.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "sim/trace/io/byte_stream.h"
#include "sim/trace/io/file_view.h"

namespace heddle::trace {

/// What all chunks of a file share. Largest dictionary: 16 MiB; Accel-Sim writes 64 KiB.
class ChunkDecoder {
 public:
  /// Throws InputError if the dictionary is none; an empty one stands for none.
  ChunkDecoder(const std::string& path, std::span<const char> dictionary);
  ~ChunkDecoder();
  ChunkDecoder(const ChunkDecoder&) = delete;
  ChunkDecoder& operator=(const ChunkDecoder&) = delete;

  /// The chunk of so many bytes at the cursor, which comes to stand behind what has been read of it. Both
  /// must outlive the source, of which there is one at a time. Throws InputError, as reading from it does.
  std::unique_ptr<ByteSource> open(FileCursor& cursor, std::uint32_t bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::trace
