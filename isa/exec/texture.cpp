#include "isa/exec/texture.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "isa/base/narrow_float.h"
#include "isa/ir/texture_layout.h"

namespace heddle::exec {

namespace {

namespace layout = ir::texture;
using ir::TextureShape;

constexpr std::int32_t kOutside = -1;
constexpr std::size_t kDescriptionBytes = layout::kBorder + 4 * sizeof(float);

// cudaChannelFormatKind and cudaTextureAddressMode
constexpr std::uint32_t kSigned = 0;
constexpr std::uint32_t kFloat = 2;
enum Mode : std::uint32_t { Wrap, Clamp, Mirror, Border };

/// As cvt.rzi.s32.f32: NaN is 0, what is too large the largest.
std::int32_t to_integer(float value) {
  constexpr float kBeyond = 2147483648.0F;
  if (std::isnan(value)) return 0;
  if (value >= kBeyond) return std::numeric_limits<std::int32_t>::max();
  if (value < -kBeyond) return std::numeric_limits<std::int32_t>::min();
  return static_cast<std::int32_t>(value);
}

template <typename Value>
Value value_at(const std::byte* bytes, std::size_t offset) {
  Value value;
  std::memcpy(&value, bytes + offset, sizeof value);
  return value;
}

template <typename Values>
void read_array(const std::byte* bytes, std::size_t offset, Values& values) {
  std::memcpy(values.data(), bytes + offset, sizeof values);
}

unsigned filtered_dimensions(TextureShape shape) {
  return ir::is_cube(shape) ? 2 : ir::info(shape).coordinates;
}

/// The face that the direction meets becomes a layer, and the place on it coordinates from 0 to 1.
TexturePlace on_cube(const TexturePlace& direction, std::int32_t cubes) {
  const auto [x, y, z] = direction.at;
  const float ax = std::fabs(x);
  const float ay = std::fabs(y);
  const float az = std::fabs(z);
  const std::int32_t cube = std::min(direction.layer, cubes - 1);
  const auto made = [&](int face, float s, float t, float m) {
    return TexturePlace{{(s / m + 1.0F) * 0.5F, (t / m + 1.0F) * 0.5F, 0}, cube * 6 + face};
  };
  if (ax >= ay && ax >= az) return x >= 0 ? made(0, -z, -y, ax) : made(1, z, -y, ax);
  if (ay >= az) return y >= 0 ? made(2, x, z, ay) : made(3, x, -z, ay);
  return z >= 0 ? made(4, x, -y, az) : made(5, -x, -y, az);
}

}  // namespace

std::optional<Texture> Texture::find(const GlobalMemory& memory, Addr object) {
  const Buffer* buffer = memory.buffer_at(object, kDescriptionBytes);
  if (buffer == nullptr) return std::nullopt;
  const std::byte* from = buffer->bytes().data() + (object - buffer->address());
  Texture made;
  made.data_ = value_at<std::uint64_t>(from, layout::kData);
  made.pitch_ = value_at<std::uint64_t>(from, layout::kPitch);
  made.slice_ = value_at<std::uint64_t>(from, layout::kSlice);
  read_array(from, layout::kWidth, made.size_);
  made.channel_bytes_ = value_at<std::uint32_t>(from, layout::kChannelBytes);
  made.channels_ = value_at<std::uint32_t>(from, layout::kChannels);
  made.kind_ = value_at<std::uint32_t>(from, layout::kKind);
  read_array(from, layout::kAddressModes, made.modes_);
  made.is_linear_ = value_at<std::uint32_t>(from, layout::kIsLinear) != 0;
  made.is_normalized_value_ = value_at<std::uint32_t>(from, layout::kIsNormalizedValue) != 0;
  made.is_normalized_place_ = value_at<std::uint32_t>(from, layout::kIsNormalizedPlace) != 0;
  read_array(from, layout::kBorder, made.border_);
  const auto [width, height, depth] = made.size_;
  const bool is_texel = std::has_single_bit(made.channels_) && made.channels_ <= 4 &&
                        std::has_single_bit(made.channel_bytes_) && made.channel_bytes_ <= 4;
  if (width == 0 || height == 0 || depth == 0 || !is_texel) return std::nullopt;
  const Addr bytes = (depth - 1) * made.slice_ + (height - 1) * made.pitch_ + Addr{width} * made.texel_bytes();
  const Buffer* texels = memory.buffer_at(made.data_, bytes);
  if (texels == nullptr) return std::nullopt;
  made.texels_ = texels->bytes().data() + (made.data_ - texels->address());
  return made;
}

bool Texture::gives_floats() const { return kind_ == kFloat || is_normalized_value_; }

Addr Texture::offset_of(const Numbers& numbers) const {
  const auto at = [&](unsigned axis) { return static_cast<Addr>(numbers[axis]); };
  return at(2) * slice_ + at(1) * pitch_ + at(0) * texel_bytes();
}

std::int32_t Texture::limited_layer(std::int32_t layer) const {
  return std::clamp(layer, 0, static_cast<std::int32_t>(size_[2]) - 1);
}

/// The number of the texel that stands for the wanted one by the texture's mode.
std::int32_t Texture::number_of(unsigned axis, std::int32_t wanted) const {
  const auto size = static_cast<std::int32_t>(size_[axis]);
  const std::uint32_t mode = modes_[axis];
  if (is_normalized_place_ && (mode == Wrap || mode == Mirror)) {
    const std::int32_t period = mode == Wrap ? size : 2 * size;
    std::int32_t rest = wanted % period;
    if (rest < 0) rest += period;
    return rest < size ? rest : period - 1 - rest;
  }
  const std::int32_t nearest = std::clamp(wanted, 0, size - 1);
  return mode == Border && nearest != wanted ? kOutside : nearest;
}

/// Compilers fetch from textures of one dimension as from those of two, with 0 as y.
Texture::Between Texture::between(unsigned axis, float at, bool filters) const {
  if (axis == 1 && size_[1] == 1 && at == 0) return {};
  if (is_normalized_place_) at *= static_cast<float>(size_[axis]);
  if (!filters) return {to_integer(std::floor(at)), 0};
  constexpr float kSteps = 256;
  const float below = std::floor(at - 0.5F);
  return {to_integer(below), std::nearbyint((at - 0.5F - below) * kSteps) / kSteps};
}

std::uint32_t Texture::channel(const std::byte* from) const {
  std::uint32_t bits = 0;
  std::memcpy(&bits, from, channel_bytes_);
  const unsigned unused = 32 - 8 * channel_bytes_;
  if (kind_ == kSigned) bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(bits << unused) >> unused);
  if (!gives_floats() || channel_bytes_ == 4) return bits;
  if (kind_ == kFloat) return std::bit_cast<std::uint32_t>(static_cast<float>(Half::value(bits)));
  const float most = kind_ == kSigned ? (channel_bytes_ == 1 ? 127.0F : 32767.0F)
                                      : (channel_bytes_ == 1 ? 255.0F : 65535.0F);
  const float part = static_cast<float>(static_cast<std::int32_t>(bits)) / most;
  return std::bit_cast<std::uint32_t>(std::max(part, -1.0F));
}

