#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "isa/base/write_all.h"
#include "sim/trace/io/codecs.h"

namespace heddle::trace {

namespace {

InputError file_error(const std::string& path, std::string_view what) {
  return {{path, 0, 0}, fmt::format("the file cannot be {}: {}", what, std::strerror(errno))};
}

}  // namespace

InputFile::InputFile(const std::string& path) : path_(path) {
  descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw file_error(path, "opened");
}

InputFile::~InputFile() { ::close(descriptor_); }

std::span<const char> InputFile::peek(std::size_t least) {
  while (end_ - begin_ < least && !is_over_) fill();
  return {bytes_.data() + begin_, end_ - begin_};
}

void InputFile::take(std::size_t bytes) {
  begin_ += bytes;
  taken_ += bytes;
}

InputError InputFile::error(std::string_view message) const {
  return {{path_, 0, 0}, fmt::format("{} (byte {} of the file)", message, taken_)};
}

void InputFile::fill() {
  std::copy(bytes_.begin() + static_cast<std::ptrdiff_t>(begin_),
            bytes_.begin() + static_cast<std::ptrdiff_t>(end_), bytes_.begin());
  end_ -= begin_;
  begin_ = 0;
  end_ += read_file(bytes_.data() + end_, bytes_.size() - end_);
}

std::size_t InputFile::read_file(char* to, std::size_t size) {
  if (is_over_) return 0;
  ssize_t got = -1;
  do {
    got = ::read(descriptor_, to, size);
  } while (got < 0 && errno == EINTR);
  if (got < 0) throw file_error(path_, "read");
  is_over_ = got == 0;
  return static_cast<std::size_t>(got);
}

std::size_t InputFile::read(char* to, std::size_t size) {
  if (begin_ == end_) {  // no bytes wait in the buffer: read directly to the caller
    const std::size_t got = read_file(to, size);
    taken_ += got;
    return got;
  }
  const std::size_t got = std::min(size, end_ - begin_);
  std::copy_n(bytes_.data() + begin_, got, to);
  take(got);
  return got;
}

OutputFile::OutputFile(const SinkFile& file) : name_(file.name) {
  constexpr int kReadableByUmask = 0666;
  descriptor_ = open(file.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kReadableByUmask);
  if (descriptor_ < 0) throw file_error(name_, "written");
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputFile::write(std::string_view bytes) {
  if (!write_all(descriptor_, bytes)) throw file_error(name_, "written");
}

void OutputFile::write_at(std::uint64_t offset, std::string_view bytes) {
  if (!write_all_at(descriptor_, offset, bytes)) throw file_error(name_, "written");
}

void OutputFile::close() {
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) throw file_error(name_, "written");
}

}  // namespace heddle::trace
