// The families of instructions. They share one WarpMachine.
#pragma once

#include "isa/exec/async_families.h"
#include "isa/exec/barrier_instructions.h"
#include "isa/exec/constant_loads.h"
#include "isa/exec/control_instructions.h"
#include "isa/exec/lane_instructions.h"
#include "isa/exec/matrix_instructions.h"
#include "isa/exec/memory_instructions.h"
#include "isa/exec/predicate_instructions.h"
#include "isa/exec/special_register_reads.h"
#include "isa/exec/texture_instructions.h"
#include "isa/exec/uniform_instructions.h"
#include "isa/exec/warp_wide_instructions.h"

namespace heddle::exec {

/// One handler for each family; a new family is a class and a member here, and cases in
/// LiveSource::execute().
struct InstructionFamilies {
  /// `first_slot`: see MemoryInstructions.
  InstructionFamilies(WarpMachine& machine, std::uint64_t first_slot)
      : lanes(machine),
        special_registers(machine),
        predicates(machine),
        warp_wide(machine),
        constants(machine),
        uniform(machine, {lanes, special_registers, warp_wide, constants, predicates}),
        control(machine),
        barriers(machine),
        addressing(machine),
        memory(machine, addressing, first_slot),
        textures(machine, memory),
        matrices(machine, addressing),
        async(machine, addressing, memory) {}

  LaneInstructions lanes;
  SpecialRegisterReads special_registers;
  PredicateInstructions predicates;
  WarpWideInstructions warp_wide;
  ConstantLoads constants;
  UniformInstructions uniform;
  ControlInstructions control;
  BarrierInstructions barriers;
  Addressing addressing;
  MemoryInstructions memory;
  TextureInstructions textures;
  MatrixInstructions matrices;
  AsyncFamilies async;
};

}  // namespace heddle::exec