Texel Texture::texel(const Numbers& numbers) const {
  Texel made{};
  if (std::find(numbers.begin(), numbers.end(), kOutside) != numbers.end()) {
    for (unsigned c = 0; c < made.size(); ++c)
      made[c] = gives_floats() ? std::bit_cast<std::uint32_t>(border_[c])
                               : static_cast<std::uint32_t>(to_integer(border_[c]));
    return made;
  }
  const std::byte* from = texels_ + offset_of(numbers);
  for (unsigned c = 0; c < channels_; ++c) made[c] = channel(from + std::size_t{c} * channel_bytes_);
  return made;
}

Texel Texture::fetch(TextureShape shape, TexturePlace place) const {
  if (ir::is_cube(shape)) place = on_cube(place, cubes());
  const unsigned dimensions = filtered_dimensions(shape);
  const bool filters = is_linear_ && gives_floats();
  std::array<Between, 3> places{};
  for (unsigned axis = 0; axis < dimensions; ++axis) places[axis] = between(axis, place.at[axis], filters);
  Numbers numbers = {0, 0, limited_layer(place.layer)};
  std::array<float, 4> sums{};
  const unsigned corners = filters ? 1U << dimensions : 1;
  for (unsigned corner = 0; corner < corners; ++corner) {
    float weight = 1;
    for (unsigned axis = 0; axis < dimensions; ++axis) {
      const auto second = static_cast<std::int32_t>(corner >> axis & 1);
      weight *= second != 0 ? places[axis].weight : 1 - places[axis].weight;
      numbers[axis] = number_of(axis, places[axis].first + second);
    }
    const Texel here = texel(numbers);
    if (!filters) return here;
    for (unsigned c = 0; c < sums.size(); ++c) sums[c] = std::fma(weight, std::bit_cast<float>(here[c]), sums[c]);
  }
  return std::bit_cast<Texel>(sums);
}

