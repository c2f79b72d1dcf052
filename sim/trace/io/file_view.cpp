#include "sim/trace/io/file_view.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace heddle::trace {

namespace {

constexpr std::size_t kPiece = 64 * 1024;

InputError file_error(const std::string& path, std::string_view reason) {
  return {{path, 0, 0}, fmt::format("the file cannot be opened: {}", reason)};
}

template <typename Number>
Number little_endian(std::span<const char> bytes) {
  Number number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    number = static_cast<Number>(number << 8 | static_cast<unsigned char>(bytes[i]));
  }
  return number;
}

}  // namespace

FileView::FileView(const std::string& path) : path_(path) {
  descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw file_error(path, std::strerror(errno));
  struct stat status {};
  const bool is_file = fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
  size_ = static_cast<std::uint64_t>(status.st_size);
  if (is_file) return;
  close(descriptor_);
  throw file_error(path, "it is no regular file");
}

FileView::~FileView() { close(descriptor_); }

std::size_t FileView::read(std::uint64_t offset, std::span<char> to) const {
  std::size_t done = 0;
  while (done < to.size()) {
    const ssize_t got =
        pread(descriptor_, to.data() + done, to.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      throw InputError({path_, 0, 0}, fmt::format("the file cannot be read: {}", std::strerror(errno)));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

void FileCursor::fill() {
  bytes_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, left())));
  bytes_.resize(file_->read(offset_, bytes_));
  at_ = 0;
}

void FileCursor::read(std::span<char> to, const char* what) {
  const std::uint64_t begin = offset_;
  while (!to.empty()) {
    if (at_ == bytes_.size()) fill();
    if (bytes_.empty()) {
      throw InputError({file_->path(), 0, 0},
                       fmt::format("{} at byte {} of the file ends too early", what, begin));
    }
    const std::size_t taken = std::min(to.size(), bytes_.size() - at_);
    std::copy_n(bytes_.data() + at_, taken, to.data());
    to = to.subspan(taken);
    at_ += taken;
    offset_ += taken;
  }
}

void FileCursor::move_to(std::uint64_t offset) {
  const std::uint64_t passed = offset - offset_;
  at_ = passed < bytes_.size() - at_ ? at_ + static_cast<std::size_t>(passed) : bytes_.size();
  offset_ = offset;
}

std::uint32_t FileCursor::u32(const char* what) {
  std::array<char, 4> bytes{};
  read(bytes, what);
  return little_endian<std::uint32_t>(bytes);
}

std::uint64_t FileCursor::u64(const char* what) {
  std::array<char, 8> bytes{};
  read(bytes, what);
  return little_endian<std::uint64_t>(bytes);
}

}  // namespace heddle::trace
