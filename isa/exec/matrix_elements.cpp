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

MatrixElement float_byte(const ir::Instruction& instruction, Modifier e4m3) {
  return instruction.modifiers.has(e4m3) ? MatrixElement::E4m3 : MatrixElement::E5m2;
}

MatrixElement type_of_product(const ir::Instruction& instruction) {
  if (instruction.modifiers.has(Modifier::ProductTypeTf32)) return MatrixElement::Tf32;
  return instruction.modifiers.has(Modifier::ProductTypeBfloat) ? MatrixElement::Bfloat : MatrixElement::Half;
}

MatrixElements both(MatrixElement element, bool combines_and = false) {
  return {element, element, false, combines_and};
}

MatrixElements whole(MatrixElement a, MatrixElement b, const ir::Instruction& instruction) {
  return {a, b, instruction.modifiers.has(Modifier::SaturateSat), false};
}

/// But for whether sums are narrow.
MatrixElements elements_of(const ir::Instruction& instruction) {
  switch (instruction.opcode) {
    using enum ir::Opcode;
    case HmmaSp16816Tf32:
    case HmmaSp1688Tf32:
    case Hmma1688Tf32:
    case Hmma1684Tf32:
      return both(MatrixElement::Tf32);
    case Dmma884:
    case Dmma8x8x4:
    case Dmma16x8x4:
    case Dmma16x8x8:
    case Dmma16x8x16:
      return both(MatrixElement::Double);
    case Bmma88128Xor:
    case Bmma168128Xor:
    case Bmma168256Xor:
      return both(MatrixElement::Bit);
    case Bmma88128And:
    case Bmma168128And:
    case Bmma168256And:
    case Bgmma:
      return both(MatrixElement::Bit, true);
    case Imma8816:
    case Imma16816:
    case Imma16832:
    case ImmaSp16832:
    case ImmaSp16864:
    case Igmma:
      return whole(byte(instruction, Modifier::ByteAS8), byte(instruction, Modifier::ByteBS8), instruction);
    case Imma8832:
    case Imma16864:
      return whole(nibble(instruction, Modifier::NibbleAS4), nibble(instruction, Modifier::NibbleBS4),
                   instruction);
    case Imma16832S4:
      return whole(MatrixElement::S4, nibble(instruction, Modifier::NibbleBS4), instruction);
    case Imma16832U4:
      return whole(MatrixElement::U4, nibble(instruction, Modifier::NibbleBS4), instruction);
    case Qgmma:
    case Qmma16816F32:
    case Qmma16816F16:
    case Qmma16832F32:
    case Qmma16832F16:
      return {float_byte(instruction, Modifier::FloatByteAE4m3), float_byte(instruction, Modifier::FloatByteBE4m3),
              false, false};
    case Hgmma:
      return both(type_of_product(instruction));
    default:
      return both(instruction.modifiers.has(Modifier::MatrixTypeBfloat) ? MatrixElement::Bfloat
                                                                        : MatrixElement::Half);
  }
}

}  // namespace

MatrixElements matrix_elements(const ir::Instruction& instruction) {
  MatrixElements made = elements_of(instruction);
  const bool has_pair = ir::info(instruction.opcode).operands[0] == ir::OperandRole::DstPair;
  made.has_narrow_sums = instruction.modifiers.has(Modifier::ProductSumsF16) || (has_pair && !is_whole(made.a));
  return made;
}

}  // namespace heddle::exec
