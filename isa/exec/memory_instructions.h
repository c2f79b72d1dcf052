// Loads, stores and atomics of global, shared and local memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/exec/access_watch.h"
#include "isa/exec/addressing.h"
#include "isa/exec/atomic.h"
#include "isa/exec/decode.h"
#include "isa/exec/memory.h"
#include "isa/exec/warp_machine.h"

namespace heddle::exec {

/// The family of memory instructions: moves data between the lanes' registers and the host's memory that
/// stands for the GPU's.
class MemoryInstructions {
 public:
  /// Local memory of an SM's warp slots lies behind that of the SMs before it: `first_slot` is the number of
  /// the SM's first slot, counted over all SMs.
  MemoryInstructions(WarpMachine& machine, Addressing& addressing, std::uint64_t first_slot)
      : machine_(machine),
        addressing_(addressing),
        lanes_(machine.lanes),
        pending_(machine.pending),
        transaction_(machine.transaction),
        first_slot_(first_slot) {}

  /// Who hears of each access to global and shared memory from now on; null: nobody.
  void watch(AccessWatch* watch) { watch_ = watch; }

  /// At least one lane executes. Throws KernelFault if one of them goes where it may not.
  void access(const Decoded& op, Warp& warp, LaneMask executed);

  /// Likewise in global memory, at the machine's addresses.
  void access_at(const Decoded& op, Warp& warp, LaneMask executed);

  /// Moves up to 16 bytes of global memory that no register holds: `op` is a load or a store of them by the first lane.
  void load_piece(const Decoded& op, const Warp& warp, Addr from, std::byte* to);
  void store_piece(const Decoded& op, const Warp& warp, Addr to, const std::byte* from);
  /// Likewise an atomic of the first lane, whose operand is at `from`.
  void update_piece(const Decoded& op, const Warp& warp, Addr to, const std::byte* from);

 private:
  void access_global(const Decoded& op, Warp& warp, LaneMask executed);
  void access_buffers(const Decoded& op, Warp& warp, LaneMask executed, const LaneSpan& span);
  bool access_window(const Decoded& op, Warp& warp, unsigned lane);
  const Buffer& buffer_of_piece(const Decoded& op, const Warp& warp, Addr address);
  void access_shared(const Decoded& op, Warp& warp, LaneMask executed);
  void access_local(const Decoded& op, Warp& warp, LaneMask executed);
  void access_buffer(const Decoded& op, Warp& warp, LaneMask lanes, const LaneSpan& span,
                     const Buffer& buffer);
  bool begin_access(const Decoded& op, Warp& warp, LaneMask lanes, const LaneSpan& span, const Buffer& buffer);
  void note(const Decoded& op, Warp& warp, LaneMask lanes, bool is_row, std::byte* host, Addr base);
  void load_with_pending(const Decoded& op, Warp& warp, LaneMask lanes, const std::byte* host, Addr base);
  void count_store(const Decoded& op, const Warp& warp, LaneMask lanes, const std::byte* host, Addr base);
  [[nodiscard]] bool would_change(const Decoded& op, const Warp& warp, LaneMask lanes, const std::byte* host,
                                  Addr base) const;
  void transfer(const Decoded& op, Warp& warp, LaneMask lanes, std::byte* host, Addr base);
  [[nodiscard]] WarpAtomic warp_atomic(const Decoded& op, Warp& warp, LaneMask lanes);
  void update(const Decoded& op, Warp& warp, LaneMask lanes, std::byte* host, Addr base);
  void move_row(const Decoded& op, Warp& warp, LaneMask executed, std::byte* host);
  void move_data(const Decoded& op, Warp& warp, LaneMask executed, std::byte* host, Addr base);
  void move_narrow(const Decoded& op, Warp& warp, LaneMask executed, std::byte* host, Addr base);
  [[nodiscard]] WatchedAccess watched(const Decoded& op, const Warp& warp, LaneMask lanes) const;
  [[nodiscard]] Addr local_window(const Warp& warp) const;

  WarpMachine& machine_;
  Addressing& addressing_;
  unsigned lanes_;          // the machine's, at hand
  PendingWrites* pending_;  // likewise
  Transaction* transaction_;  // likewise
  std::uint64_t first_slot_;
  AccessWatch* watch_ = nullptr;
};

}  // namespace heddle::exec
