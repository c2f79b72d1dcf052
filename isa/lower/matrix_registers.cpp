#include "isa/lower/matrix_registers.h"

namespace heddle::lower {

namespace {

using ir::Opcode;

Operand new_sums(Selection& selection, const ProductKind& kind) {
  return reg(selection.builder.fresh(kind.has_wide_sums ? 4 : 2));
}

void emit_product(Selection& selection, const ProductKind& kind, Opcode wide, Opcode narrow,
                  std::initializer_list<Operand> operands) {
  if (kind.has_wide_sums) {
    selection.emit(wide, operands,
                   {kind.is_bfloat ? ir::Modifier::MatrixTypeBfloat : ir::Modifier::MatrixTypeHalf});
  } else {
    selection.emit(narrow, operands);
  }
}

}  // namespace

std::span<const ptx::Operand> elements_of(const ptx::Operand& operand) {
  if (operand.kind == ptx::Operand::Kind::Vector) return operand.elements;
  return {&operand, 1};
}

Operand packed(Selection& selection, std::span<const ptx::Operand> elements) {
  if (elements.size() == 1) return selection.builder.in_register(selection.source(elements[0]));
  const ir::RegisterIndex first = selection.builder.fresh(static_cast<unsigned>(elements.size()));
  for (std::size_t i = 0; i < elements.size(); ++i)
    selection.builder.move(first + static_cast<ir::RegisterIndex>(i), selection.source(elements[i]));
  return reg(first);
}

void unpack(Selection& selection, std::span<const ptx::Operand> elements, const Operand& first) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Operand to = selection.result(elements[i]);
    if (!is_zero(to)) selection.builder.move(to.index, reg(first.index + static_cast<ir::RegisterIndex>(i)));
  }
}

Operand emit_product_16(Selection& selection, const ProductKind& kind, const Operand& a, const Operand& b,
                        const Operand& c) {
  // Before compute capability 8.0 products are 8 deep.
  if (selection.target.compute_capability < 80) {
    const Operand half = emit_product_8(selection, kind, a, b, c);
    return emit_product_8(selection, kind, reg(a.index + 2), reg(b.index + 1), half);
  }
  const Operand sums = new_sums(selection, kind);
  emit_product(selection, kind, Opcode::Hmma16816F32, Opcode::Hmma16816F16, {sums, a, b, c});
  return sums;
}

Operand emit_product_8(Selection& selection, const ProductKind& kind, const Operand& a, const Operand& b,
                       const Operand& c) {
  const Operand sums = new_sums(selection, kind);
  emit_product(selection, kind, Opcode::Hmma1688F32, Opcode::Hmma1688F16, {sums, a, b, c});
  return sums;
}

}  // namespace heddle::lower
