// What a texture or a surface object points to in the memory of the GPU: whoever makes one writes it, and
// `tex`, `suld` and `sust` of PTX, TEX and others of machine code read it. Bytes from its begin. Words have 4 bytes; the first three fields
// have 8.
#pragma once

#include <cstddef>

namespace heddle::ir::texture {

inline constexpr std::size_t kData = 0;    ///< The address of the first texel.
inline constexpr std::size_t kPitch = 8;   ///< Bytes from a row to the next.
inline constexpr std::size_t kSlice = 16;  ///< Bytes from a layer to the next.
inline constexpr std::size_t kWidth = 24;  ///< In texels; height and depth are 1 where there are none.
inline constexpr std::size_t kHeight = 28;
inline constexpr std::size_t kDepth = 32;
inline constexpr std::size_t kChannelBytes = 36;  ///< 1, 2 or 4.
inline constexpr std::size_t kChannels = 40;      ///< Of a texel: 1, 2 or 4.
inline constexpr std::size_t kKind = 44;          ///< cudaChannelFormatKind: signed, unsigned, float.
inline constexpr std::size_t kAddressModes =
    48;  ///< Three of cudaTextureAddressMode: wrap, clamp, mirror, border.
inline constexpr std::size_t kIsLinear = 60;           ///< It is filtered; else the nearest texel is taken.
inline constexpr std::size_t kIsNormalizedValue = 64;  ///< Integers become numbers from 0, or -1, to 1.
inline constexpr std::size_t kIsNormalizedPlace = 68;  ///< Coordinates go from 0 to 1.
inline constexpr std::size_t kBorder = 72;             ///< Four floats.

}  // namespace heddle::ir::texture
