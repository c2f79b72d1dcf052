// S2R and CS2R: what a thread can ask about itself, and the clock.
#pragma once

#include <cstdint>

#include "isa/exec/decode.h"
#include "isa/exec/warp_machine.h"
#include "isa/ir/special_register.h"

namespace heddle::exec {

/// What S2R reads from one of the lane mask registers.
std::uint32_t lane_mask_register(ir::SpecialRegister which, unsigned lane);

/// The values come from the launch, the warp's place in its block, and the time of issue.
class SpecialRegisterReads {
 public:
  explicit SpecialRegisterReads(WarpMachine& machine) : machine_(machine) {}

  void read(const Decoded& op, Warp& warp, LaneMask executed);

 private:
  [[nodiscard]] std::uint64_t nanoseconds() const;
  [[nodiscard]] std::uint32_t shared_size() const;
  [[nodiscard]] std::uint32_t high_word(ir::SpecialRegister which) const;

  WarpMachine& machine_;
};

}  // namespace heddle::exec
