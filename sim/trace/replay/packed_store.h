// Where the packed instructions of blocks that are under way lie: in memory, and beyond a limit in a file
// without a name, from which warps read them back piece by piece.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/io/nameless_file.h"

namespace heddle::trace {

class PackedStore {
 public:
  /// Bytes of a piece, about: none ends within an instruction.
  static constexpr std::size_t kPiece = 4096;

  explicit PackedStore(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  [[nodiscard]] bool is_full() const { return bytes_ >= most_bytes_; }

 private:
  friend class PackedWarp;
  std::uint64_t most_bytes_;
  std::uint64_t bytes_ = 0;          // in memory
  std::uint64_t spilled_warps_ = 0;  // that have something in the file
  NamelessFile file_;                // among temporary files
};

/// The instructions of one warp, written once, then read once, piece by piece.
class PackedWarp {
 public:
  explicit PackedWarp(PackedStore& store) : store_(&store) {}
  ~PackedWarp() { clear(); }
  PackedWarp(PackedWarp&& other) noexcept { *this = std::move(other); }
  PackedWarp& operator=(PackedWarp&& other) noexcept;

  /// Warps are written one after another: all pieces of one before the first of the next.
  void add_piece(std::string_view bytes);
  /// Takes the next piece; false if there is none.
  bool take_piece(std::string& bytes);

 private:
  void clear();

  PackedStore* store_ = nullptr;
  std::vector<std::string> pieces_;  // the first ones; the others are in the file
  std::size_t next_ = 0;             // of pieces_
  std::uint64_t file_at_ = 0;
  std::uint64_t file_end_ = 0;
};

}  // namespace heddle::trace
