#include "isa/lower/warp_masks.h"

namespace heddle::lower {

namespace {

constexpr std::uint64_t kAllLanes = 0xffffffff;

}  // namespace

void gather(Selection& selection, const ptx::Instruction& instruction, const ptx::Operand& mask) {
  const auto lanes = number_of(mask, 32);
  std::optional<std::uint64_t> key = lanes;
  if (!lanes && mask.kind == ptx::Operand::Kind::Register && selection.is_lasting(mask))
    key = std::uint64_t{mask.reg} << 32;
  if (!selection.convergence.must_gather(instruction, key)) return;
  if (lanes == kAllLanes) {
    selection.emit(ir::Opcode::WarpsyncAll, {});
  } else {
    selection.emit(ir::Opcode::Warpsync, {selection.source(mask)});
  }
}

bool may_differ(const ptx::Operand& mask) { return !number_of(mask, 32); }

void emit_loop_end(Selection& selection, Pc loop, ir::RegisterIndex again) {
  selection.builder.set_guard({again, false});
  selection.emit(ir::Opcode::Bra, {Operand{}, target(loop)});
}

Operand guard_operand(const Selection& selection, const ptx::Instruction& instruction) {
  if (!selection.is_guarded(instruction)) return always();
  return pred(selection.values[instruction.guard.reg].first, instruction.guard.negated);
}

void without_guard(Selection& selection) { selection.builder.set_guard({}); }

void with_guard_of(Selection& selection, const ptx::Instruction& instruction) {
  const Operand guard = guard_operand(selection, instruction);
  selection.builder.set_guard({guard.index, guard.negated});
}

}  // namespace heddle::lower
