// Who hears of each access to memory of an executed launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "isa/base/types.h"
#include "isa/exec/memory.h"
#include "isa/ir/opcode.h"

namespace heddle::exec {

/// A load, store or atomic of a warp, just before it acts.
struct WatchedAccess {
  Pc pc = 0;
  BlockId block = 0;
  std::uint32_t warp = 0;  ///< In its block.
  LaneMask lanes = 0;
  ir::Action action = ir::Action::Load;  ///< Load, Store or Atomic.
  unsigned bytes = 0;                    ///< Of a lane.
  const Addr* addresses = nullptr;       ///< By lane.
  const std::uint32_t* data = nullptr;   ///< Of a store: rows of a word a lane, lowest words first.
  unsigned lanes_per_row = 0;

  /// The linear index in the block of a lane's thread.
  [[nodiscard]] std::uint32_t thread(unsigned lane) const { return warp * lanes_per_row + lane; }
  /// A byte of what a lane stores.
  [[nodiscard]] std::byte stored_byte(unsigned lane, unsigned byte) const {
    const std::uint32_t word = data[std::size_t{byte / 4} * lanes_per_row + lane];
    return static_cast<std::byte>(word >> (8 * (byte % 4)) & 0xff);
  }
};

/// The barrier of the cluster, where a place in shared memory is asked for.
inline constexpr Addr kClusterBarrier = ~Addr{0};

/// Hears of a launch whose blocks are executed one after another.
class AccessWatch {
 public:
  AccessWatch() = default;
  AccessWatch(const AccessWatch&) = delete;
  AccessWatch& operator=(const AccessWatch&) = delete;
  virtual ~AccessWatch() = default;

  virtual void begin_block(std::uint32_t warps) = 0;
  /// All lanes lie in the buffer.
  virtual void access_global(const WatchedAccess& access, const Buffer& buffer) = 0;
  /// Addresses count from the begin of the block's memory on, which is `memory`.
  virtual void access_shared(const WatchedAccess& access, std::span<const std::byte> memory) = 0;
  /// A warp comes to a barrier, where it waits or not.
  virtual void arrive(std::uint32_t warp, unsigned barrier) = 0;
  /// Those that waited there go on.
  virtual void open(unsigned barrier, std::span<const WarpSlot> waiting) = 0;
  /// A warp arrives at the mbarrier there: what it did comes before what they do who acquire it later.
  virtual void release(std::uint32_t warp, Addr mbarrier) = 0;
  /// A warp has seen that the phase is over.
  virtual void acquire(std::uint32_t warp, Addr mbarrier) = 0;
};

}  // namespace heddle::exec
