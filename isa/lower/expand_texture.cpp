// Fetches from textures: the loads and the arithmetic that a texture unit would do, with its rules for
// coordinates, borders and filters (CUDA C++ Programming Guide, Texture Fetching). Levels of detail are taken
// and there is one.
#include <array>

#include "isa/ir/texture_layout.h"
#include "isa/lower/expand.h"
#include "isa/lower/expansion_writer.h"

namespace heddle::lower {

namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Operand;
namespace layout = ir::texture;

constexpr std::array kAxes = {'x', 'y', 'z'};

/// What the coordinates of a fetch are: of a cube, a direction.
struct Geometry {
  unsigned filtered;  ///< Dimensions.
  bool has_layer;
  bool is_cube;

  [[nodiscard]] unsigned coordinates() const { return is_cube ? 3 : filtered; }
};

std::optional<Geometry> geometry_of(const Instruction& i) {
  if (i.has(Modifier::Dim1)) return Geometry{1, false, false};
  if (i.has(Modifier::Dim2)) return Geometry{2, false, false};
  if (i.has(Modifier::Dim3)) return Geometry{3, false, false};
  if (i.has(Modifier::A1d)) return Geometry{1, true, false};
  if (i.has(Modifier::A2d)) return Geometry{2, true, false};
  if (i.has(Modifier::Cube)) return Geometry{2, false, true};
  if (i.has(Modifier::Acube)) return Geometry{2, true, true};
  return std::nullopt;
}

/// %cx, %cy, %cz and %layer of [object, {layer, x, y, z}], which has some to spare at its end.
bool take_coordinates(ExpansionWriter& w, const Operand& address, const Geometry& geometry,
                      std::string_view type) {
  const auto list = take_object(w, address);
  const std::size_t layers = geometry.has_layer ? 1 : 0;
  if (!list || list->size() < geometry.coordinates() + layers) return false;
  if (geometry.has_layer) w.argument("b32", "%of_layer", list->front());
  for (unsigned k = 0; k < geometry.coordinates(); ++k)
    w.argument(type, fmt::format("%of_{}", kAxes[k]), (*list)[k + layers]);
  return true;
}

void load_layout(ExpansionWriter& w) {
  w.add(R"(.reg .b64 %data, %pitch, %slice, %at, %part;
.reg .b32 %size_x, %size_y, %size_z, %channels, %bytes, %kind, %linear, %normalized, %corner, %bit, %sum;
.reg .b32 %mode, %rest, %twice, %other, %shift, %px, %py, %pz, %layer;
.reg .f32 %cx, %cy, %cz, %below, %f, %g, %weight;
.reg .b16 %half, %none;
.reg .pred %is_normalized, %is_linear, %p, %q, %outside;
ld.global.u64 %data, [%object+{}];
ld.global.u64 %pitch, [%object+{}];
ld.global.u64 %slice, [%object+{}];
ld.global.u32 %size_x, [%object+{}];
ld.global.u32 %size_y, [%object+{}];
ld.global.u32 %size_z, [%object+{}];
ld.global.u32 %bytes, [%object+{}];
ld.global.u32 %channels, [%object+{}];
ld.global.u32 %kind, [%object+{}];
ld.global.u32 %linear, [%object+{}];
ld.global.u32 %normalized, [%object+{}];
setp.ne.u32 %is_normalized, %normalized, 0;
setp.ne.u32 %is_linear, %linear, 0;)",
        layout::kData, layout::kPitch, layout::kSlice, layout::kWidth, layout::kHeight, layout::kDepth,
        layout::kChannelBytes, layout::kChannels, layout::kKind, layout::kIsLinear,
        layout::kIsNormalizedPlace);
}

