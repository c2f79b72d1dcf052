// What the elements of a product of matrices are.
#pragma once

#include <cstdint>

#include "isa/ir/instruction.h"

namespace heddle::exec {

/// A number of A or B.
enum class MatrixElement : std::uint8_t {
  Half,
  Bfloat,
  Tf32,  ///< 32 bits, of which the lowest 13 do not count.
  Double,
  S8,
  U8,
  S4,
  U4,
  Bit,
  E4m3,  ///< Floats of 8 bits.
  E5m2,
};

/// Bits of one element.
constexpr unsigned bits_of(MatrixElement element) {
  switch (element) {
    case MatrixElement::Half:
    case MatrixElement::Bfloat:
      return 16;
    case MatrixElement::Tf32:
      return 32;
    case MatrixElement::Double:
      return 64;
    case MatrixElement::S8:
    case MatrixElement::U8:
    case MatrixElement::E4m3:
    case MatrixElement::E5m2:
      return 8;
    case MatrixElement::S4:
    case MatrixElement::U4:
      return 4;
    case MatrixElement::Bit:
      return 1;
  }
  return 0;
}

constexpr bool is_float_byte(MatrixElement element) {
  return element == MatrixElement::E4m3 || element == MatrixElement::E5m2;
}

/// Whether sums are exact or rounded one by one, as whole_product.h has them; else as matrix_product.h does.
constexpr bool is_whole(MatrixElement element) {
  return element == MatrixElement::Double || (element >= MatrixElement::S8 && element <= MatrixElement::Bit);
}

/// How a product takes its registers. Elements of floats are of one kind, but for those of 8 bits.
struct MatrixElements {
  MatrixElement a = MatrixElement::Half;
  MatrixElement b = MatrixElement::Half;
  bool saturates = false;     ///< Sums of whole numbers are clamped to 32 bits, else taken modulo 2^32.
  bool combines_and = false;  ///< Bits are combined by AND, else by XOR.
  bool has_narrow_sums = false;  ///< C and D have floats of 16 bits, else of 32.
};

/// Of the product that the instruction is; of others, nothing of use.
MatrixElements matrix_elements(const ir::Instruction& instruction);

}  // namespace heddle::exec
