#include "isa/lower/wmma_fragments.h"

#include <algorithm>

namespace heddle::lower {

namespace {

constexpr Tile kTiles[] = {{16, 16, 1, 2, false}, {32, 8, 2, 1, false}, {8, 32, 2, 1, true}};

constexpr unsigned kHalfRegisters = 8;  // that PTX gives A and B with halves, whatever the shape

}  // namespace

const Tile& tile_of(const ptx::Instruction& instruction) {
  const ptx::MatrixShape& shape = instruction.shape;
  for (const Tile& tile : kTiles) {
    if (shape.m == tile.m && shape.n == tile.n && shape.k == 16) return tile;
  }
  Selection::refuse(instruction, "matrices of this shape are not supported");
}

MatrixUse computed_use(const Tile& tile, MatrixUse use) {
  if (!tile.is_transposed || use == MatrixUse::Sums) return use;
  return use == MatrixUse::A ? MatrixUse::B : MatrixUse::A;
}

Fragment fragment_of(const Tile& tile, MatrixUse use) {
  Fragment fragment;
  const auto add = [&](unsigned across, unsigned along) {
    fragment.places[fragment.words++] = {across, along};
  };
  switch (computed_use(tile, use)) {
    case MatrixUse::A:
      for (unsigned block = 0; block < tile.row_blocks; ++block) {
        for (unsigned word = 0; word < 4; ++word) add(16 * block + 8 * (word % 2), 8 * (word / 2));
      }
      break;
    case MatrixUse::B:
      for (unsigned block = 0; block < tile.column_blocks; ++block) {
        for (unsigned word = 0; word < 2; ++word) add(8 * block, 8 * word);
      }
      break;
    case MatrixUse::Sums:
      for (unsigned row = 0; row < tile.row_blocks; ++row) {
        for (unsigned column = 0; column < tile.column_blocks; ++column) {
          for (unsigned word = 0; word < 2; ++word) add(16 * row + 8 * word, 8 * column);
        }
      }
      break;
  }
  return fragment;
}

std::size_t fragment_registers(const Tile& tile, MatrixUse use, ptx::Modifier type) {
  const unsigned words = fragment_of(tile, use).words;
  if (use == MatrixUse::Sums) return type == ptx::Modifier::F32 ? 2 * words : words;
  return type == ptx::Modifier::F16 ? kHalfRegisters : words;
}

}  // namespace heddle::lower
