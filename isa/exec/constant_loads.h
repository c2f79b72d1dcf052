// LDC of constants whose place a register says.
#pragma once

#include "isa/exec/decode.h"
#include "isa/exec/warp_machine.h"

namespace heddle::exec {

/// Each lane names a place in a constant bank.
class ConstantLoads {
 public:
  explicit ConstantLoads(WarpMachine& machine) : machine_(machine) {}

  /// Throws KernelFault if a lane names a place that the bank does not have.
  void load(const Decoded& op, Warp& warp, LaneMask executed);

 private:
  WarpMachine& machine_;
};

}  // namespace heddle::exec
