#include "sim/trace/spool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "isa/base/diagnostic.h"

namespace heddle::trace {

namespace {

constexpr int kFast = 1;  // zstd's level: pieces are read once

InputError failure(const std::string& folder) {
  return {{folder, 0, 0}, fmt::format("no temporary file can be written there: {}", std::strerror(errno))};
}

/// Reads or writes all of it. False, with errno, where that cannot be.
template <typename Transfer>
bool transfer_all(Transfer transfer, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t moved = transfer(done);
    if (moved < 0 && errno == EINTR) continue;
    if (moved == 0) errno = EIO;
    if (moved <= 0) return false;
    done += static_cast<std::size_t>(moved);
  }
  return true;
}

}  // namespace

Spool::Spool(std::string folder) : folder_(std::move(folder)) {
  std::string name = folder_ + "/.heddle-XXXXXX";
  descriptor_ = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) throw failure(folder_);
  unlink(name.c_str());
}

Spool::~Spool() { close(descriptor_); }

Spool::Piece Spool::put(std::string_view text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  const std::size_t bytes = ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), kFast);
  Piece piece{0, static_cast<std::uint32_t>(bytes)};
  {
    const std::lock_guard lock(mutex_);
    piece.offset = end_;
    end_ += bytes;
  }
  const auto write_rest = [&](std::size_t done) {
    return pwrite(descriptor_, packed.data() + done, bytes - done, static_cast<off_t>(piece.offset + done));
  };
  if (!transfer_all(write_rest, bytes)) throw failure(folder_);
  return piece;
}

std::string Spool::get(const Piece& piece) const {
  std::string packed(piece.bytes, '\0');
  const auto read_rest = [&](std::size_t done) {
    return pread(descriptor_, packed.data() + done, packed.size() - done,
                 static_cast<off_t>(piece.offset + done));
  };
  if (!transfer_all(read_rest, packed.size())) throw failure(folder_);
  std::string text(ZSTD_getFrameContentSize(packed.data(), packed.size()), '\0');
  ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
  return text;
}

void SpooledText::put_by(Spool& spool) {
  if (tail_.empty()) return;
  pieces_.push_back(spool.put(tail_));
  std::string().swap(tail_);  // many texts end, and their memory with them
}

void SpooledText::append(SpooledText& other, Spool& spool) {
  if (!other.pieces_.empty()) {
    put_by(spool);
    pieces_.insert(pieces_.end(), other.pieces_.begin(), other.pieces_.end());
    other.pieces_.clear();
  }
  tail_ += other.tail_;
  other.tail_.clear();
  settle(spool);
}

}  // namespace heddle::trace
