// Products of matrices whose sums are exact or rounded one by one: whole numbers, bits, doubles.
//
// Fragments are those of PTX's mma. Lane 4 g + t holds in each register of A places of row g, or of row g + 8
// in every other one where D has 16 rows, and in each register of B places of column g. Of C and D it has
// columns 2 t and 2 t + 1 of row g, and of row g + 8. A register holds as many places along k as elements
// fit, from t times as many on; the next register those that follow the four lanes'.
#pragma once

#include <cstdint>

#include "isa/exec/matrix_elements.h"
#include "isa/exec/sparse_matrix.h"

namespace heddle::exec {

/// D = A B + C in the registers of 32 lanes: row r of a matrix's registers begins at word r * stride.
struct WholeProduct {
  const std::uint32_t* a = nullptr;
  const std::uint32_t* b = nullptr;
  const std::uint32_t* c = nullptr;
  std::uint32_t* d = nullptr;  ///< May be the registers of a, b or c.
  unsigned stride = 32;
  unsigned row_blocks = 1;  ///< Eights of rows of A, C and D: 1 or 2.
  unsigned depth = 1;       ///< Registers of B; of doubles, pairs.
  MatrixElements elements;
  const SparsePlaces* places = nullptr;  ///< Of a sparse A, which has half as many registers.
};

/// Of elements of 1, 4 or 8 bits. Sums have 32 bits.
void multiply_whole(const WholeProduct& product);

/// Of doubles, in pairs of registers: a sum is rounded to nearest at each of its products, in the order of k.
void multiply_doubles(const WholeProduct& product);

}  // namespace heddle::exec
