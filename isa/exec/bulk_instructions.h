// Bulk copies between global and shared memory: UBLKCP.
#pragma once

#include "isa/exec/addressing.h"
#include "isa/exec/decode.h"
#include "isa/exec/mbarrier_instructions.h"
#include "isa/exec/memory_instructions.h"
#include "isa/exec/warp_machine.h"
#include "isa/stream/async_step.h"

namespace heddle::exec {

/// The family of bulk copies. One copies for the whole warp, in pieces of 16 bytes. The data arrive when the instruction
/// issues; in time the step's mbarrier, or the group of the copy, tells when.
class BulkInstructions {
 public:
  BulkInstructions(WarpMachine& machine, Addressing& addressing, MemoryInstructions& memory,
                   MbarrierInstructions& mbarriers)
      : machine_(machine), addressing_(addressing), memory_(memory), mbarriers_(mbarriers) {}

  /// At least one lane executes. Throws KernelFault if it goes where it may not.
  void copy(const Decoded& op, Warp& warp, LaneMask executed);

 private:
  void load(const Decoded& op, Warp& warp, LaneMask executed);
  void store(const Decoded& op, Warp& warp);
  [[nodiscard]] std::byte* shared_piece(const Decoded& op, const Warp& warp, Addr address);
  [[nodiscard]] std::uint32_t word(const Warp& warp, const SourceRows& rows, unsigned which = 0) const;
  [[nodiscard]] Addr address(const Warp& warp, const SourceRows& rows) const;
  void tell(Addr global, std::uint64_t bytes);

  WarpMachine& machine_;
  Addressing& addressing_;
  MemoryInstructions& memory_;
  MbarrierInstructions& mbarriers_;
  stream::AsyncStep step_;
};

}  // namespace heddle::exec