/// The face of a cube that the direction meets becomes a layer, and the place on it two coordinates from 0
/// to 1.
void meet_cube(ExpansionWriter& w) {
  w.add(R"(.reg .f32 %ax, %ay, %az, %s, %t, %m;
.reg .b32 %face, %last;
div.u32 %last, %size_z, 6;
sub.u32 %last, %last, 1;
min.u32 %layer, %layer, %last;
abs.f32 %ax, %cx;
abs.f32 %ay, %cy;
abs.f32 %az, %cz;
setp.ge.f32 %p, %ax, %ay;
setp.ge.and.f32 %p, %ax, %az, %p;
@!%p bra NOT_X;
setp.ge.f32 %q, %cx, 0f00000000;
selp.b32 %face, 0, 1, %q;
neg.f32 %f, %cz;
selp.f32 %s, %f, %cz, %q;
neg.f32 %t, %cy;
mov.f32 %m, %ax;
bra MET;
NOT_X:
setp.ge.f32 %p, %ay, %az;
@!%p bra NOT_Y;
setp.ge.f32 %q, %cy, 0f00000000;
selp.b32 %face, 2, 3, %q;
mov.f32 %s, %cx;
neg.f32 %f, %cz;
selp.f32 %t, %cz, %f, %q;
mov.f32 %m, %ay;
bra MET;
NOT_Y:
setp.ge.f32 %q, %cz, 0f00000000;
selp.b32 %face, 4, 5, %q;
neg.f32 %f, %cx;
selp.f32 %s, %cx, %f, %q;
neg.f32 %t, %cy;
mov.f32 %m, %az;
MET:
div.rn.f32 %s, %s, %m;
add.f32 %s, %s, 0f3F800000;
mul.f32 %cx, %s, 0f3F000000;
div.rn.f32 %t, %t, %m;
add.f32 %t, %t, 0f3F800000;
mul.f32 %cy, %t, 0f3F000000;
mad.lo.s32 %layer, %layer, 6, %face;)");
}

/// The first of the texels between which the coordinate lies, and how much the next counts: in 256ths, as on
/// a GPU.
void find_neighbours(ExpansionWriter& w, char axis) {
  w.add(R"(.reg .b32 %first_{0};
.reg .f32 %weight_{0};
cvt.rn.f32.u32 %f, %size_{0};
@%is_normalized mul.f32 %c{0}, %c{0}, %f;
mov.f32 %weight_{0}, 0f00000000;
cvt.rmi.f32.f32 %below, %c{0};
@!%is_linear bra NEAREST_{0};
sub.f32 %f, %c{0}, 0f3F000000;
cvt.rmi.f32.f32 %below, %f;
sub.f32 %f, %f, %below;
mul.f32 %f, %f, 0f43800000;
cvt.rni.f32.f32 %f, %f;
mul.f32 %weight_{0}, %f, 0f3B800000;
NEAREST_{0}:
cvt.rzi.s32.f32 %first_{0}, %below;)",
        axis);
}

/// Where the corner's texel lies in one dimension, by the texture's mode; %outside: where the border is.
void place_corner(ExpansionWriter& w, unsigned axis) {
  w.add(R"(shr.u32 %bit, %corner, {1};
and.b32 %bit, %bit, 1;
setp.ne.u32 %p, %bit, 0;
mov.f32 %f, 0f3F800000;
sub.f32 %f, %f, %weight_{0};
selp.f32 %f, %weight_{0}, %f, %p;
mul.f32 %weight, %weight, %f;
add.s32 %p{0}, %first_{0}, %bit;
ld.global.u32 %mode, [%object+{2}];
@!%is_normalized bra NO_REPEAT_{0};
setp.eq.u32 %p, %mode, 0;
setp.eq.or.u32 %q, %mode, 2, %p;
@!%q bra NO_REPEAT_{0};
shl.b32 %twice, %size_{0}, 1;
selp.b32 %twice, %size_{0}, %twice, %p;
rem.s32 %p{0}, %p{0}, %twice;
setp.lt.s32 %q, %p{0}, 0;
@%q add.s32 %p{0}, %p{0}, %twice;
sub.s32 %other, %twice, 1;
sub.s32 %other, %other, %p{0};
setp.ge.s32 %q, %p{0}, %size_{0};
@%q mov.b32 %p{0}, %other;
NO_REPEAT_{0}:
max.s32 %rest, %p{0}, 0;
sub.s32 %other, %size_{0}, 1;
min.s32 %rest, %rest, %other;
setp.ne.s32 %p, %rest, %p{0};
setp.eq.and.u32 %p, %mode, 3, %p;
@%p mov.b32 %sum, 1;
mov.b32 %p{0}, %rest;)",
        kAxes[axis], axis, layout::kAddressModes + 4 * axis);
}

