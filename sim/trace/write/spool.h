// Text that is put by until its turn comes: what warps that run at the same time say, to be written one after
// the other.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/io/nameless_file.h"

namespace heddle::trace {

/// Compressed pieces in a file without a name. Safe for use by several threads.
class Spool {
 public:
  struct Piece {
    std::uint64_t offset = 0;
    std::uint32_t bytes = 0;  ///< Compressed.
    std::uint32_t text_bytes = 0;
  };

  /// In a folder with room for it. Throws InputError where it cannot be made or written.
  explicit Spool(const std::string& folder) : folder_(folder), file_(folder) { file_.open(); }

  Piece put(std::string_view text);
  [[nodiscard]] std::string get(const Piece& piece) const;

 private:
  std::string folder_;
  NamelessFile file_;
  std::mutex mutex_;
};

/// A text of any length of which only the end is held in memory.
class SpooledText {
 public:
  /// The end: to be added to; `settle` from time to time.
  std::string& tail() { return tail_; }
  /// Puts the end by if it has become long.
  void settle(Spool& spool) {
    if (tail_.size() >= kLongTail) put_by(spool);
  }
  void put_by(Spool& spool);
  /// Adds all of another text, and leaves it empty.
  void append(SpooledText& other, Spool& spool);

  [[nodiscard]] bool empty() const { return pieces_.empty() && tail_.empty(); }

  /// Hands the whole text to `take`, piece by piece.
  template <typename Take>
  void read(const Spool& spool, Take take) const {
    for (const Spool::Piece& piece : pieces_) take(std::string_view(spool.get(piece)));
    take(std::string_view(tail_));
  }

 private:
  static constexpr std::size_t kLongTail = 16 * 1024;

  std::vector<Spool::Piece> pieces_;
  std::string tail_;
};

}  // namespace heddle::trace
