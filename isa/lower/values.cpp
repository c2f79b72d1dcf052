#include "isa/lower/values.h"

#include <algorithm>

namespace heddle::lower {

namespace {

using ptx::Opcode;
using Kind = ptx::Operand::Kind;

bool writes_nothing(Opcode opcode) {
  switch (opcode) {
    case Opcode::St:
    case Opcode::StAsync:
    case Opcode::StBulk:
    case Opcode::Red:
    case Opcode::Bra:
    case Opcode::BrxIdx:
    case Opcode::Ret:
    case Opcode::Exit:
    case Opcode::BarWarpSync:
    case Opcode::Membar:
    case Opcode::Fence:
    case Opcode::Prefetch:
    case Opcode::Prefetchu:
    case Opcode::Discard:
    case Opcode::Applypriority:
    case Opcode::CpAsync:
    case Opcode::CpAsyncCommitGroup:
    case Opcode::CpAsyncWaitGroup:
    case Opcode::CpAsyncWaitAll:
    case Opcode::Stmatrix:
    case Opcode::WmmaStore:
    case Opcode::Nanosleep:
    case Opcode::Trap:
    case Opcode::Brkpt:
    case Opcode::Pmevent:
    case Opcode::Stackrestore:
      return true;
    default:
      return false;
  }
}

bool is_barrier(Opcode opcode) { return opcode == Opcode::Bar || opcode == Opcode::Barrier; }

}  // namespace

std::vector<std::size_t> written_operands(const ptx::Instruction& instruction) {
  if (instruction.operands.empty() || writes_nothing(instruction.opcode)) return {};
  if (is_barrier(instruction.opcode) && !instruction.has(ptx::Modifier::Red)) return {};
  if (instruction.operands[0].kind == Kind::Address) return {};
  return {0};
}

Values::Values(const ptx::Function& function, Builder& builder) : values_(function.registers.size()) {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    Value& value = values_[i];
    const ptx::ModifierInfo& type = ptx::info(function.registers[i].type);
    value.is_predicate = type.kind == ptx::TypeKind::Predicate;
    value.bits = static_cast<std::uint8_t>(std::min<unsigned>(type.bits, 128));
    value.words = static_cast<std::uint8_t>(std::max(1U, (type.bits + 31U) / 32U));
    value.first = value.is_predicate ? builder.fresh_predicate() : builder.fresh(value.words);
  }
  count(function);
}

void Values::count(const ptx::Function& function) {
  for (std::uint32_t at = 0; at < function.body.size(); ++at) {
    const ptx::Instruction& instruction = function.body[at];
    const std::vector<std::size_t> written = written_operands(instruction);
    const bool is_guarded = instruction.guard.reg != ptx::kNone;
    if (is_guarded) ++values_[instruction.guard.reg].uses;
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      const bool is_written = std::find(written.begin(), written.end(), i) != written.end();
      each_register(instruction.operands[i], [&](std::uint32_t reg) {
        Value& value = values_[reg];
        if (!is_written) {
          ++value.uses;
          return;
        }
        value.definition = ++value.definitions == 1 && !is_guarded ? at : ptx::kNone;
      });
    }
  }
}

}  // namespace heddle::lower
