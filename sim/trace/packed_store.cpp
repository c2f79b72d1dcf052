#include "sim/trace/packed_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace heddle::trace {

namespace {

[[noreturn]] void fail(std::string_view what) {
  throw std::runtime_error(
      fmt::format("a temporary file for the trace cannot be {}: {}", what, std::strerror(errno)));
}

int open_nameless() {
  std::string path = (std::filesystem::temp_directory_path() / "heddle-XXXXXX").string();
  const int file = mkstemp(path.data());
  if (file < 0) fail("made");
  unlink(path.c_str());
  return file;
}

}  // namespace

SpillFile::~SpillFile() {
  if (file_ >= 0) close(file_);
}

std::uint64_t SpillFile::append(std::string_view bytes) {
  if (file_ < 0) file_ = open_nameless();
  const std::uint64_t begin = end_;
  while (!bytes.empty()) {
    const ssize_t written = pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(end_));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("written");
    end_ += static_cast<std::uint64_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return begin;
}

void SpillFile::read(std::uint64_t offset, char* to, std::size_t size) const {
  while (size != 0) {
    const ssize_t got = pread(file_, to, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail("read");
    offset += static_cast<std::uint64_t>(got);
    to += got;
    size -= static_cast<std::size_t>(got);
  }
}

void SpillFile::forget() {
  end_ = 0;
  if (file_ >= 0 && ftruncate(file_, 0) != 0) fail("emptied");
}

PackedWarp& PackedWarp::operator=(PackedWarp&& other) noexcept {
  std::swap(store_, other.store_);
  std::swap(pieces_, other.pieces_);
  std::swap(next_, other.next_);
  std::swap(file_at_, other.file_at_);
  std::swap(file_end_, other.file_end_);
  return *this;
}

void PackedWarp::add_piece(std::string_view bytes) {
  const bool has_spilled = file_end_ != file_at_;
  if (!has_spilled && !store_->is_full()) {
    pieces_.emplace_back(bytes);
    store_->bytes_ += pieces_.back().capacity();
    return;
  }
  const auto size = static_cast<std::uint32_t>(bytes.size());
  const std::uint64_t at = store_->file_.append({reinterpret_cast<const char*>(&size), sizeof size});
  store_->file_.append(bytes);
  if (!has_spilled) {
    file_at_ = at;
    ++store_->spilled_warps_;
  }
  file_end_ = at + sizeof size + size;
}

bool PackedWarp::take_piece(std::string& bytes) {
  if (next_ < pieces_.size()) {
    store_->bytes_ -= pieces_[next_].capacity();
    bytes = std::move(pieces_[next_++]);
    return true;
  }
  if (file_at_ == file_end_) return false;
  std::uint32_t size = 0;
  store_->file_.read(file_at_, reinterpret_cast<char*>(&size), sizeof size);
  bytes.resize(size);
  store_->file_.read(file_at_ + sizeof size, bytes.data(), size);
  file_at_ += sizeof size + size;
  if (file_at_ == file_end_ && --store_->spilled_warps_ == 0) store_->file_.forget();
  return true;
}

void PackedWarp::clear() {
  if (store_ == nullptr) return;
  for (; next_ < pieces_.size(); ++next_) store_->bytes_ -= pieces_[next_].capacity();
  pieces_.clear();
  next_ = 0;
  if (file_at_ != file_end_) --store_->spilled_warps_;
  file_at_ = file_end_ = 0;
}

}  // namespace heddle::trace
