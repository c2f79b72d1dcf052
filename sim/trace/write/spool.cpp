#include "sim/trace/write/spool.h"

#include <zstd.h>

#include "sim/trace/io/zstd_result.h"

namespace heddle::trace {

namespace {

constexpr int kFast = 1;  // zstd level: pieces are read only once

}  // namespace

Spool::Piece Spool::put(std::string_view text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(checked(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), kFast), folder_,
                        "what is recorded cannot be put by there"));
  const std::lock_guard lock(mutex_);
  return {file_.append(packed), static_cast<std::uint32_t>(packed.size()),
          static_cast<std::uint32_t>(text.size())};
}

std::string Spool::get(const Piece& piece) const {
  std::string packed(piece.bytes, '\0');
  file_.read(piece.offset, packed.data(), packed.size());
  std::string text(piece.text_bytes, '\0');
  constexpr std::string_view kDamaged = "what was recorded is damaged in the temporary file there";
  const std::size_t size =
      checked(ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size()), folder_, kDamaged);
  if (size != text.size()) throw InputError({folder_, 0, 0}, std::string(kDamaged));
  return text;
}

void SpooledText::put_by(Spool& spool) {
  if (tail_.empty()) return;
  pieces_.push_back(spool.put(tail_));
  std::string().swap(tail_);  // frees the memory, because many texts end
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
