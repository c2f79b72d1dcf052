// Splits a stream of bytes into lines. Each line is whole in memory while it is used.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "sim/trace/io/byte_stream.h"

namespace heddle::trace {

/// Longer lines are refused, to protect the memory of the simulator.
inline constexpr std::size_t kLongestLine = 1 << 20;

/// A stream of bytes with a window on the current line.
class LineWindow {
 public:
  /// What `next` found.
  enum class Found {
    Line,
    TooLong,  ///< The rest is skipped; `text` has the beginning.
    Unended,  ///< The last line, without '\n' at its end. `text` has it as usual.
    End
  };

  explicit LineWindow(std::unique_ptr<ByteSource> source);

  /// Moves to the next line. A '\r' before the '\n' is removed. Throws what the source throws.
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

  /// Starts again with another source and drops the rest of the present one.
  void restart(std::unique_ptr<ByteSource> source);

  /// Makes `next` return the same line once more.
  void again() { is_again_ = true; }

  /// The line ends in '\n', with room for scans behind it.
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
  std::size_t begin_ = 0;   // start of the line
  std::size_t end_ = 0;     // end of the line's text, where a '\n' is
  std::size_t next_ = 0;    // start of the next line
  std::size_t filled_ = 0;  // end of the bytes that have been read
  std::uint64_t number_ = 0;
  Found found_ = Found::End;
  bool is_again_ = false;
};

}  // namespace heddle::trace
