// Stores the packed instructions of resident blocks in memory, and beyond a limit in an unnamed file, from
// which warps read them back piece by piece.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/io/nameless_file.h"

namespace heddle::trace {

/// The memory budget and the file that all warps of a replay share.
class PackedStore {
 public:
  /// Approximate size of a piece in bytes. A piece ends with a whole instruction.
  static constexpr std::size_t kPiece = 4096;

  explicit PackedStore(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  [[nodiscard]] bool is_full() const { return bytes_ >= most_bytes_; }

 private:
  friend class PackedWarp;
  std::uint64_t most_bytes_;
  std::uint64_t bytes_ = 0;          // in memory
  std::uint64_t spilled_warps_ = 0;  // warps that have pieces in the file
  NamelessFile file_;                // in the folder for temporary files
};

/// The instructions of one warp. They are written once, then read once, piece by piece.
class PackedWarp {
 public:
  explicit PackedWarp(PackedStore& store) : store_(&store) {}
  ~PackedWarp() { clear(); }
  PackedWarp(PackedWarp&& other) noexcept { *this = std::move(other); }
  PackedWarp& operator=(PackedWarp&& other) noexcept;

  /// All pieces of one warp must be added before the first piece of the next warp.
  void add_piece(std::string_view bytes);
  /// Takes the next piece; false if there is none.
  bool take_piece(std::string& bytes);

 private:
  void clear();

  PackedStore* store_ = nullptr;
  std::vector<std::string> pieces_;  // the first pieces; the others are in the file
  std::size_t next_ = 0;             // index in pieces_
  std::uint64_t file_at_ = 0;
  std::uint64_t file_end_ = 0;
};

}  // namespace heddle::trace
