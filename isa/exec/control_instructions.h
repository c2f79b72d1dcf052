// Branches, calls, exits, and the places where the lanes of a warp wait for one another.
#pragma once

#include <cstdint>
#include <string>

#include "isa/exec/decode.h"
#include "isa/exec/warp_machine.h"
#include "isa/stream/static_op.h"

namespace heddle::exec {

/// Says where lanes go on (paths.h does the accounting) and watches whether their loops get anywhere
/// (spin_watch.h). What it executes moves the warp's program counter itself.
class ControlInstructions {
 public:
  explicit ControlInstructions(WarpMachine& machine)
      : machine_(machine),
        static_ops_(machine.decoded.static_ops.data()),
        has_barriers_(machine.kernel.divergence() == Divergence::Barriers) {}

  void branch(const Decoded& op, Warp& warp, LaneMask executed);
  void exit(const Decoded& op, Warp& warp, LaneMask executed);
  /// Executes any other control instruction.
  void run(const Decoded& op, Warp& warp, LaneMask executed);

  /// Throws KernelFault if a lane executes it.
  void trap(const Warp& warp, LaneMask executed) const;

  /// What the running lanes issue next; null if none is left. Throws KernelFault if all lanes wait for one
  /// another.
  [[nodiscard]] const stream::StaticOp* find_next(Warp& warp);

  /// SpinWatchable::describe_spin().
  [[nodiscard]] std::string describe_spin(const Warp& warp) const;

 private:
  static LaneMask under_condition(const Decoded& op, const Warp& warp, LaneMask executed);
  [[nodiscard]] bool passes_test(const Decoded& op, const Warp& warp, LaneMask here) const;
  void save_barrier(const Decoded& op, Warp& warp, LaneMask executed);
  void restore_barrier(const Decoded& op, Warp& warp, LaneMask executed);
  void go_together(Warp& warp, Pc target);
  [[nodiscard]] bool watch_round(Warp& warp, JumpBack jump, bool others_wait) const;
  static void finish_round(Warp& warp, bool repeats);
  [[nodiscard]] Pc jump_target(const Decoded& op, const Warp& warp, unsigned lane) const;
  void jump(const Decoded& op, Warp& warp, LaneMask executed);
  void call(const Decoded& op, Warp& warp, LaneMask executed);
  [[nodiscard]] bool stands_for(std::uint32_t value, Pc pc) const;
  [[nodiscard]] Pc place_of_return(const Warp& warp, unsigned lane, const std::uint32_t* named) const;
  [[nodiscard]] std::string place_text(std::uint64_t place) const;
  void return_from_call(const Decoded& op, Warp& warp, LaneMask executed);
  bool part_by_masks(const Decoded& op, Warp& warp, LaneMask executed) const;
  [[nodiscard]] LaneMask warp_sync_members(const Decoded& op, const Warp& warp, LaneMask executed) const;
  [[nodiscard]] std::uint32_t sleep_time(const Decoded& op, const Warp& warp, LaneMask executed) const;
  void gather_at_block_barrier(Warp& warp) const;
  [[noreturn, gnu::cold]] void fail_stuck(const Warp& warp) const;
  [[nodiscard]] std::string waits_text(const Warp& warp) const;

  WarpMachine& machine_;
  const stream::StaticOp* static_ops_;  // the launch's, at hand
  bool has_barriers_;                   // likewise: Divergence::Barriers
};

}  // namespace heddle::exec
