// The fragments of wmma, whose layout PTX leaves open: here they are those of the IR's products of 16 x 8
// sums.
//
// The lanes are 8 groups of 4. Lane 4 g + t holds of each word of a fragment two neighbours: of A row g and
// columns 2 t and 2 t + 1, of B column g and rows 2 t and 2 t + 1, of C and D row g and columns 2 t and 2 t +
// 1, all of them a multiple of 8 further on.
#pragma once

#include <array>

#include "isa/lower/selection.h"

namespace heddle::lower {

/// Which matrix of D = A B + C a fragment is of; Sums: C or D.
enum class MatrixUse : std::uint8_t { A, B, Sums };

/// A word of a fragment (two registers, where sums have 32 bits): how far its elements lie behind the lane's
/// first ones.
struct FragmentWord {
  unsigned across = 0;  ///< Along the dimension that g counts.
  unsigned along = 0;   ///< Along the dimension in which the two are neighbours.
};

/// A tile as a product of blocks of 16 x 16 and 16 x 8 elements.
struct Tile {
  unsigned m = 16;
  unsigned n = 16;
  unsigned row_blocks = 1;     ///< Blocks of 16 rows.
  unsigned column_blocks = 2;  ///< Blocks of 8 columns.
  bool is_transposed = false;  ///< The product that is computed is that of B and A transposed.
};

/// The tile of a wmma instruction. Throws Refused if it has another shape.
const Tile& tile_of(const ptx::Instruction& instruction);

/// The matrix of the product that is computed in whose place it stands: of a transposed tile, A is B and B is
/// A.
MatrixUse computed_use(const Tile& tile, MatrixUse use);

/// What one lane holds of a matrix.
struct Fragment {
  unsigned words = 0;
  std::array<FragmentWord, 8> places{};
};

/// The fragment of the matrix that PTX calls so.
Fragment fragment_of(const Tile& tile, MatrixUse use);

/// The registers that PTX gives the fragment: more than there are words where it has halves of A and B twice.
std::size_t fragment_registers(const Tile& tile, MatrixUse use, ptx::Modifier type);

}  // namespace heddle::lower
