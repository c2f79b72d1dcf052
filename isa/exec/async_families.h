// The families of what goes on while warps go on: copies to shared memory, mbarriers, bulk copies.
#pragma once

#include "isa/exec/bulk_instructions.h"
#include "isa/exec/copy_instructions.h"
#include "isa/exec/mbarrier_instructions.h"

namespace heddle::exec {

/// A part of InstructionFamilies.
struct AsyncFamilies {
  AsyncFamilies(WarpMachine& machine, Addressing& addressing, MemoryInstructions& memory)
      : copies(machine, addressing), mbarriers(machine, addressing), bulk(machine, addressing, memory, mbarriers) {}

  CopyInstructions copies;
  MbarrierInstructions mbarriers;
  BulkInstructions bulk;
};

}  // namespace heddle::exec
