// Whether blocks, warps and masks of a trace are those of its launch: each block of the grid once, each warp
// of the block once, lanes that exist, threads that exit.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "sim/trace/format/trace_header.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

/// Each answers with what is wrong; with nothing if all is well.
class LaunchCheck {
 public:
  /// Without a shape nothing is known of grid and block, and only what does not depend on them is checked.
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

  /// Something could not be understood: what it may have held is not missed.
  void forgive_warp() { is_warp_forgiven_ = true; }
  void forgive_block() { is_block_forgiven_ = true; }

 private:
  [[nodiscard]] std::uint32_t warps() const;
  std::string note_block(std::uint64_t linear);

  Dim3 grid_;
  std::uint32_t threads_ = 0;
  bool has_shape_;

  // Blocks mostly come in order: those before `next_` have all been, and of the others those in `ahead_`.
  std::uint64_t next_ = 0;
  std::set<std::uint64_t> ahead_;
  std::uint32_t warps_seen_ = 0;  // one bit a warp of the block
  std::uint32_t warp_ = 0;
  std::uint32_t lanes_ = ~std::uint32_t{0};  // threads of the warp that exist
  std::uint32_t exited_ = 0;
  bool is_warp_forgiven_ = false;
  bool is_block_forgiven_ = false;
  bool is_any_block_forgiven_ = false;
};

}  // namespace heddle::trace
