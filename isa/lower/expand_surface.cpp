// Reads and writes of surfaces: plain accesses at a place that counts bytes in x, and rows and layers.
#include <algorithm>

#include "isa/ir/texture_layout.h"
#include "isa/lower/expand.h"
#include "isa/lower/expansion_writer.h"

namespace heddle::lower {

namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Operand;
namespace layout = ir::texture;

/// Which of the coordinates is which: of layers the first is the layer. -1: there is none.
struct Coordinates {
  int x, y, z;
};

std::optional<Coordinates> coordinates_of(const Instruction& i) {
  if (i.has(Modifier::Dim1)) return Coordinates{0, -1, -1};
  if (i.has(Modifier::Dim2)) return Coordinates{0, 1, -1};
  if (i.has(Modifier::Dim3)) return Coordinates{0, 1, 2};
  if (i.has(Modifier::A1d)) return Coordinates{1, -1, 0};
  if (i.has(Modifier::A2d)) return Coordinates{1, 2, 0};
  return std::nullopt;
}

bool take_place(ExpansionWriter& w, const Operand& address, const Coordinates& which) {
  const auto list = take_object(w, address);
  if (!list || std::max({which.x, which.y, which.z}) >= static_cast<int>(list->size())) return false;
  const auto take = [&](std::string_view name, int at) {
    if (at >= 0) w.argument("b32", name, (*list)[static_cast<std::size_t>(at)]);
  };
  take("%of_x", which.x);
  take("%of_y", which.y);
  take("%of_z", which.z);
  return true;
}

/// To %at; what lies outside goes by the instruction's mode: to SKIP, to the nearest place, or ends the
/// kernel.
void find_place(ExpansionWriter& w, const Instruction& i, const Coordinates& which) {
  w.add(R"(.reg .b64 %at, %part;
.reg .b32 %px, %py, %pz, %texel, %size_x, %size_y, %size_z, %last;
.reg .pred %outside;
mov.b32 %py, {};
mov.b32 %pz, {};
ld.global.u32 %texel, [%object+{}];
ld.global.u32 %last, [%object+{}];
mul.lo.u32 %texel, %texel, %last;
ld.global.u32 %size_x, [%object+{}];
ld.global.u32 %size_y, [%object+{}];
ld.global.u32 %size_z, [%object+{}];
mul.lo.u32 %last, %size_x, %texel;
setp.ge.u32 %outside, %of_x, %last;
setp.ge.or.u32 %outside, %py, %size_y, %outside;
setp.ge.or.u32 %outside, %pz, %size_z, %outside;)",
        which.y < 0 ? "0" : "%of_y", which.z < 0 ? "0" : "%of_z", layout::kChannels, layout::kChannelBytes,
        layout::kWidth, layout::kHeight, layout::kDepth);
  w.add("mov.b32 %px, %of_x;");
  if (i.has(Modifier::Clamp)) {
    w.add("max.s32 %px, %px, 0;\nsub.s32 %last, %last, %texel;\nmin.s32 %px, %px, %last;");
    for (const char axis : {'y', 'z'})
      w.add("max.s32 %p{0}, %p{0}, 0;\nsub.s32 %last, %size_{0}, 1;\nmin.s32 %p{0}, %p{0}, %last;", axis);
  } else {
    w.add("@%outside {};", i.has(Modifier::Zero) ? "bra SKIP" : "trap");
  }
  w.add(R"(div.u32 %px, %px, %texel;
mul.wide.u32 %at, %px, %texel;
ld.global.u64 %part, [%object+{}];
add.u64 %at, %at, %part;
ld.global.u64 %part, [%object+{}];
cvt.u64.u32 %wide, %py;
mad.lo.u64 %at, %wide, %part, %at;
ld.global.u64 %part, [%object+{}];
cvt.u64.u32 %wide, %pz;
mad.lo.u64 %at, %wide, %part, %at;)",
        layout::kData, layout::kPitch, layout::kSlice);
}

struct Access {
  unsigned count;
  const char* type;       ///< In memory.
  const char* registers;  ///< Of the instruction.
};

std::optional<Access> access_of(const Instruction& i) {
  const unsigned count = i.has(Modifier::V4) ? 4 : i.has(Modifier::V2) ? 2 : 1;
  switch (i.type()) {
    case Modifier::B8:
      return Access{count, "u8", "b16"};
    case Modifier::B16:
      return Access{count, "b16", "b16"};
    case Modifier::B32:
      return Access{count, "b32", "b32"};
    case Modifier::B64:
      return Access{count, "b64", "b64"};
    default:
      return std::nullopt;
  }
}

/// "{%v0, %v1}" with what ld and st say of it.
std::string access_text(const Access& access) {
  std::string list;
  for (unsigned k = 0; k < access.count; ++k) list += fmt::format("{}%v{}", k == 0 ? "" : ", ", k);
  return access.count == 1 ? list : fmt::format("{{{}}}", list);
}

std::string access_type(const Access& access) {
  return access.count == 1 ? access.type : fmt::format("v{}.{}", access.count, access.type);
}

/// suld.b {values}, [surface, {place}] and sust.b [surface, {place}], {values}.
std::optional<Expansion> expand_surface(const Instruction& i, bool is_store) {
  const std::optional<Coordinates> which = coordinates_of(i);
  const std::optional<Access> access = access_of(i);
  if (!which || !access || i.has(Modifier::P) || i.operands.size() != 2) return std::nullopt;
  const Operand& values = i.operands[is_store ? 1 : 0];
  const bool is_list = values.kind == Operand::Kind::Vector;
  if ((is_list ? values.elements.size() : 1) != access->count) return std::nullopt;
  ExpansionWriter w;
  for (unsigned k = 0; k < access->count; ++k) {
    const Operand& value = is_list ? values.elements[k] : values;
    const std::string name = fmt::format("%v{}", k);
    if (is_store) {
      w.argument(access->registers, name, value);
    } else {
      w.result(access->registers, name, value);
    }
  }
  if (!take_place(w, i.operands[is_store ? 0 : 1], *which)) return std::nullopt;
  w.add(".reg .b64 %wide;");
  if (!is_store)
    for (unsigned k = 0; k < access->count; ++k) w.add("mov.{} %v{}, 0;", access->registers, k);
  find_place(w, i, *which);
  if (is_store) {
    w.add("st.global.{} [%at], {};", access_type(*access), access_text(*access));
  } else {
    w.add("ld.global.{} {}, [%at];", access_type(*access), access_text(*access));
  }
  w.add("SKIP:");
  return w.finish();
}

}  // namespace

std::optional<Expansion> expand_surface_load(const Instruction& i) { return expand_surface(i, false); }

std::optional<Expansion> expand_surface_store(const Instruction& i) { return expand_surface(i, true); }

}  // namespace heddle::lower