Texel Texture::fetch_by_number(TextureShape shape, const std::array<std::int32_t, 3>& number,
                               std::int32_t layer) const {
  Numbers numbers = {0, 0, limited_layer(layer)};
  for (unsigned axis = 0; axis < filtered_dimensions(shape); ++axis) {
    const bool is_inside = number[axis] >= 0 && static_cast<std::uint32_t>(number[axis]) < size_[axis];
    numbers[axis] = is_inside ? number[axis] : kOutside;
  }
  return texel(numbers);
}

Texel Texture::gather(TexturePlace place, unsigned channel) const {
  constexpr std::array<std::array<std::int32_t, 2>, 4> kOrder = {{{0, 1}, {1, 1}, {1, 0}, {0, 0}}};
  const std::int32_t first_x = between(0, place.at[0], true).first;
  const std::int32_t first_y = between(1, place.at[1], true).first;
  Texel made{};
  for (unsigned i = 0; i < made.size(); ++i) {
    const auto [x, y] = kOrder[i];
    made[i] = texel({number_of(0, first_x + x), number_of(1, first_y + y), 0})[channel];
  }
  return made;
}

Addr Texture::address_of(TextureShape shape, TexturePlace place) const {
  if (ir::is_cube(shape)) place = on_cube(place, cubes());
  Numbers numbers = {0, 0, limited_layer(place.layer)};
  for (unsigned axis = 0; axis < filtered_dimensions(shape); ++axis)
    numbers[axis] = std::max(number_of(axis, between(axis, place.at[axis], false).first), 0);
  return data_ + offset_of(numbers);
}

Addr Texture::address_of_number(TextureShape shape, const std::array<std::int32_t, 3>& number,
                                std::int32_t layer) const {
  Numbers numbers = {0, 0, limited_layer(layer)};
  for (unsigned axis = 0; axis < filtered_dimensions(shape); ++axis)
    numbers[axis] = std::clamp(number[axis], 0, static_cast<std::int32_t>(size_[axis]) - 1);
  return data_ + offset_of(numbers);
}

std::optional<Addr> Texture::surface_address(const std::array<std::uint32_t, 3>& place) const {
  const auto [x, y, z] = place;
  if (x >= Addr{size_[0]} * texel_bytes() || y >= size_[1] || z >= size_[2]) return std::nullopt;
  return data_ + z * slice_ + y * pitch_ + x;
}

std::array<std::uint32_t, 3> Texture::clamped(std::array<std::uint32_t, 3> place) const {
  const std::array<std::uint32_t, 3> last = {(size_[0] - 1) * texel_bytes(), size_[1] - 1, size_[2] - 1};
  for (unsigned axis = 0; axis < place.size(); ++axis) {
    const auto wanted = std::max(static_cast<std::int32_t>(place[axis]), 0);
    place[axis] = std::min(static_cast<std::uint32_t>(wanted), last[axis]);
  }
  return place;
}

}  // namespace heddle::exec
