// The state that instructions of all families work on: the warps of one SM, their blocks, and the WarpStep of the
// instruction that executes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isa/base/pool.h"
#include "isa/exec/decode.h"
#include "isa/exec/live_kernel.h"
#include "isa/exec/pending_writes.h"
#include "isa/exec/transaction.h"
#include "isa/exec/warp.h"
#include "isa/stream/kernel_fault.h"
#include "isa/stream/warp_source.h"

namespace heddle::exec {

/// The state of one SM's warps. Each family of instructions is a class that holds a reference to it and
/// changes it: LaneInstructions, MemoryInstructions, ControlInstructions and so on. LiveSource says which one
/// acts.
struct WarpMachine {
  /// Stores and atomics are noted in `pending`; without it they act at once. See Transaction for the other.
  WarpMachine(const LiveKernel& live_kernel, std::uint32_t warp_slots, PendingWrites* pending_writes,
              Transaction* blocks_transaction);

  /// The block's warp i lives in `slots[i]`, at the first instruction, until end_block().
  void start_block(BlockId block, std::span<const WarpSlot> slots);
  void end_block(std::span<const WarpSlot> slots) { contexts.give_back(warps[slots.front()].block_context); }

  /// The rows of a source operand: a word a lane.
  [[nodiscard]] const std::uint32_t* source(const Warp& warp, const SourceRows& rows) const {
    return (rows.constant ? constants : warp.registers.get()) + rows.offset;
  }
  /// The rows of the destination; for RZ, rows that nobody reads.
  [[nodiscard]] std::uint32_t* out(const Decoded& op, const Warp& warp) {
    return op.out_is_lost ? lost.data() : warp.registers.get() + op.out_offset;
  }
  /// What the warp shares with the others of its block.
  [[nodiscard]] BlockContext& context(const Warp& warp) { return contexts[warp.block_context]; }
  [[nodiscard]] const BlockContext& context(const Warp& warp) const { return contexts[warp.block_context]; }
  [[nodiscard]] std::vector<std::byte>& shared(const Warp& warp) { return context(warp).shared; }
  [[nodiscard]] const std::vector<std::byte>& shared(const Warp& warp) const { return context(warp).shared; }

  [[nodiscard]] WarpSlot slot_of(const Warp& warp) const {
    return static_cast<WarpSlot>(&warp - warps.data());
  }
  /// The place of the warp's block in the grid.
  [[nodiscard]] Dim3 block_of(const Warp& warp) const {
    return kernel.shape().grid.position_of(context(warp).block);
  }

  /// Tracks which registers have been written; throws KernelFault if one is read that has not.
  void note_registers(const ir::RegisterUse& use, Warp& warp, LaneMask active, LaneMask executed) const;

  /// PTX's .aligned: throws KernelFault unless all lanes of the warp execute.
  void require_all_lanes(const Warp& warp, LaneMask executed) const;

  /// Throws a KernelFault of the warp's running path at its instruction. `lane` and `address` are those at fault, if there
  /// are such.
  [[noreturn, gnu::cold]] void fail(const Warp& warp, stream::FaultKind kind, const std::string& what,
                         std::optional<unsigned> lane = {}, std::optional<Addr> address = {}) const;
  /// Notes a mistake of the running path's instruction, if the launch forgives such; false if it is a fault.
  [[gnu::cold]] bool forgive(const Warp& warp, const std::string& what) const;
  /// Names these lanes of the warp and that instruction, for messages.
  [[nodiscard, gnu::cold]] std::string describe(const Warp& warp, Pc pc, LaneMask path) const;

  void set_watched(bool watched) {
    is_watched = watched;
    if (pending != nullptr) pending->watch(watched);
  }

  const LiveKernel& kernel;
  const DecodedLaunch& decoded;
  const std::uint32_t* constants;  ///< decoded.constants, at hand.
  unsigned lanes;                  ///< Lanes in a warp.
  PendingWrites* pending;          ///< Null: stores and atomics act at once.
  Transaction* transaction;        ///< Null: nobody else executes blocks meanwhile.
  std::vector<Warp> warps;         ///< By slot; none before the first block.
  Pool<BlockContext> contexts;

  stream::WarpStep step;  ///< The step of the instruction that executes.
  Cycle now = 0;          ///< The cycle in which it issues.
  SmId sm = 0;            ///< Where the warps are.
  /// The step's `addresses` and `shared_addresses` point to these.
  alignas(64) std::array<Addr, kMaxWarpSize> addresses{};
  alignas(64) std::array<Addr, kMaxWarpSize> shared_addresses{};

  bool is_watched = false;  ///< SpinWatchable: a watch lasts.
  std::uint64_t barrier_arrivals = 0;
  std::uint64_t changes = 0;  ///< SpinWatchable::changes(), without those that `pending` makes.

  alignas(64) std::array<std::uint32_t, 4 * kMaxWarpSize> lost{};  ///< What is written to RZ.
  /// The sources of the instruction that executes, where they differ from what their registers hold: after signs and
  /// scales, or as sums of registers and uniform registers.
  alignas(64) std::array<std::array<std::uint32_t, 2 * kMaxWarpSize>, 3> sources{};

 private:
  void make_warps();
  std::uint32_t take_context(BlockId block);
  void start_warp(Warp& warp, std::uint32_t warp_in_block, std::uint32_t context_number);

  std::uint32_t warp_slots_;
};

}  // namespace heddle::exec
