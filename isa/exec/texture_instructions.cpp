#include "isa/exec/texture_instructions.h"

#include <fmt/format.h>

#include <bit>

#include "isa/base/lane_addresses.h"
#include "isa/ir/texture_operands.h"

namespace heddle::exec {

void TextureInstructions::fetch(const Decoded& op, Warp& warp, LaneMask executed) {
  texture_.reset();
  for_each_lane(executed, [&](unsigned lane) { fetch_lane(op, warp, lane); });
  machine_.step.span = span_of(machine_.addresses.data(), executed, op.bytes);
}

const Texture& TextureInstructions::texture_of(const Decoded& op, const Warp& warp, unsigned lane) {
  const std::uint32_t handle = machine_.source(warp, op.c)[lane];
  if (texture_ && handle == handle_) return *texture_;
  texture_ = Texture::find(machine_.kernel.memory(), handle);
  handle_ = handle;
  if (!texture_)
    machine_.fail(warp, stream::FaultKind::OutOfBounds,
                  fmt::format("no texture or surface object has the handle {:#x} of lane {}", handle, lane), lane,
                  handle);
  return *texture_;
}

std::uint32_t TextureInstructions::place_word(const Decoded& op, const Warp& warp, unsigned word,
                                              unsigned lane) const {
  const bool is_first = word < op.a.rows;
  const std::uint32_t* rows = machine_.source(warp, is_first ? op.a : op.b);
  return rows[(is_first ? word : word - op.a.rows) * machine_.lanes + lane];
}

void TextureInstructions::fetch_lane(const Decoded& op, Warp& warp, unsigned lane) {
  const Texture& texture = texture_of(op, warp, lane);
  const TextureForm& form = op.texture;
  const ir::TextureShapeInfo& shape = ir::info(form.shape);
  unsigned word = form.place;
  const std::uint32_t layer = shape.has_layer ? place_word(op, warp, word++, lane) & 0xffffU : 0;
  std::array<std::uint32_t, 3> bits{};
  for (unsigned axis = 0; axis < shape.coordinates; ++axis) bits[axis] = place_word(op, warp, word++, lane);
  const auto numbers = std::bit_cast<std::array<std::int32_t, 3>>(bits);
  const TexturePlace place = {std::bit_cast<std::array<float, 3>>(bits), static_cast<std::int32_t>(layer)};
  const Texel texel = form.gathers     ? texture.gather(place, form.gathered)
                      : form.by_number ? texture.fetch_by_number(form.shape, numbers, place.layer)
                                       : texture.fetch(form.shape, place);
  const Addr address = form.by_number ? texture.address_of_number(form.shape, numbers, place.layer)
                                      : texture.address_of(form.shape, place);
  machine_.addresses[lane] = address / op.bytes * op.bytes;
  std::uint32_t* to = machine_.out(op, warp);
  unsigned written = 0;
  for (unsigned c = 0; c < texel.size(); ++c) {
    if ((form.channels >> c & 1) == 0) continue;
    if (written == op.out_rows) {  // the others go to the other operand
      if (form.more_is_lost) return;
      to = warp.registers.get() + form.more_offset;
      written = 0;
    }
    to[written++ * machine_.lanes + lane] = texel[c];
  }
}

LaneMask TextureInstructions::place_on_surface(const Decoded& op, Warp& warp, LaneMask executed) {
  const ir::TextureShapeInfo& shape = ir::info(op.texture.shape);
  LaneMask inside = 0;
  for_each_lane(executed, [&](unsigned lane) {
    const Texture& surface = texture_of(op, warp, lane);
    std::array<std::uint32_t, 3> place{};
    for (unsigned axis = 0; axis < shape.coordinates; ++axis) place[axis] = place_word(op, warp, axis, lane);
    if (shape.has_layer) place[2] = place_word(op, warp, shape.coordinates, lane);
    auto address = surface.surface_address(place);
    if (!address && op.texture.boundary == ir::Modifier::SurfaceBoundaryClamp)
      address = surface.surface_address(surface.clamped(place));
    if (!address && op.texture.boundary == ir::Modifier::SurfaceBoundaryTrap)
      machine_.fail(warp, stream::FaultKind::OutOfBounds,
                    fmt::format("lane {} is at byte {} of row {}, layer {}, of a surface of {}x{}x{} texels", lane,
                                place[0], place[1], place[2], surface.size()[0], surface.size()[1],
                                surface.size()[2]),
                    lane);
    if (address) inside |= LaneMask{1} << lane;
    machine_.addresses[lane] = address ? *address : *surface.surface_address(surface.clamped(place));
  });
  return inside;
}

void TextureInstructions::access_surface(const Decoded& op, Warp& warp, LaneMask executed) {
  texture_.reset();
  const LaneMask inside = place_on_surface(op, warp, executed);
  const bool is_load = op.action == ir::Action::LoadSurface;
  if (is_load) {
    std::uint32_t* to = machine_.out(op, warp);
    for_each_lane(executed & ~inside, [&](unsigned lane) {
      for (unsigned row = 0; row < op.out_rows; ++row) to[row * machine_.lanes + lane] = 0;
    });
  }
  Decoded access = op;
  access.action = is_load ? ir::Action::Load : ir::Action::Store;
  if (inside != 0) memory_.access_at(access, warp, inside);
  machine_.step.span = span_of(machine_.addresses.data(), executed, op.bytes);
}

}  // namespace heddle::exec
