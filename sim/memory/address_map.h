// Where addresses lie in the memory that all SMs share: in which slice of L2, and in which channel and row of
// DRAM.
//
// Neighbouring lines go to different slices: each slice has one of as many lines as there are slices, in an
// order that is hashed. So what lies together fills all slices, and all their sets, evenly. The hashes of
// real GPUs are not published; the one that all GPU files have is built in, as each request asks for it.
//
// With two partitions an address has its home in one of them, and SM i belongs to partition i mod 2 (which
// SMs share a partition is not published; a choice). The other partition has for each slice one that keeps
// copies of its lines for the SMs there.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/base/divisor.h"
#include "isa/base/types.h"
#include "sim/config/gpu_spec.h"
#include "sim/memory/policies/address_hash.h"

namespace heddle::sim {

/// Lines are named by their number, address / l2.line_bytes.
class AddressMap {
 public:
  explicit AddressMap(const GpuSpec& spec)
      : hash_(&address_hash(spec.l2.address_hash)),
        slices_(spec.l2.slices),
        channels_(spec.dram.channels),
        lines_of_row_(lines_of_row(spec)),
        half_(spec.l2.enabled && spec.l2.partitions == 2 ? spec.l2.slices / 2 : 0) {
    if (hash_ == address_hashes().data()) hash_ = nullptr;
  }

  [[nodiscard]] bool has_partitions() const { return half_ != 0; }

  /// A line's home, and its name there.
  struct Home {
    std::size_t slice;
    std::uint64_t tag;
  };
  [[nodiscard]] Home home_of(std::uint64_t line) const {
    const std::uint64_t group = slices_.quotient(line);
    if (hash_ != nullptr) [[unlikely]]
      return {hash_->slice_of(line - group * slices_.value(), group, slices_.value()), group};
    return {slices_.remainder(line + mix(group) % kTurns), group};
  }
  /// The other way round.
  [[nodiscard]] std::uint64_t line_at(const Home& home) const {
    const std::uint64_t first = home.tag * slices_.value();
    if (hash_ != nullptr) [[unlikely]]
      return first + hash_->index_of(home.slice, home.tag, slices_.value());
    const std::uint64_t turn = slices_.remainder(first + mix(home.tag) % kTurns);
    return first + (home.slice >= turn ? home.slice - turn : home.slice + slices_.value() - turn);
  }
  /// The name of a copy in the opposite slice.
  static std::uint64_t copy_of(std::uint64_t tag) { return tag | kCopy; }

  /// The slice of the other partition that keeps copies of this one's lines. There must be two partitions.
  [[nodiscard]] std::size_t opposite(std::size_t slice) const {
    return slice < half_ ? slice + half_ : slice - half_;
  }
  [[nodiscard]] bool is_far(std::size_t slice, SmId sm) const {
    return has_partitions() && (slice >= half_) != (sm % 2 != 0);
  }

  [[nodiscard]] std::size_t channel_of(std::uint64_t line) const {
    return channels_.remainder(mix(line ^ kChannelSalt));
  }
  /// Neighbouring lines lie in one row of every channel.
  [[nodiscard]] std::uint64_t row_of(std::uint64_t line) const { return lines_of_row_.quotient(line); }

 private:
  // Keeps the choice of channel apart from the choice of slice.
  static constexpr std::uint64_t kChannelSalt = 0x9e3779b97f4a7c15ULL;
  static constexpr std::uint64_t kTurns = std::uint64_t{1} << 32;  // far from overflow when added to a line
  static constexpr std::uint64_t kCopy = std::uint64_t{1} << 62;   // no address is so large

  static std::uint64_t lines_of_row(const GpuSpec& spec) {
    const std::uint64_t bytes = std::uint64_t{spec.dram.row_bytes} * spec.dram.channels;
    return bytes < spec.l2.line_bytes ? 1 : bytes / spec.l2.line_bytes;
  }

  const AddressHash* hash_;  // null: the one that is built in
  Divisor slices_;
  Divisor channels_;
  Divisor lines_of_row_;  // lines in a row of all channels together
  std::size_t half_;      // half of the slices; 0 without partitions
};

}  // namespace heddle::sim
