// Products of matrices as a part of a function that stands for an instruction (expand_matrix.cpp).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "isa/lower/expansion_writer.h"

namespace heddle::lower {

/// What the elements of A and B are, and what is done with them.
struct MatrixElements {
  unsigned bits = 8;  ///< 1, 4 or 8 of integers, 32 of tf32, 64 of doubles.
  bool is_double = false;
  bool a_signed = false;
  bool b_signed = false;
  bool combines_and = false;  ///< Bits are combined by AND, else by XOR.
  bool saturates = false;     ///< Sums of integers are clamped, else taken modulo 2^32.
  /// The pairs that PTX converts elements of 8-bit floats in, as e4m3x2; empty of others.
  std::string_view a_pairs;
  std::string_view b_pairs;
  bool has_half_sums = false;  ///< C and D are halves, two in a register.

  [[nodiscard]] bool is_small_float() const { return !a_pairs.empty(); }
};

/// Those of mma and wmma.mma; nothing where the IR has an instruction, or nobody has one.
std::optional<MatrixElements> matrix_elements(const ptx::Instruction& instruction);

/// Sums of 8 or 16 rows and 8 columns: which of the function's registers are theirs.
struct MatrixBlock {
  unsigned rows = 1;   ///< Times 8.
  unsigned depth = 1;  ///< Registers of B; of A as many for each eight rows.
  unsigned a = 0;      ///< The first of %a<n>,
  unsigned b = 0;      ///< %b<n>,
  unsigned sums = 0;   ///< and %s<n>.
};

/// The registers that the product needs; the sums are those of %c<n>.
void declare_matrix_product(ExpansionWriter& writer, const MatrixElements& elements, std::size_t sums);
void multiply_block(ExpansionWriter& writer, const MatrixElements& elements, const MatrixBlock& block);
/// Leaves the sums in %d<n>.
void end_matrix_product(ExpansionWriter& writer, const MatrixElements& elements, std::size_t sums);

}  // namespace heddle::lower
