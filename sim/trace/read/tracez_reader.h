// Reads Accel-Sim's compressed container, .tracez: the lines of text traces in chunks, each compressed by
// zstd, with an index at the end.
//
//   head as text, 0, dictionary's size (4), lines a chunk (4), dictionary,
//   for each warp: instructions (4), chunks (4), and for each chunk: size (4), zstd frame,
//   index: blocks (4), and for each: id, cluster, place in it (3 x 4 each), rank (4), warps (4),
//          and for each: instructions (4), chunks (4), place in the file (8), lines of each chunk (4),
//   place of the index (8).
//
// The index and the warps are read in parallel from front to end. Only a piece of each is in memory.
#pragma once

#include "sim/trace/io/file_view.h"
#include "sim/trace/read/checked_reader.h"
#include "sim/trace/read/chunk_source.h"
#include "sim/trace/read/line_window.h"

namespace heddle::trace {

/// Reads a .tracez container.
class TracezReader final : public CheckedReader {
 public:
  /// Reads the head, the dictionary and the position of the index.
  TracezReader(const std::string& path, MistakeSink sink);

  Event next() override;
  [[nodiscard]] SourceLocation where() const override { return {path_, 0, 0}; }

  /// The sum over all warps, read from the index alone. Before the first next(). Throws InputError if the
  /// index ends too early.
  [[nodiscard]] std::uint64_t instructions_in_index() const;

 private:
  [[nodiscard]] std::string place_note() const override;

  std::uint64_t read_head();
  void read_dictionary(FileCursor& cursor);
  void read_places();

  Event next_or_throw();
  std::optional<Event> chunk_step();
  void begin_chunk();
  void open_chunk();
  void close_chunk();
  void wrong_count(bool is_fewer);
  void damaged_chunk(const InputError& error);
  void require_lines() const;
  Event open_block();
  Event open_warp();
  Event close_block();
  Event close();
  [[nodiscard]] InputError broken(std::string message) const;

  FileView file_;
  std::optional<ChunkDecoder> decoder_;
  FileCursor index_;
  FileCursor data_;
  LineWindow window_;
  std::uint32_t blocks_left_ = 0;
  std::uint32_t warps_left_ = 0;      // in the block
  std::uint32_t chunks_left_ = 0;     // in the warp, without the open chunk
  std::uint64_t lines_left_ = 0;      // in the warp, without those of the open chunk
  std::uint32_t lines_of_chunk_ = 0;  // according to the index
  std::uint64_t chunk_end_ = 0;       // offset in the file
  std::uint32_t next_warp_ = 0;
  std::uint64_t first_of_chunk_ = 0;  // number in its warp
  std::uint64_t number_ = 0;          // number of the line in its warp, from 0
  bool is_in_block_ = false;
  bool is_in_warp_ = false;
  bool is_in_chunk_ = false;
  bool is_over_ = false;
};

}  // namespace heddle::trace
