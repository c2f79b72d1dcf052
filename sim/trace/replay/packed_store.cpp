#include "sim/trace/replay/packed_store.h"

#include <utility>

namespace heddle::trace {

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
