#include "tools/cuda/image/lz4.h"

#include <fmt/format.h>

namespace heddle::image {

namespace {

constexpr unsigned kLongLength = 15;  // of four bits: more of it stands in the bytes behind
constexpr std::uint64_t kLeastMatch = 4;

/// Reads a block once, from its begin.
class Block {
 public:
  Block(const cubin::ByteView& bytes, std::uint64_t unpacked) : bytes_(bytes), most_(unpacked) {}

  std::string unpack() {
    while (at_ < bytes_.size()) {
      const std::uint8_t token = bytes_.u8(at_++);
      take_literals(length_of(token >> 4));
      if (at_ == bytes_.size()) break;  // The last sequence has literals alone.
      const std::uint16_t distance = bytes_.u16(at_);
      at_ += 2;
      take_match(distance, kLeastMatch + length_of(token & kLongLength));
    }
    if (result_.size() != most_)
      bytes_.fail(at_,
                  fmt::format("{} packed bytes hold {} bytes, not {}", bytes_.size(), result_.size(), most_));
    return std::move(result_);
  }

 private:
  std::uint64_t length_of(unsigned begin) {
    constexpr std::uint8_t kGoesOn = 255;
    std::uint64_t length = begin;
    if (begin != kLongLength) return length;
    for (;;) {
      const std::uint8_t more = bytes_.u8(at_++);
      length += more;
      if (more != kGoesOn) return length;
    }
  }

  void require_room(std::uint64_t length) const {
    if (length > most_ - result_.size())
      bytes_.fail(at_, fmt::format("there are more than the {} bytes that are announced", most_));
  }

  void take_literals(std::uint64_t length) {
    require_room(length);
    result_ += bytes_.part(at_, length, "a run of literals").text();
    at_ += length;
  }

  /// The bytes may overlap with those that they become.
  void take_match(std::uint64_t distance, std::uint64_t length) {
    if (distance == 0 || distance > result_.size())
      bytes_.fail(at_ - 2, fmt::format("a match {} bytes back, behind {} bytes", distance, result_.size()));
    require_room(length);
    for (std::uint64_t i = 0; i < length; ++i) result_ += result_[result_.size() - distance];
  }

  const cubin::ByteView& bytes_;
  std::uint64_t most_;
  std::uint64_t at_ = 0;
  std::string result_;
};

}  // namespace

std::string unpacked_lz4(const cubin::ByteView& block, std::uint64_t bytes) {
  return Block(block, bytes).unpack();
}

}  // namespace heddle::image
