#include "sim/trace/read/launch_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace heddle::trace {

namespace {

constexpr std::size_t kMostAhead = 1 << 20;  // a limit that protects the memory of the simulator

/// The lowest of the first `count` bits that is not set; `count` if all are set.
unsigned first_clear(std::uint32_t bits, std::uint32_t count) {
  return std::min(static_cast<unsigned>(std::countr_one(bits)), count);
}

std::string text_of(const Dim3& position) {
  return fmt::format("{},{},{}", position.x, position.y, position.z);
}

}  // namespace

LaunchCheck::LaunchCheck(const TraceHeader& header, bool has_shape)
    : grid_(header.grid), threads_(static_cast<std::uint32_t>(header.block.count())), has_shape_(has_shape) {}

std::uint32_t LaunchCheck::warps() const { return (threads_ + kLanes - 1) / kLanes; }

std::string LaunchCheck::begin_block(const TraceBlock& block) {
  warps_seen_ = 0;
  is_block_forgiven_ = false;
  if (!has_shape_) return {};
  const auto& [x, y, z] = block.id;
  if (x >= grid_.x || y >= grid_.y || z >= grid_.z) {
    return fmt::format("block {},{},{} is outside of the grid ({},{},{})", x, y, z, grid_.x, grid_.y,
                       grid_.z);
  }
  return note_block(block.index_in(grid_));
}

std::string LaunchCheck::note_block(std::uint64_t linear) {
  if (linear < next_ || ahead_.count(linear) != 0) {
    return fmt::format("block {} stands twice", text_of(grid_.position_of(linear)));
  }
  if (linear != next_) {
    if (ahead_.size() == kMostAhead) {
      return fmt::format("block {} comes more than a million blocks before its turn",
                         text_of(grid_.position_of(linear)));
    }
    ahead_.insert(linear);
    return {};
  }
  for (++next_; !ahead_.empty() && *ahead_.begin() == next_; ++next_) ahead_.erase(ahead_.begin());
  return {};
}

std::string LaunchCheck::begin_warp(const TraceWarp& warp) {
  warp_ = warp.index;
  exited_ = 0;
  is_warp_forgiven_ = false;
  lanes_ = ~std::uint32_t{0};
  if (!has_shape_) return {};
  if (warp.index >= warps()) {
    is_warp_forgiven_ = true;
    return fmt::format("there is no warp {}: a block of {} threads has {} warp{}", warp.index, threads_,
                       warps(), warps() == 1 ? "" : "s");
  }
  const std::uint32_t rest = threads_ - warp.index * kLanes;
  if (rest < kLanes) lanes_ = (std::uint32_t{1} << rest) - 1;
  const std::uint32_t bit = std::uint32_t{1} << warp.index;
  const bool is_twice = (warps_seen_ & bit) != 0;
  warps_seen_ |= bit;
  return is_twice ? fmt::format("warp {} of the block stands twice", warp.index) : std::string();
}

std::string LaunchCheck::lanes_message(std::uint32_t mask) const {
  return fmt::format("mask {:08x} has lanes that do not exist: warp {} has threads in {:08x}", mask, warp_,
                     lanes_);
}

std::string LaunchCheck::end_warp() const {
  if (!has_shape_ || is_warp_forgiven_ || exited_ == lanes_) return {};
  return fmt::format("threads {:08x} of warp {} never exit", lanes_ & ~exited_, warp_);
}

std::string LaunchCheck::end_block() {
  is_any_block_forgiven_ = is_any_block_forgiven_ || is_block_forgiven_;
  if (!has_shape_ || is_block_forgiven_) return {};
  const unsigned missing = first_clear(warps_seen_, warps());
  if (missing == warps()) return {};
  return fmt::format("warp {} of the block is missing: {} threads are {} warps", missing, threads_, warps());
}

std::string LaunchCheck::end() const {
  const std::uint64_t seen = next_ + ahead_.size();
  if (!has_shape_ || is_any_block_forgiven_ || seen == grid_.count()) return {};
  return fmt::format("block {} is missing: there are {} blocks of the {} in the grid ({},{},{})",
                     text_of(grid_.position_of(next_)), seen, grid_.count(), grid_.x, grid_.y, grid_.z);
}

}  // namespace heddle::trace
