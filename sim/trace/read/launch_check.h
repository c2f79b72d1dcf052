// Checks that blocks, warps and masks of a trace fit its launch: each block of the grid once, each warp of
// the block once, only lanes that exist, and all threads exit.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "sim/trace/format/trace_header.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

/// The check of one trace. Each function returns what is wrong, or an empty text.
class LaunchCheck {
 public:
  /// If the shape of grid and block is not known, only what does not depend on it is checked.
  LaunchCheck(const TraceHeader& header, bool has_shape);

  std::string begin_block(const TraceBlock& block);
  std::string begin_warp(const TraceWarp& warp);
  [[nodiscard]] bool has_lanes(std::uint32_t mask) const { return (mask & ~lanes_) == 0; }
  [[nodiscard]] std::string lanes_message(std::uint32_t mask) const;
  void exit(std::uint32_t mask) { exited_ |= mask; }
  void exit_all() { exited_ = lanes_; }
  [[nodiscard]] std::string end_warp() const;
  std::string end_block();
  std::string end() const;

  /// Something could not be parsed. What it may have contained is not reported as missing.
  void forgive_warp() { is_warp_forgiven_ = true; }
  void forgive_block() { is_block_forgiven_ = true; }

 private:
  [[nodiscard]] std::uint32_t warps() const;
  std::string note_block(std::uint64_t linear);

  Dim3 grid_;
  std::uint32_t threads_ = 0;
  bool has_shape_;

  // Blocks mostly come in order. All blocks before `next_` have come; later blocks that have come are in
  // `ahead_`.
  std::uint64_t next_ = 0;
  std::set<std::uint64_t> ahead_;
  std::uint32_t warps_seen_ = 0;  // one bit per warp of the block
  std::uint32_t warp_ = 0;
  std::uint32_t lanes_ = ~std::uint32_t{0};  // threads of the warp that exist
  std::uint32_t exited_ = 0;
  bool is_warp_forgiven_ = false;
  bool is_block_forgiven_ = false;
  bool is_any_block_forgiven_ = false;
};

}  // namespace heddle::trace
