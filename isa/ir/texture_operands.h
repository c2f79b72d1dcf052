// What the registers of texture and surface instructions hold. Facts are from the code that nvcc 13.0 makes for 7.5 to
// 9.0 of CUDA's texture functions.
//
//   TEX.LL    RZ, R7, R8, R6, UR4, 0x0, 3D, 0x1            R8 to R10: x, y, z; R6: level
//   TEX.B.LL  RZ, R7, R8, R6, ARRAY_2D, 0x1                R8 to R10: layer, x, y; R6: handle; R7: level
//   TEX.SCR.LL RZ, R5, R4, R6, 0x0, 0x58, 3D, 0x1          R4, R5: x, y; R6, R7: z, level: half of them each
//   TXD.B     RZ, R9, R8, R12, 2D, 0x1                     R8: handle; R9, R10: x, y; R12 to R15: gradients
//
// 0x0, 0x58 is the handle in constant bank 0 at word 0x58; UR4, 0x0 a uniform register's. Of the channels that the mask
// has, the first two go to the second operand, the others to the first.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "isa/ir/instruction.h"

namespace heddle::ir {

enum class TextureShape : std::uint8_t { D1, D2, D3, Cube, Array1d, Array2d, ArrayCube };

struct TextureShapeInfo {
  std::string_view name;
  unsigned coordinates;  ///< Without the layer; of a cube, a direction.
  bool has_layer;
};

inline constexpr auto kTextureShapes = std::to_array<TextureShapeInfo>({{"1D", 1, false},
                                                                        {"2D", 2, false},
                                                                        {"3D", 3, false},
                                                                        {"CUBE", 3, false},
                                                                        {"ARRAY_1D", 1, true},
                                                                        {"ARRAY_2D", 2, true},
                                                                        {"ARRAY_CUBE", 3, true}});

constexpr const TextureShapeInfo& info(TextureShape shape) {
  return kTextureShapes[static_cast<std::size_t>(shape)];
}

constexpr bool is_cube(TextureShape shape) {
  return shape == TextureShape::Cube || shape == TextureShape::ArrayCube;
}

inline constexpr std::uint8_t kAllChannels = 15;

constexpr bool accesses_texture(Action action) {
  return action == Action::FetchTexture || action == Action::LoadSurface || action == Action::StoreSurface;
}

/// What the words of a texture or surface instruction are: those of the first operand that has some, then those of
/// the second.
struct TextureWords {
  unsigned first = 0;   ///< How many the first operand has.
  unsigned more = 0;    ///< And the second.
  unsigned place = 0;   ///< Where the layer, or the first coordinate, is among all.
  unsigned handle = 0;  ///< Where the handle is, if the instruction has .B.
};

/// The shape of a texture's or a surface's instruction. Coordinates of surfaces end with the layer.
TextureShape texture_shape(const Instruction& instruction);

TextureWords texture_words(const Instruction& instruction);

/// The mask of the channels that a texture fetch reads.
std::uint8_t texture_channels(const Instruction& instruction);

/// Whether a register of the coordinates holds the texture's handle.
bool is_bindless(const Instruction& instruction);

}  // namespace heddle::ir
