// mma.sp: products whose matrix A is sparse, for compute capability 8.0 and later. Fragments are the IR's.
#include <algorithm>

#include "isa/lower/matrix_registers.h"
#include "isa/lower/select.h"

namespace heddle::lower {

namespace {

using ir::Modifier;
using PtxModifier = ptx::Modifier;

/// A shape and the instruction that has it.
struct SparseForm {
  unsigned depth;  ///< B's rows.
  PtxModifier element;
  PtxModifier sums;
  ir::Opcode opcode;
  unsigned registers;  ///< Of A, and of B.
};

constexpr SparseForm kForms[] = {
    {32, PtxModifier::F16, PtxModifier::F32, ir::Opcode::HmmaSp16832F32, 4},
    {32, PtxModifier::F16, PtxModifier::F16, ir::Opcode::HmmaSp16832F16, 4},
    {32, PtxModifier::Bf16, PtxModifier::F32, ir::Opcode::HmmaSp16832F32, 4},
    {16, PtxModifier::F16, PtxModifier::F32, ir::Opcode::HmmaSp16816F32, 2},
    {16, PtxModifier::F16, PtxModifier::F16, ir::Opcode::HmmaSp16816F16, 2},
    {16, PtxModifier::Bf16, PtxModifier::F32, ir::Opcode::HmmaSp16816F32, 2},
    {16, PtxModifier::Tf32, PtxModifier::F32, ir::Opcode::HmmaSp16816Tf32, 4},
    {8, PtxModifier::Tf32, PtxModifier::F32, ir::Opcode::HmmaSp1688Tf32, 2},
    {64, PtxModifier::S8, PtxModifier::S32, ir::Opcode::ImmaSp16864, 4},
    {64, PtxModifier::U8, PtxModifier::S32, ir::Opcode::ImmaSp16864, 4},
    {32, PtxModifier::S8, PtxModifier::S32, ir::Opcode::ImmaSp16832, 2},
    {32, PtxModifier::U8, PtxModifier::S32, ir::Opcode::ImmaSp16832, 2},
};

bool is_whole(PtxModifier type) { return type == PtxModifier::S8 || type == PtxModifier::U8; }

const SparseForm& form_of(const ptx::Instruction& instruction) {
  const ptx::MatrixShape& shape = instruction.shape;
  const PtxModifier sums = instruction.type(0);
  const PtxModifier a = instruction.type(1);
  const PtxModifier b = instruction.type(2);
  const auto* const found = std::find_if(std::begin(kForms), std::end(kForms), [&](const SparseForm& form) {
    return form.depth == shape.k && form.element == a && form.sums == sums;
  });
  const bool are_alike = a == b || (is_whole(a) && is_whole(b));
  if (shape.m != 16 || shape.n != 8 || found == std::end(kForms) || !are_alike || instruction.type(3) != sums)
    Selection::refuse(instruction, "sparse products of this shape and these types are not supported");
  return *found;
}

void emit(Selection& selection, const ptx::Instruction& instruction, ir::Opcode opcode,
          std::initializer_list<Operand> operands) {
  const PtxModifier a = instruction.type(1);
  if (a == PtxModifier::Bf16) {
    selection.emit(opcode, operands, {Modifier::MatrixTypeBfloat});
  } else if (is_whole(a)) {
    selection.emit(opcode, operands,
                   {a == PtxModifier::S8 ? Modifier::ByteAS8 : Modifier::ByteAU8,
                    instruction.type(2) == PtxModifier::S8 ? Modifier::ByteBS8 : Modifier::ByteBU8,
                    instruction.has(PtxModifier::Satfinite) ? Modifier::SaturateSat : Modifier::SaturateNone});
  } else {
    selection.emit(opcode, operands);
  }
}

}  // namespace

void select_sparse_mma(Selection& selection, const ptx::Instruction& instruction) {
  constexpr unsigned kFirst = 80;  // compute capability
  if (selection.target.compute_capability < kFirst)
    Selection::refuse(instruction, "sparse products need compute capability 8.0");
  const SparseForm& form = form_of(instruction);
  const auto part = [&](std::size_t i) { return elements_of(instruction.operands[i]); };
  const unsigned sums = form.sums == PtxModifier::F16 ? 2 : 4;
  if (part(0).size() != sums || part(1).size() != form.registers || part(2).size() != form.registers ||
      part(3).size() != sums)
    Selection::refuse(instruction, "a matrix has another number of registers");
  const Operand selector = selection.source(instruction.operands[5]);
  if (!is_number(selector)) Selection::refuse(instruction, "the selector of metadata is a number");
  const Operand a = packed(selection, part(1));
  const Operand b = packed(selection, part(2));
  const Operand c = packed(selection, part(3));
  const Operand metadata = selection.builder.in_register(selection.source(instruction.operands[4]));
  const Operand d = reg(selection.builder.fresh(sums));
  emit(selection, instruction, form.opcode, {d, a, b, c, metadata, selector});
  unpack(selection, part(0), d);
}

}  // namespace heddle::lower
