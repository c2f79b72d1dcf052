// What a texture unit makes of coordinates: CUDA C++ Programming Guide, Texture Fetching. There is one level of detail.
// Weights of a filter have 8 bits, as there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "isa/base/types.h"
#include "isa/exec/memory.h"
#include "isa/ir/texture_operands.h"

namespace heddle::exec {

/// Four channels: bits of floats, or integers as they are in memory, by the texture.
using Texel = std::array<std::uint32_t, 4>;

/// Where a fetch falls: coordinates of texels, or from 0 to 1 if the texture has such; of a cube, a direction.
struct TexturePlace {
  std::array<float, 3> at{};
  std::int32_t layer = 0;
};

/// A texture or surface object (isa/ir/texture_layout.h) and the texels that it points to.
class Texture {
 public:
  /// The object whose description lies at that address; nothing if there is none, or not all of its texels lie in a
  /// buffer.
  static std::optional<Texture> find(const GlobalMemory& memory, Addr object);

  /// The texel at a place, filtered if the texture says so; beyond its end, what its modes say.
  [[nodiscard]] Texel fetch(ir::TextureShape shape, TexturePlace place) const;
  /// By number, which is not filtered; beyond the texture, its border.
  [[nodiscard]] Texel fetch_by_number(ir::TextureShape shape, const std::array<std::int32_t, 3>& number,
                                      std::int32_t layer) const;
  /// One channel of the four texels that a filter in two dimensions takes, from the lower left one on against the
  /// clock, y going up: (i, j + 1), (i + 1, j + 1), (i + 1, j), (i, j).
  [[nodiscard]] Texel gather(TexturePlace place, unsigned channel) const;

  /// The address of the texel that is nearest to a place, or has that number, within the texture.
  [[nodiscard]] Addr address_of(ir::TextureShape shape, TexturePlace place) const;
  [[nodiscard]] Addr address_of_number(ir::TextureShape shape, const std::array<std::int32_t, 3>& number,
                                       std::int32_t layer) const;

  /// Of a surface: x in bytes, y, and z or the layer. Nothing where these lie beyond its end.
  [[nodiscard]] std::optional<Addr> surface_address(const std::array<std::uint32_t, 3>& place) const;
  /// The nearest place that a surface has.
  [[nodiscard]] std::array<std::uint32_t, 3> clamped(std::array<std::uint32_t, 3> place) const;

  [[nodiscard]] const std::array<std::uint32_t, 3>& size() const { return size_; }  ///< In texels.

 private:
  using Numbers = std::array<std::int32_t, 3>;  // kOutside in one: the border

  /// Between which texels a coordinate lies, and how much the second one counts.
  struct Between {
    std::int32_t first = 0;
    float weight = 0;
  };

  [[nodiscard]] std::uint32_t texel_bytes() const { return channels_ * channel_bytes_; }
  [[nodiscard]] Addr offset_of(const Numbers& numbers) const;
  [[nodiscard]] std::int32_t cubes() const { return static_cast<std::int32_t>(size_[2] / 6); }
  [[nodiscard]] std::int32_t limited_layer(std::int32_t layer) const;
  [[nodiscard]] std::int32_t number_of(unsigned axis, std::int32_t wanted) const;
  [[nodiscard]] Between between(unsigned axis, float at, bool filters) const;
  [[nodiscard]] Texel texel(const Numbers& numbers) const;
  [[nodiscard]] std::uint32_t channel(const std::byte* from) const;
  [[nodiscard]] bool gives_floats() const;

  const std::byte* texels_ = nullptr;
  Addr data_ = 0;
  Addr pitch_ = 0;
  Addr slice_ = 0;
  std::array<std::uint32_t, 3> size_{};
  std::uint32_t channel_bytes_ = 0;
  std::uint32_t channels_ = 0;
  std::uint32_t kind_ = 0;
  std::array<std::uint32_t, 3> modes_{};
  bool is_linear_ = false;
  bool is_normalized_value_ = false;
  bool is_normalized_place_ = false;
  std::array<float, 4> border_{};
};

}  // namespace heddle::exec
