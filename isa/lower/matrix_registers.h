// Matrices in registers: PTX's lists of registers as the IR's registers side by side.
#pragma once

#include <span>

#include "isa/lower/selection.h"

namespace heddle::lower {

/// The registers of a list; of a single register, that one.
std::span<const ptx::Operand> elements_of(const ptx::Operand& operand);

/// Copies registers into new ones side by side.
Operand packed(Selection& selection, std::span<const ptx::Operand> elements);

/// Copies registers that lie side by side into those of the list.
void unpack(Selection& selection, std::span<const ptx::Operand> elements, const Operand& first);

/// The arithmetic of a product.
struct ProductKind {
  bool is_bfloat = false;
  bool has_wide_sums = true;  ///< Sums have 32 bits rather than 16.
};

/// D = A B + C, D 16 x 8. A begins four registers, B two, C and the result as many as the sums take.
Operand emit_product_16(Selection& selection, const ProductKind& kind, const Operand& a, const Operand& b,
                        const Operand& c);

/// The same of A 16 x 8 in two registers and B in one.
Operand emit_product_8(Selection& selection, const ProductKind& kind, const Operand& a, const Operand& b,
                       const Operand& c);

}  // namespace heddle::lower
