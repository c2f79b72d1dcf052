// Instructions on mbarriers of compute capability 9.0 and on the barrier of the cluster: SYNCS, ARRIVES, UCGABAR.
#pragma once

#include <cstdint>

#include "isa/exec/access_watch.h"
#include "isa/exec/addressing.h"
#include "isa/exec/decode.h"
#include "isa/exec/mbarrier_word.h"
#include "isa/exec/warp_machine.h"
#include "isa/stream/async_step.h"

namespace heddle::exec {

/// The family of mbarriers. Each changes and is read when an instruction issues. What that means for time the step tells:
/// a wait for a phase that is over here lasts until the copies that ended it have come. At the barrier of the cluster, which
/// has one block, the step tells all.
class MbarrierInstructions {
 public:
  MbarrierInstructions(WarpMachine& machine, Addressing& addressing)
      : machine_(machine), addressing_(addressing) {}

  /// Who hears of arrivals and waits from now on; null: nobody.
  void watch(AccessWatch* watch) { watch_ = watch; }

  /// At least one lane executes. Throws KernelFault if an mbarrier lies where none may.
  void run(const Decoded& op, Warp& warp, LaneMask executed);

  /// The same of a test. Returns whether a phase is not over yet: other lanes of the warp may be who end it.
  bool test(const Decoded& op, Warp& warp, LaneMask executed);

  /// So many bytes of a bulk copy have come.
  void receive(const Decoded& op, Warp& warp, LaneMask executed, std::uint32_t barrier, std::uint64_t bytes);

 private:
  void find(const Decoded& op, Warp& warp, LaneMask executed);
  void init(const Decoded& op, Warp& warp, LaneMask executed);
  void arrive(const Decoded& op, Warp& warp, LaneMask executed);
  [[nodiscard]] MbarrierChange change_of(const Decoded& op, const Warp& warp, unsigned lane) const;
  std::uint64_t update(Warp& warp, std::uint32_t barrier, const MbarrierChange& change);
  [[nodiscard]] std::uint32_t barrier_of(unsigned lane) const;

  WarpMachine& machine_;
  Addressing& addressing_;
  stream::AsyncStep step_;
  AccessWatch* watch_ = nullptr;
};

}  // namespace heddle::exec
