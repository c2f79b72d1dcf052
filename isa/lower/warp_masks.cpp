#include "isa/lower/warp_masks.h"

namespace heddle::lower {

namespace {

constexpr std::uint64_t kAllLanes = 0xffffffff;

}  // namespace

void gather(Selection& selection, const ptx::Operand& mask) {
  if (number_of(mask, 32) == kAllLanes) {
    selection.emit(ir::Opcode::WarpsyncAll, {});
  } else {
    selection.emit(ir::Opcode::Warpsync, {selection.source(mask)});
  }
}

bool may_differ(const ptx::Operand& mask) { return !number_of(mask, 32); }

Operand as_operand(const ir::Guard& guard) { return pred(guard.predicate, guard.negated); }

void emit_loop_end(Selection& selection, Pc loop, ir::RegisterIndex again) {
  const ir::Guard guard = selection.builder.guard();
  if (guard.always()) {
    selection.builder.set_guard({again, false});
    selection.emit(ir::Opcode::Bra, {always(), target(loop)});
    selection.builder.set_guard(guard);
  } else {
    selection.emit(ir::Opcode::Bra, {pred(again), target(loop)});
  }
  selection.is_entry_block = false;
}

}  // namespace heddle::lower
