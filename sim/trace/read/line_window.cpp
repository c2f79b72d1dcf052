#include "sim/trace/read/line_window.h"

#include <cstring>

#include "sim/trace/read/column_scan.h"

namespace heddle::trace {

namespace {

constexpr std::size_t kFirstRoom = 128 * 1024;  // fits in the private cache of a CPU core

}  // namespace

LineWindow::LineWindow(std::unique_ptr<ByteSource> source)
    : source_(std::move(source)), bytes_(kFirstRoom + kScanRoom) {}

void LineWindow::restart(std::unique_ptr<ByteSource> source) {
  source_ = std::move(source);
  begin_ = end_ = next_ = filled_ = 0;
  number_ = 0;
  is_again_ = false;
}

const char* LineWindow::newline(std::size_t from, std::size_t to) const {
  return static_cast<const char*>(std::memchr(bytes_.data() + from, '\n', to - from));
}

/// Reads more bytes behind the present ones. False at the end of the source.
bool LineWindow::fill() {
  if (begin_ != 0) {
    std::memmove(bytes_.data(), bytes_.data() + begin_, filled_ - begin_);
    filled_ -= begin_;
    begin_ = 0;
  }
  if (filled_ + kScanRoom == bytes_.size()) bytes_.resize(2 * filled_ + kScanRoom);
  const std::size_t got = source_->read(bytes_.data() + filled_, bytes_.size() - kScanRoom - filled_);
  filled_ += got;
  return got != 0;
}

LineWindow::Found LineWindow::next_after_filling() {
  for (std::size_t searched = filled_ - begin_;;) {
    if (searched > kLongestLine) return skip_line();
    if (!fill()) return last_line();
    const char* const end = newline(begin_ + searched, filled_);
    if (end != nullptr) return line_up_to(end);
    searched = filled_ - begin_;
  }
}

LineWindow::Found LineWindow::last_line() {
  end_ = next_ = filled_;
  bytes_[filled_] = '\n';
  if (begin_ == filled_) {
    --number_;
    return Found::End;
  }
  leave_out_return();
  return Found::Unended;
}

/// Keeps the beginning of the line and drops the rest.
LineWindow::Found LineWindow::skip_line() {
  constexpr std::size_t kKept = 256;
  for (;;) {
    filled_ = begin_ + kKept;
    const bool is_more = fill();
    const char* const end = newline(begin_ + kKept, filled_);
    if (end == nullptr && is_more) continue;
    next_ = end == nullptr ? filled_ : static_cast<std::size_t>(end - bytes_.data()) + 1;
    end_ = begin_ + kKept;
    bytes_[end_] = '\n';
    return Found::TooLong;
  }
}

}  // namespace heddle::trace
