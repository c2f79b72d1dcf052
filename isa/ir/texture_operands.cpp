#include "isa/ir/texture_operands.h"

namespace heddle::ir {

namespace {

constexpr std::size_t kShapePlace = 6;
constexpr std::size_t kChannelsPlace = 7;

TextureShape surface_shape(const Instruction& instruction) {
  switch (instruction.modifiers.get(ModifierGroup::SurfaceShape)) {
    case Modifier::SurfaceShapeD2: return TextureShape::D2;
    case Modifier::SurfaceShapeD3: return TextureShape::D3;
    case Modifier::SurfaceShapeArray1d: return TextureShape::Array1d;
    case Modifier::SurfaceShapeArray2d: return TextureShape::Array2d;
    default: return TextureShape::D1;
  }
}

}  // namespace

TextureShape texture_shape(const Instruction& instruction) {
  if (info(instruction.opcode).action != Action::FetchTexture) return surface_shape(instruction);
  const Operand& shape = instruction.operands[kShapePlace];
  return shape.kind == Operand::Kind::TextureShape ? static_cast<TextureShape>(shape.index) : TextureShape::D1;
}

bool is_bindless(const Instruction& instruction) {
  return instruction.modifiers.has(Modifier::TextureBindlessBindless);
}

std::uint8_t texture_channels(const Instruction& instruction) {
  return static_cast<std::uint8_t>(instruction.operands[kChannelsPlace].value & kAllChannels);
}

TextureWords texture_words(const Instruction& instruction) {
  const TextureShapeInfo& shape = info(texture_shape(instruction));
  const unsigned place = shape.coordinates + (shape.has_layer ? 1 : 0);
  if (info(instruction.opcode).action != Action::FetchTexture) return {place, 0, 0, 0};
  const unsigned handle = is_bindless(instruction) ? 1 : 0;
  if (instruction.opcode == Opcode::Txd) return {handle + place, 2 * shape.coordinates, handle, 0};
  const unsigned behind = handle + (instruction.modifiers.has(Modifier::TextureLevelGiven) ? 1 : 0);
  const unsigned all = place + behind;
  const unsigned first = instruction.modifiers.has(Modifier::TextureScalarScalar) ? (all + 1) / 2 : place;
  return {first, all - first, 0, place};
}

}  // namespace heddle::ir
