// What an instruction asks of an SM beyond a pipe, and what kinds have in common.
#pragma once

#include <cstdint>

namespace heddle::stream {

/// What the SM does with an instruction, beside giving it a pipe.
enum class OpKind : std::uint8_t {
  Compute,
  InvalidateL1,  ///< What the SM has in L1 is there no more.
  Load,
  Store,
  Atomic,
  Copy,           ///< From global to shared memory, without a register.
  Sleep,          ///< The warp pauses after it.
  Barrier,        ///< Warps of the block wait for one another after it.
  BarrierReduce,  ///< As Barrier.
  BarrierArrive,  ///< The warp counts as come, but goes on.
  CommitCopies,   ///< The copies since the last one make a group.
  Mbarrier,       ///< Does something at mbarriers, or at the cluster's barrier: AsyncStep says what.
  BulkLoad,       ///< A bulk copy from global to shared memory; mbarriers tell when it is done.
  BulkStore,      ///< One to global memory, which counts as a copy of the warp.
  ArriveInGroup,  ///< The warps of the warpgroup wait for one another after it.
  AwaitCopies,    ///< Waits for groups of copies before it issues.
  Fence,          ///< Waits for what the warp has loaded before it issues, and for its stores after.
  GroupProduct,   ///< The warp's part of a warpgroup's product: its sums come while the warp goes on.
  AwaitProducts,  ///< Waits for groups of products before it issues.
  Exit,           ///< Waits for all products before it issues: they have the warp's registers.
};

/// What a kind is, as a set of bits. A new kind names its own here: the compiler warns until it does.
enum OpTrait : std::uint8_t {
  kMemoryTrait = 1,            ///< Each lane names an address.
  kForAllMemoryTrait = 2,      ///< Names no address; where no lane executes it, it asks nothing.
  kBulkTrait = 4,              ///< A copy that a unit of the SM makes by itself.
  kBarrierTrait = 8,           ///< At a barrier of the block.
  kWaitsForMoreTrait = 16,     ///< Waits before it issues for more than its registers.
  kMoreThanResultsTrait = 32,  ///< The SM does more for it than to note when its results come.
};

constexpr unsigned traits_of(OpKind kind) {
  switch (kind) {
    case OpKind::Compute: return 0;
    case OpKind::InvalidateL1: return kForAllMemoryTrait;
    case OpKind::Load:
    case OpKind::Store:
    case OpKind::Atomic:
    case OpKind::Copy: return kMemoryTrait;
    case OpKind::Barrier:
    case OpKind::BarrierReduce:
    case OpKind::BarrierArrive: return kBarrierTrait | kMoreThanResultsTrait;
    case OpKind::BulkLoad:
    case OpKind::BulkStore: return kBulkTrait | kMoreThanResultsTrait;
    case OpKind::Sleep:
    case OpKind::CommitCopies:
    case OpKind::Mbarrier:
    case OpKind::ArriveInGroup: return kMoreThanResultsTrait;
    case OpKind::Fence: return kForAllMemoryTrait | kWaitsForMoreTrait | kMoreThanResultsTrait;
    case OpKind::AwaitCopies:
    case OpKind::GroupProduct:
    case OpKind::AwaitProducts:
    case OpKind::Exit: return kWaitsForMoreTrait | kMoreThanResultsTrait;
  }
  return 0;
}

constexpr bool has_trait(OpKind kind, OpTrait trait) { return (traits_of(kind) & trait) != 0; }

constexpr bool is_memory(OpKind kind) { return has_trait(kind, kMemoryTrait); }
constexpr bool is_for_all_memory(OpKind kind) { return has_trait(kind, kForAllMemoryTrait); }
constexpr bool is_bulk(OpKind kind) { return has_trait(kind, kBulkTrait); }
constexpr bool is_barrier(OpKind kind) { return has_trait(kind, kBarrierTrait); }
constexpr bool waits_for_more(OpKind kind) { return has_trait(kind, kWaitsForMoreTrait); }
constexpr bool needs_more_than_results(OpKind kind) { return has_trait(kind, kMoreThanResultsTrait); }

}  // namespace heddle::stream
