// The lines of a stream of bytes, each whole in memory for as long as it is looked at.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "sim/trace/io/byte_stream.h"

namespace heddle::trace {

/// What a longer one is refused for, so that no file fills the memory.
inline constexpr std::size_t kLongestLine = 1 << 20;

class LineWindow {
 public:
  enum class Found {
    Line,
    TooLong,  ///< Skipped; `text` has its beginning.
    Unended,  ///< The last line, which lacks its '\n'. It is given as the others are.
    End
  };

  explicit LineWindow(std::unique_ptr<ByteSource> source);

  /// Goes on to the next line; a '\r' before its '\n' is no part of it. Throws what the source throws.
  Found next() {
    if (is_again_) {
      is_again_ = false;
      return found_;
    }
    ++number_;
    begin_ = next_;
    const char* const end = newline(begin_, filled_);
    if (end == nullptr) return found_ = next_after_filling();
    return found_ = line_up_to(end);
  }

  /// Begins anew with another source; what is left of the one before is dropped.
  void restart(std::unique_ptr<ByteSource> source);

  /// The same line comes once more.
  void again() { is_again_ = true; }

  /// Ends in '\n', with room for scans behind it.
  [[nodiscard]] const char* begin() const { return bytes_.data() + begin_; }
  [[nodiscard]] std::string_view text() const { return {begin(), end_ - begin_}; }
  /// Lines count from 1.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] const ByteSource& source() const { return *source_; }

 private:
  Found line_up_to(const char* newline) {
    end_ = static_cast<std::size_t>(newline - bytes_.data());
    next_ = end_ + 1;
    leave_out_return();
    return end_ - begin_ > kLongestLine ? Found::TooLong : Found::Line;
  }
  void leave_out_return() {
    if (end_ != begin_ && bytes_[end_ - 1] == '\r') bytes_[--end_] = '\n';
  }
  [[nodiscard]] const char* newline(std::size_t from, std::size_t to) const;
  Found next_after_filling();
  Found last_line();
  Found skip_line();
  bool fill();

  std::unique_ptr<ByteSource> source_;
  std::vector<char> bytes_;
  std::size_t begin_ = 0;   // of the line
  std::size_t end_ = 0;     // of its text, where a '\n' is
  std::size_t next_ = 0;    // where the next line begins
  std::size_t filled_ = 0;  // the end of what has been read
  std::uint64_t number_ = 0;
  Found found_ = Found::End;
  bool is_again_ = false;
};

}  // namespace heddle::trace
