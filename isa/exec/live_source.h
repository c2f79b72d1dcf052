// Executes the warps of one SM as the timing model asks for them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "isa/exec/instruction_families.h"
#include "isa/exec/live_kernel.h"
#include "isa/exec/warp_machine.h"
#include "isa/stream/host_prefetchable.h"
#include "isa/stream/spin_watchable.h"
#include "isa/stream/wait_repair.h"
#include "isa/stream/warp_source.h"

namespace heddle::exec {

/// SYNCS.PHASECHK.TRYWAIT returns after a time that is not published, over or not, so that the warp can be who ends the
/// phase. Here it does where all of the block wait.
class WaitTimeLimit final : public stream::WaitRepair {
 public:
  [[nodiscard]] std::size_t choose(std::span<const stream::StaticOp* const> /*waiting*/) const override { return 0; }
  [[nodiscard]] bool ends_phase() const override { return false; }
};

/// Executes one instruction at a time: fetches it, evaluates its guard, and hands it to its family.
class LiveSource final : public stream::WarpSource,
                         public stream::SpinWatchable,
                         public stream::HostPrefetchable {
 public:
  /// Local memory of the warp slots of SM 0 comes first, then that of SM 1 and so on. Stores and atomics are
  /// noted in `pending`; if that is null they act at once. `transaction` hears of what is done to global memory before
  /// that, if other threads execute blocks of the launch meanwhile; never with `pending`.
  LiveSource(const LiveKernel& kernel, std::uint32_t warp_slots, SmId sm = 0,
             PendingWrites* pending = nullptr, Transaction* transaction = nullptr);

  LiveSource(const LiveSource&) = delete;  // it points into itself
  LiveSource& operator=(const LiveSource&) = delete;

  void start_block(BlockId block, std::span<const WarpSlot> slots,
                   std::span<const stream::StaticOp*> first) override;
  const stream::WarpStep& issue(WarpSlot slot, Cycle now) override;
  /// Who hears of each access to memory from now on; null: nobody. Of launches without `pending` only.
  void watch(AccessWatch* watch) {
    families_.memory.watch(watch);
    families_.async.mbarriers.watch(watch);
  }
  void end_block(std::span<const WarpSlot> slots) override { machine_.end_block(slots); }
  [[nodiscard]] std::string describe(WarpSlot slot) const override;

  [[nodiscard]] const stream::WaitRepair* wait_repair() const override { return &time_limit_; }
  [[nodiscard]] const stream::HostPrefetchable* host_prefetchable() const override { return this; }
  void host_prefetch(WarpSlot slot, PrefetchStep step) const override;

  [[nodiscard]] stream::SpinWatchable* spin_watch() override { return this; }
  [[nodiscard]] bool seems_to_spin(WarpSlot slot) const override {
    return machine_.warps[slot].spin.seems_endless();
  }
  void watch_spin(WarpSlot slot) override {
    machine_.set_watched(true);
    machine_.warps[slot].spin.ask();
  }
  [[nodiscard]] std::optional<bool> spins(WarpSlot slot) const override {
    return machine_.warps[slot].spin.answer();
  }
  void end_watch() override { machine_.set_watched(false); }
  [[nodiscard]] std::uint64_t barrier_arrivals() const override { return machine_.barrier_arrivals; }
  [[nodiscard]] std::uint64_t changes() const override {
    return machine_.changes + (machine_.pending == nullptr ? 0 : machine_.pending->changes());
  }
  [[nodiscard]] std::string describe_spin(WarpSlot slot) const override {
    return families_.control.describe_spin(machine_.warps[slot]);
  }

 private:
  const stream::WarpStep& issue_any(const Decoded& op, Warp& warp);
  void execute(const Decoded& op, Warp& warp, LaneMask executed);
  void execute_rare(const Decoded& op, Warp& warp, LaneMask executed);

  // The launch's, at hand: each instruction asks for them.
  const Decoded* instructions_;
  const stream::StaticOp* static_ops_;
  bool watches_;  // reads of registers that were never written
  WarpMachine machine_;
  InstructionFamilies families_;
  WaitTimeLimit time_limit_;
};

}  // namespace heddle::exec
