// A buffer for the text of warps that run at the same time but are written one after another.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/io/nameless_file.h"

namespace heddle::trace {

/// Stores compressed pieces of text in an unnamed file. Several threads can use it at once.
class Spool {
 public:
  /// The position of one piece in the file.
  struct Piece {
    std::uint64_t offset = 0;
    std::uint32_t bytes = 0;  ///< Compressed.
    std::uint32_t text_bytes = 0;
  };

  /// The folder must have room. Throws InputError if the file cannot be created or written.
  explicit Spool(const std::string& folder) : folder_(folder), file_(folder) { file_.open(); }

  Piece put(std::string_view text);
  [[nodiscard]] std::string get(const Piece& piece) const;

 private:
  std::string folder_;
  NamelessFile file_;
  std::mutex mutex_;
};

/// A text of any length. Only its end is in memory.
class SpooledText {
 public:
  /// The end of the text, to append to. Call `settle` from time to time.
  std::string& tail() { return tail_; }
  /// Moves the end to the spool if it has become long.
  void settle(Spool& spool) {
    if (tail_.size() >= kLongTail) put_by(spool);
  }
  void put_by(Spool& spool);
  /// Appends another text and empties it.
  void append(SpooledText& other, Spool& spool);

  [[nodiscard]] bool empty() const { return pieces_.empty() && tail_.empty(); }

  /// Passes the whole text to `take`, piece by piece.
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
