// Ends and pauses. Branches are made where blocks are (lower.cpp).
#include "isa/lower/select.h"

namespace heddle::lower {

using ir::Opcode;

void select_exit(Selection& s, const ptx::Instruction&) { s.emit(Opcode::Exit, {always()}); }

void select_return(Selection& s, const ptx::Instruction&) { s.emit(Opcode::Ret, {always()}); }

void select_trap(Selection& s, const ptx::Instruction&) { s.emit(Opcode::BptTrap, {number(1)}); }

void select_nanosleep(Selection& s, const ptx::Instruction& instruction) {
  s.emit(Opcode::Nanosleep, {s.source(instruction.operands[0])});
}

}  // namespace heddle::lower
