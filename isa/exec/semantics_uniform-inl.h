// The uniform datapath: each instruction computes what the one behind its U does.
#if defined(HEDDLE_SEMANTICS_UNIFORM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_SEMANTICS_UNIFORM_INL_H_
#undef HEDDLE_SEMANTICS_UNIFORM_INL_H_
#else
#define HEDDLE_SEMANTICS_UNIFORM_INL_H_
#endif

#include "isa/exec/semantics_bits-inl.h"
#include "isa/exec/semantics_convert-inl.h"
#include "isa/exec/semantics_float-inl.h"
#include "isa/exec/semantics_integer-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec {
namespace HWY_NAMESPACE {

template <>
inline LaneFunction select<ir::Opcode::Umov>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Mov>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Uldc>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Ldc>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Ldcu>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Ldc>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Uiadd3>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Iadd3>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Uiadd3X>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Iadd3X>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Uimad>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Imad>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::UimadX>(const ir::Instruction& instruction) {
  return select<ir::Opcode::ImadX>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::UimadHi>(const ir::Instruction& instruction) {
  return select<ir::Opcode::ImadHi>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::UimadWide>(const ir::Instruction& instruction) {
  return select<ir::Opcode::ImadWide>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::UimadWideX>(const ir::Instruction& instruction) {
  return select<ir::Opcode::ImadWideX>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Ulea>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Lea>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::UleaHi>(const ir::Instruction& instruction) {
  return select<ir::Opcode::LeaHi>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::UleaHiX>(const ir::Instruction& instruction) {
  return select<ir::Opcode::LeaHiX>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::UleaHiSx32>(const ir::Instruction& instruction) {
  return select<ir::Opcode::LeaHiSx32>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::UleaHiXSx32>(const ir::Instruction& instruction) {
  return select<ir::Opcode::LeaHiXSx32>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Uiabs>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Iabs>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Uvimnmx>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Imnmx>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Ulop3>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Lop3>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Ushf>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Shf>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Uprmt>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Prmt>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Ubmsk>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Bmsk>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Usgxt>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Sgxt>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Upopc>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Popc>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Uflo>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Flo>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Ubrev>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Brev>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Usel>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Sel>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Uisetp>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Isetp>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Ufadd>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Fadd>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Ufmul>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Fmul>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Uffma>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Ffma>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Ui2f>(const ir::Instruction& instruction) {
  return select<ir::Opcode::I2f>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Ui2fpS32>(const ir::Instruction& instruction) {
  return select<ir::Opcode::I2fpS32>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Ui2fpU32>(const ir::Instruction& instruction) {
  return select<ir::Opcode::I2fpU32>(instruction);
}

template <>
inline LaneFunction select<ir::Opcode::Uplop3>(const ir::Instruction& instruction) {
  return select<ir::Opcode::Plop3>(instruction);
}

}  // namespace HWY_NAMESPACE
}  // namespace heddle::exec
HWY_AFTER_NAMESPACE();

#endif  // HEDDLE_SEMANTICS_UNIFORM_INL_H_