/// Channels of the texel at %px, %py, %pz to %t0 to %t3, as they are in memory, or those of the border if
/// %outside.
void read_texel(ExpansionWriter& w, bool is_float) {
  w.add(R"(mul.lo.u32 %rest, %channels, %bytes;
mul.wide.u32 %at, %px, %rest;
add.u64 %at, %at, %data;
cvt.u64.u32 %part, %py;
mad.lo.u64 %at, %part, %pitch, %at;
cvt.u64.u32 %part, %pz;
mad.lo.u64 %at, %part, %slice, %at;
mov.b32 %shift, 32;
shl.b32 %rest, %bytes, 3;
sub.u32 %shift, %shift, %rest;
@%outside bra BORDER;)");
  for (unsigned c = 0; c < 4; ++c) {
    w.add(R"(mov.b32 %t{0}, 0;
setp.gt.u32 %p, %channels, {0};
setp.eq.and.u32 %q, %bytes, 4, %p;
@%q ld.global.b32 %t{0}, [%at];
setp.eq.and.u32 %q, %bytes, 2, %p;
@%q ld.global.u16 %t{0}, [%at];
setp.eq.and.u32 %q, %bytes, 1, %p;
@%q ld.global.u8 %t{0}, [%at];
setp.eq.u32 %q, %kind, 0;
@%q shl.b32 %t{0}, %t{0}, %shift;
@%q shr.s32 %t{0}, %t{0}, %shift;
cvt.u64.u32 %part, %bytes;
add.u64 %at, %at, %part;)",
          c);
  }
  if (is_float) {
    w.add(R"(setp.eq.u32 %p, %kind, 2;
setp.eq.u32 %q, %bytes, 4;
@%q bra HAVE;
@%p bra HALVES;
setp.eq.u32 %q, %bytes, 1;
selp.f32 %g, 0f42FE0000, 0f46FFFE00, %q;
setp.eq.u32 %p, %kind, 0;
@!%p selp.f32 %g, 0f437F0000, 0f477FFF00, %q;)");
    for (unsigned c = 0; c < 4; ++c) {
      w.add(R"(cvt.rn.f32.s32 %f, %t{0};
div.rn.f32 %f, %f, %g;
max.f32 %f, %f, 0fBF800000;
mov.b32 %t{0}, %f;)",
            c);
    }
    w.add("bra HAVE;\nHALVES:");
    for (unsigned c = 0; c < 4; ++c)
      w.add("mov.b32 {{%half, %none}}, %t{0};\ncvt.f32.f16 %f, %half;\nmov.b32 %t{0}, %f;", c);
  }
  w.add("bra HAVE;\nBORDER:");
  for (unsigned c = 0; c < 4; ++c) {
    w.add("ld.global.f32 %f, [%object+{}];", layout::kBorder + 4 * c);
    w.add("{} %t{}, %f;", is_float ? "mov.b32" : "cvt.rzi.s32.f32", c);
  }
  w.add("HAVE:");
}

