#include "isa/lower/expansion.h"

#include "isa/lower/expand.h"

namespace heddle::lower {

namespace {

/// Whether the GPU has an instruction for what another one has not.
bool has_instruction(ptx::Opcode opcode, const Target& target) {
  constexpr unsigned kFirstWithMbarriers = 90;
  switch (opcode) {
    case ptx::Opcode::MbarrierInit:
    case ptx::Opcode::MbarrierExpectTx:
    case ptx::Opcode::MbarrierCompleteTx:
    case ptx::Opcode::MbarrierArrive:
    case ptx::Opcode::MbarrierArriveDrop:
    case ptx::Opcode::MbarrierTestWait:
    case ptx::Opcode::MbarrierTryWait:
    case ptx::Opcode::MbarrierPendingCount:
    case ptx::Opcode::CpAsyncMbarrierArrive:
      return target.compute_capability >= kFirstWithMbarriers;
    default:
      return false;
  }
}

}  // namespace

std::optional<Expansion> expansion_of(const ptx::Instruction& instruction, const Target& target) {
  if (!instruction.unknown_words.empty() || has_instruction(instruction.opcode, target)) return std::nullopt;
  switch (instruction.opcode) {
#define EXPAND(name, function) \
  case ptx::Opcode::name:      \
    return function(instruction);
#include "isa/lower/expansions.def"
#undef EXPAND
    default:
      return std::nullopt;
  }
}

}  // namespace heddle::lower
