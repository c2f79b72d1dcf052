// mma and ldmatrix, whose fragments are the IR's.
#include <algorithm>

#include "isa/lower/addresses.h"
#include "isa/lower/matrix_registers.h"
#include "isa/lower/select.h"

namespace heddle::lower {

namespace {

using ir::Modifier;
using PtxModifier = ptx::Modifier;

/// A by rows and B by columns, as all shapes but m8n8k4 have it.
bool is_row_by_column(const ptx::Instruction& instruction) {
  const auto* const row =
      std::find(instruction.modifiers.begin(), instruction.modifiers.end(), PtxModifier::Row);
  const auto* const column =
      std::find(instruction.modifiers.begin(), instruction.modifiers.end(), PtxModifier::Col);
  return row < column && column != instruction.modifiers.end();
}

ProductKind kind_of(const ptx::Instruction& instruction) {
  const PtxModifier d = instruction.type(0);
  const PtxModifier a = instruction.type(1);
  const bool is_known = a == instruction.type(2) && d == instruction.type(3) &&
                        ((a == PtxModifier::F16 && (d == PtxModifier::F16 || d == PtxModifier::F32)) ||
                         (a == PtxModifier::Bf16 && d == PtxModifier::F32));
  if (!is_known) Selection::refuse(instruction, "products of these types are not supported");
  return {a == PtxModifier::Bf16, d == PtxModifier::F32};
}

bool has_only_known_words(const ptx::Instruction& instruction) {
  return std::all_of(instruction.modifiers.begin(), instruction.modifiers.end(), [](PtxModifier modifier) {
    return ptx::is_type(modifier) || modifier == PtxModifier::Sync || modifier == PtxModifier::Aligned ||
           modifier == PtxModifier::Row || modifier == PtxModifier::Col || modifier == PtxModifier::Shape;
  });
}

unsigned matrix_count(const ptx::Instruction& instruction) {
  if (instruction.has(PtxModifier::X4)) return 4;
  return instruction.has(PtxModifier::X2) ? 2 : 1;
}

}  // namespace

void select_mma(Selection& selection, const ptx::Instruction& instruction) {
  const ptx::MatrixShape& shape = instruction.shape;
  const bool is_deep = shape.k == 16;
  if (shape.m != 16 || shape.n != 8 || (!is_deep && shape.k != 8))
    Selection::refuse(instruction, "products of this shape are not supported");
  if (!is_row_by_column(instruction) || !has_only_known_words(instruction) ||
      instruction.operands.size() != 4)
    Selection::refuse(instruction);
  const ProductKind kind = kind_of(instruction);
  const auto part = [&](std::size_t i) { return elements_of(instruction.operands[i]); };
  const std::size_t sums = kind.has_wide_sums ? 4 : 2;
  const std::size_t depth = is_deep ? 2 : 1;
  if (part(0).size() != sums || part(1).size() != 2 * depth || part(2).size() != depth ||
      part(3).size() != sums)
    Selection::refuse(instruction, "a matrix has another number of registers");
  const Operand a = packed(selection, part(1));
  const Operand b = packed(selection, part(2));
  const Operand c = packed(selection, part(3));
  unpack(selection, part(0),
         is_deep ? emit_product_16(selection, kind, a, b, c) : emit_product_8(selection, kind, a, b, c));
}

void select_ldmatrix(Selection& selection, const ptx::Instruction& instruction) {
  const ptx::MatrixShape& shape = instruction.shape;
  if (shape.m != 8 || shape.n != 8 || instruction.type() != PtxModifier::B16 ||
      instruction.operands.size() != 2)
    Selection::refuse(instruction, "matrices of 8 x 8 elements of 16 bits are supported");
  if (space_of(selection, instruction, instruction.operands[1]) != ptx::StateSpace::Shared)
    Selection::refuse(instruction, "it is not known that the address is one of shared memory");
  const unsigned count = matrix_count(instruction);
  const auto to = elements_of(instruction.operands[0]);
  if (to.size() != count) Selection::refuse(instruction, "it has another number of registers");
  const Operand from = address_of(selection, instruction.operands[1], ptx::StateSpace::Shared);
  const Operand first = count == 1 ? selection.result(to[0]) : reg(selection.builder.fresh(count));
  const Modifier matrices = count == 4   ? Modifier::MatrixCountFour
                            : count == 2 ? Modifier::MatrixCountTwo
                                         : Modifier::MatrixCountOne;
  selection.emit(instruction.has(PtxModifier::Trans) ? ir::Opcode::LdsmT : ir::Opcode::Ldsm, {first, from},
                 {matrices});
  if (count > 1) unpack(selection, to, first);
}

}  // namespace heddle::lower