/// The sum of the corners' texels by their weights; of one that is not filtered, the texel.
void sum_corners(ExpansionWriter& w, const Geometry& geometry, bool is_float) {
  w.add(".reg .b32 %t0, %t1, %t2, %t3;\n.reg .f32 %s0, %s1, %s2, %s3;\nmov.b32 %corner, 0;\nmov.b32 %py, 0;");
  w.add("mov.b32 %pz, %layer;");
  for (unsigned c = 0; c < 4; ++c) w.add("mov.f32 %s{}, 0f00000000;", c);
  w.add("CORNER:\nmov.b32 %sum, 0;\nmov.f32 %weight, 0f3F800000;");
  for (unsigned axis = 0; axis < geometry.filtered; ++axis) place_corner(w, axis);
  w.add("setp.ne.u32 %outside, %sum, 0;");
  read_texel(w, is_float);
  w.add("@!%is_linear bra NOT_FILTERED;");
  for (unsigned c = 0; c < 4; ++c) w.add("mov.b32 %f, %t{0};\nfma.rn.f32 %s{0}, %weight, %f, %s{0};", c);
  w.add("add.u32 %corner, %corner, 1;\nsetp.lt.u32 %p, %corner, {};\n@%p bra CORNER;",
        1U << geometry.filtered);
  for (unsigned c = 0; c < 4; ++c) w.add("mov.b32 %d{}, %s{};", c, c);
  w.add("bra DONE;\nNOT_FILTERED:");
  for (unsigned c = 0; c < 4; ++c) w.add("mov.b32 %d{}, %t{};", c, c);
  w.add("DONE:");
}

/// By the number of the texel, which is not filtered; beyond the texture are zeros.
void fetch_by_number(ExpansionWriter& w, bool is_float) {
  w.add(R"(.reg .b32 %t0, %t1, %t2, %t3;
setp.ge.u32 %outside, %of_x, %size_x;
mov.b32 %px, %of_x;
mov.b32 %py, 0;
mov.b32 %pz, 0;)");
  read_texel(w, is_float);
  for (unsigned c = 0; c < 4; ++c) w.add("mov.b32 %d{}, %t{};", c, c);
}

void fetch_by_place(ExpansionWriter& w, const Geometry& geometry, bool is_float) {
  w.add("mov.b32 %layer, {};", geometry.has_layer ? "%of_layer" : "0");
  for (unsigned k = 0; k < geometry.coordinates(); ++k) w.add("mov.f32 %c{0}, %of_{0};", kAxes[k]);
  if (!is_float) w.add("setp.ne.u32 %is_linear, %channels, %channels;");
  if (geometry.is_cube) meet_cube(w);
  if (geometry.filtered < 3)
    w.add("sub.u32 %rest, %size_z, 1;\nmin.u32 %layer, %layer, %rest;");
  for (unsigned axis = 0; axis < geometry.filtered; ++axis) find_neighbours(w, kAxes[axis]);
  sum_corners(w, geometry, is_float);
}

}  // namespace

/// tex.GEOMETRY.v4.TYPE.TYPE {four}, [object, {coordinates}], with .level one more operand.
std::optional<Expansion> expand_tex(const Instruction& i) {
  const std::optional<Geometry> geometry = geometry_of(i);
  const std::size_t operands = i.has(Modifier::Level) ? 3 : 2;
  if (!geometry || i.has(Modifier::Grad) || !i.has(Modifier::V4) || i.operands.size() != operands)
    return std::nullopt;
  const bool is_float = i.type(0) == Modifier::F32;
  if (!is_float && i.type(0) != Modifier::S32 && i.type(0) != Modifier::U32) return std::nullopt;
  const bool by_number = i.type(1) == Modifier::S32;
  if (by_number ? !i.has(Modifier::Dim1) : i.type(1) != Modifier::F32) return std::nullopt;
  const Operand& results = i.operands[0];
  if (results.kind != Operand::Kind::Vector || results.elements.size() != 4) return std::nullopt;
  ExpansionWriter w;
  for (unsigned c = 0; c < 4; ++c) w.result("b32", fmt::format("%d{}", c), results.elements[c]);
  if (!take_coordinates(w, i.operands[1], *geometry, by_number ? "b32" : "f32")) return std::nullopt;
  load_layout(w);
  if (by_number) {
    fetch_by_number(w, is_float);
  } else {
    fetch_by_place(w, *geometry, is_float);
  }
  return w.finish();
}

}  // namespace heddle::lower
