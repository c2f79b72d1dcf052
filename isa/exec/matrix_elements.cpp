#include "isa/exec/matrix_elements.h"

namespace heddle::exec {

namespace {

using ir::Modifier;

MatrixElement byte(const ir::Instruction& instruction, Modifier with_sign) {
  return instruction.modifiers.has(with_sign) ? MatrixElement::S8 : MatrixElement::U8;
}

MatrixElement nibble(const ir::Instruction& instruction, Modifier with_sign) {
  return instruction.modifiers.has(with_sign) ? MatrixElement::S4 : MatrixElement::U4;
}

MatrixElements both(MatrixElement element, bool combines_and = false) {
  return {element, element, false, combines_and};
}

MatrixElements whole(MatrixElement a, MatrixElement b, const ir::Instruction& instruction) {
  return {a, b, instruction.modifiers.has(Modifier::SaturateSat), false};
}

}  // namespace

MatrixElements matrix_elements(const ir::Instruction& instruction) {
  switch (instruction.opcode) {
    using enum ir::Opcode;
    case HmmaSp16816Tf32:
    case HmmaSp1688Tf32:
    case Hmma1688Tf32:
    case Hmma1684Tf32:
      return both(MatrixElement::Tf32);
    case Dmma884:
    case Dmma8x8x4:
      return both(MatrixElement::Double);
    case Bmma88128Xor:
    case Bmma168128Xor:
    case Bmma168256Xor:
      return both(MatrixElement::Bit);
    case Bmma88128And:
    case Bmma168128And:
    case Bmma168256And:
      return both(MatrixElement::Bit, true);
    case Imma8816:
    case Imma16816:
    case Imma16832:
    case ImmaSp16832:
    case ImmaSp16864:
      return whole(byte(instruction, Modifier::ByteAS8), byte(instruction, Modifier::ByteBS8), instruction);
    case Imma8832:
    case Imma16864:
      return whole(nibble(instruction, Modifier::NibbleAS4), nibble(instruction, Modifier::NibbleBS4),
                   instruction);
    case Imma16832S4:
      return whole(MatrixElement::S4, nibble(instruction, Modifier::NibbleBS4), instruction);
    case Imma16832U4:
      return whole(MatrixElement::U4, nibble(instruction, Modifier::NibbleBS4), instruction);
    default:
      return both(instruction.modifiers.has(Modifier::MatrixTypeBfloat) ? MatrixElement::Bfloat
                                                                        : MatrixElement::Half);
  }
}

}  // namespace heddle::exec
