// mma of integers, bits, tf32 and doubles, for which the IR has no instruction: each lane gathers the rows of
// A and the columns of B that its sums are of from the lanes that hold them.
//
// After the PTX ISA's fragments: lane 4 g + t holds of each register of A row g, or row g + 8 in every other
// one, and of B column g; the places along k are t times as many as a register has, and four times that
// further on for the next register. Of C and D it has columns 2 t and 2 t + 1 of row g, and of row g + 8.
#include "isa/lower/expand.h"
#include "isa/lower/expansion_writer.h"
#include "isa/lower/kinds.h"
#include "isa/lower/matrix_product.h"

namespace heddle::lower {

namespace {

using ptx::Instruction;
using ptx::Modifier;
using Kind = ptx::Operand::Kind;

bool is_integer_of(Modifier type, unsigned bits) {
  const ptx::TypeKind kind = ptx::info(type).kind;
  return bits_of(type) == bits && (kind == ptx::TypeKind::Unsigned || kind == ptx::TypeKind::Signed);
}

std::vector<ptx::Operand> elements(const ptx::Operand& operand) {
  return operand.kind == Kind::Vector ? operand.elements : std::vector<ptx::Operand>{operand};
}

/// The part of A or B that a lane needs: to `to` from register `from` of the lane that %lane says.
void fetch(ExpansionWriter& w, const MatrixElements& elements, const std::string& to,
           const std::string& from) {
  if (!elements.is_double) {
    w.add("shfl.sync.idx.b32 {}, {}, %lane, 31, -1;", to, from);
    return;
  }
  w.add("mov.b64 {{%low, %high}}, {};\nshfl.sync.idx.b32 %low, %low, %lane, 31, -1;", from);
  w.add("shfl.sync.idx.b32 %high, %high, %lane, 31, -1;\nmov.b64 {}, {{%low, %high}};", to);
}

/// Eight numbers of 4 bits as two words of bytes: those at even places and those at odd ones.
void widen(ExpansionWriter& w, const std::string& from, const char* even, const char* odd, bool has_sign) {
  w.add("and.b32 {0}, {1}, 0x0f0f0f0f;\nshr.u32 {2}, {1}, 4;\nand.b32 {2}, {2}, 0x0f0f0f0f;", even, from,
        odd);
  if (!has_sign) return;
  for (const char* word : {even, odd}) {
    w.add("xor.b32 {0}, {0}, 0x88888888;\nsub.u32 {0}, {0}, 0x08080808;\nxor.b32 {0}, {0}, 0x80808080;",
          word);
  }
}

/// Four small floats of a register as floats behind it: %u0 becomes %u00 to %u03.
void decode(ExpansionWriter& w, const std::string& from, std::string_view pairs) {
  w.add("mov.b32 {{%l, %h}}, {0};\ncvt.rn.f16x2.{1} %x, %l;\ncvt.rn.f16x2.{1} %y, %h;", from, pairs);
  w.add("mov.b32 {{%l, %h}}, %x;\ncvt.f32.f16 {0}0, %l;\ncvt.f32.f16 {0}1, %h;", from);
  w.add("mov.b32 {{%l, %h}}, %y;\ncvt.f32.f16 {0}2, %l;\ncvt.f32.f16 {0}3, %h;", from);
}

/// Adds the products of the elements of two registers.
void accumulate(ExpansionWriter& w, const MatrixElements& elements, const std::string& sum,
                const std::string& a, const std::string& b) {
  if (elements.is_small_float()) {
    for (unsigned k = 0; k < 4; ++k) w.add("fma.rn.f32 {0}, {1}{3}, {2}{3}, {0};", sum, a, b, k);
    return;
  }
  const char a_sign = elements.a_signed ? 's' : 'u';
  const char b_sign = elements.b_signed ? 's' : 'u';
  switch (elements.bits) {
    case 1:
      w.add("{}.b32 %x, {}, {};\npopc.b32 %x, %x;\nadd.u32 {}, {}, %x;",
            elements.combines_and ? "and" : "xor", a, b, sum, sum);
      return;
    case 4:
      widen(w, a, "%x", "%xo", elements.a_signed);
      widen(w, b, "%y", "%yo", elements.b_signed);
      w.add("dp4a.{0}32.{1}32 {2}, %x, %y, {2};\ndp4a.{0}32.{1}32 {2}, %xo, %yo, {2};", a_sign, b_sign, sum);
      return;
    case 8:
      w.add("dp4a.{0}32.{1}32 {2}, {3}, {4}, {2};", a_sign, b_sign, sum, a, b);
      return;
    case 32:
      w.add(
          "and.b32 %x, {}, 0xffffe000;\nand.b32 %y, {}, 0xffffe000;\ncvt.f64.f32 %p, %x;\ncvt.f64.f32 %q, %y;",
          a, b);
      w.add("fma.rn.f64 {0}, %p, %q, {0};", sum);
      return;
    default:
      w.add("fma.rn.f64 {2}, {0}, {1}, {2};", a, b, sum);
  }
}

/// What the sums begin with, and end as: tf32's are doubles on the way, in which products are exact.
/// Saturated ones begin at zero.
void begin_sums(ExpansionWriter& w, const MatrixElements& elements, std::size_t count) {
  for (std::size_t k = 0; elements.has_half_sums && k < count; k += 2)
    w.add("mov.b32 {{%l, %h}}, %c{};\ncvt.f32.f16 %s{}, %l;\ncvt.f32.f16 %s{}, %h;", k / 2, k, k + 1);
  if (elements.has_half_sums) return;
  for (std::size_t k = 0; k < count; ++k) {
    if (elements.bits == 32) {
      w.add("cvt.f64.f32 %s{0}, %c{0};", k);
    } else if (elements.saturates) {
      w.add("mov.b32 %s{}, 0;", k);
    } else {
      w.add("mov.b{} %s{}, %c{};", elements.is_double ? 64 : 32, k, k);
    }
  }
}

void end_sums(ExpansionWriter& w, const MatrixElements& elements, std::size_t count) {
  for (std::size_t k = 0; elements.has_half_sums && k < count; k += 2)
    w.add("cvt.rn.f16x2.f32 %d{}, %s{}, %s{};", k / 2, k + 1, k);
  if (elements.has_half_sums) return;
  for (std::size_t k = 0; k < count; ++k) {
    if (elements.bits == 32) {
      w.add("cvt.rz.f32.f64 %d{0}, %s{0};", k);
    } else if (elements.saturates) {
      w.add("add.sat.s32 %d{0}, %s{0}, %c{0};", k);
    } else {
      w.add("mov.b{} %d{}, %s{};", elements.is_double ? 64 : 32, k, k);
    }
  }
}

}  // namespace

std::optional<MatrixElements> matrix_elements(const Instruction& i) {
  const Modifier a = i.type(1);
  const Modifier b = i.type(2);
  MatrixElements made;
  made.bits = bits_of(a);
  made.saturates = i.has(Modifier::Satfinite);
  if (bits_of(b) != made.bits || i.type() != i.type(3)) return std::nullopt;
  made.a_signed = is_signed(a);
  made.b_signed = is_signed(b);
  made.combines_and = i.has(Modifier::And);
  if (a == Modifier::F64 && b == Modifier::F64 && i.type() == Modifier::F64) {
    const bool is_directed = i.has(Modifier::Rz) || i.has(Modifier::Rm) || i.has(Modifier::Rp);
    made.is_double = true;
    return is_directed ? std::nullopt : std::optional(made);
  }
  const bool is_small =
      (a == Modifier::E4m3 || a == Modifier::E5m2) && (b == Modifier::E4m3 || b == Modifier::E5m2);
  if (is_small) {
    made.a_pairs = a == Modifier::E4m3 ? "e4m3x2" : "e5m2x2";
    made.b_pairs = b == Modifier::E4m3 ? "e4m3x2" : "e5m2x2";
    made.has_half_sums = i.type() == Modifier::F16;
    return made.has_half_sums || i.type() == Modifier::F32 ? std::optional(made) : std::nullopt;
  }
  if (a == Modifier::Tf32 && b == Modifier::Tf32 && i.type() == Modifier::F32) return made;
  if (i.type() != Modifier::S32) return std::nullopt;
  const bool is_integer =
      (is_integer_of(a, 8) && is_integer_of(b, 8)) || (is_integer_of(a, 4) && is_integer_of(b, 4));
  const bool is_of_bits = a == Modifier::B1 && b == Modifier::B1 && i.has(Modifier::Popc) &&
                          (made.combines_and || i.has(Modifier::Xor));
  return is_integer || is_of_bits ? std::optional(made) : std::nullopt;
}

void declare_matrix_product(ExpansionWriter& w, const MatrixElements& elements, std::size_t sums) {
  const unsigned bits = elements.is_double ? 64 : 32;
  w.add(".reg .b32 %lane, %mine, %row, %column, %low, %high, %x, %y, %xo, %yo;\n.reg .b64 %p, %q;");
  if (elements.is_small_float()) w.add(".reg .b16 %l, %h;\n.reg .f32 %u0<4>, %u1<4>, %v0<4>, %v1<4>;");
  w.add(".reg .b{0} %u0, %u1, %v0, %v1;\n.reg .b{1} %s<{2}>;", bits, elements.bits == 32 ? 64 : bits, sums);
  w.add(
      "mov.u32 %mine, %laneid;\nand.b32 %row, %mine, 28;\nand.b32 %column, %mine, 3;\nshl.b32 %column, %column, 3;");
  begin_sums(w, elements, sums);
}

void end_matrix_product(ExpansionWriter& w, const MatrixElements& elements, std::size_t sums) {
  end_sums(w, elements, sums);
}

void multiply_block(ExpansionWriter& w, const MatrixElements& elements, const MatrixBlock& block) {
  for (unsigned depth = 0; depth < block.depth; ++depth) {
    for (unsigned t = 0; t < 4; ++t) {
      w.add("add.u32 %lane, %row, {};", t);
      for (unsigned row = 0; row < block.rows; ++row)
        fetch(w, elements, fmt::format("%u{}", row), fmt::format("%a{}", block.a + depth * block.rows + row));
      for (unsigned column = 0; column < 2; ++column) {
        w.add("add.u32 %lane, %column, {};", t + 4 * column);
        fetch(w, elements, fmt::format("%v{}", column), fmt::format("%b{}", block.b + depth));
      }
      for (unsigned row = 0; elements.is_small_float() && row < block.rows; ++row)
        decode(w, fmt::format("%u{}", row), elements.a_pairs);
      for (unsigned column = 0; elements.is_small_float() && column < 2; ++column)
        decode(w, fmt::format("%v{}", column), elements.b_pairs);
      for (unsigned row = 0; row < block.rows; ++row) {
        for (unsigned column = 0; column < 2; ++column) {
          accumulate(w, elements, fmt::format("%s{}", block.sums + 2 * row + column),
                     fmt::format("%u{}", row), fmt::format("%v{}", column));
        }
      }
    }
  }
}

std::optional<Expansion> expand_mma(const Instruction& i) {
  const auto matrix = matrix_elements(i);
  if (!matrix || i.operands.size() != 4 || i.shape.n != 8 || (i.shape.m != 8 && i.shape.m != 16))
    return std::nullopt;
  const unsigned in_register = matrix->is_double ? 1 : 32 / matrix->bits;
  MatrixBlock block;
  block.rows = i.shape.m / 8U;
  block.depth = i.shape.k / (4 * in_register);
  const auto a = elements(i.operands[1]);
  const auto b = elements(i.operands[2]);
  const std::size_t sums = 2 * block.rows;
  const std::size_t registers = matrix->has_half_sums ? sums / 2 : sums;
  const bool fits = block.depth != 0 && i.shape.k % (4 * in_register) == 0 &&
                    a.size() == block.depth * block.rows && b.size() == block.depth &&
                    elements(i.operands[0]).size() == registers &&
                    elements(i.operands[3]).size() == registers;
  if (!fits) return std::nullopt;
  const char* type = matrix->is_double ? "b64" : "b32";
  ExpansionWriter w;
  for (std::size_t k = 0; k < a.size(); ++k) w.argument(type, fmt::format("%a{}", k), a[k]);
  for (std::size_t k = 0; k < b.size(); ++k) w.argument(type, fmt::format("%b{}", k), b[k]);
  for (std::size_t k = 0; k < registers; ++k) {
    w.argument(type, fmt::format("%c{}", k), elements(i.operands[3])[k]);
    w.result(type, fmt::format("%d{}", k), elements(i.operands[0])[k]);
  }
  declare_matrix_product(w, *matrix, sums);
  multiply_block(w, *matrix, block);
  end_matrix_product(w, *matrix, sums);
  return w.finish();
}

/// Row by row becomes column by column: lane 4 g + t has two neighbours of row g, and gets those of column g.
std::optional<Expansion> expand_movmatrix(const Instruction& i) {
  if (i.operands.size() != 2 || i.shape.m != 8 || i.shape.n != 8 || !i.has(Modifier::Trans))
    return std::nullopt;
  ExpansionWriter w;
  w.result("b32", "%d", i.operands[0]);
  w.argument("b32", "%a", i.operands[1]);
  w.add(R"(.reg .b32 %lane, %from, %odd, %x, %y;
.reg .pred %p;
mov.u32 %lane, %laneid;
shl.b32 %from, %lane, 3;
and.b32 %from, %from, 24;
shr.u32 %x, %lane, 3;
add.u32 %from, %from, %x;
shfl.sync.idx.b32 %x, %a, %from, 31, -1;
add.u32 %from, %from, 4;
shfl.sync.idx.b32 %y, %a, %from, 31, -1;
and.b32 %odd, %lane, 4;
setp.ne.u32 %p, %odd, 0;
selp.b32 %odd, 0x7632, 0x5410, %p;
prmt.b32 %d, %x, %y, %odd;)");
  return w.finish();
}

/// stmatrix: lane 8 i + j names row j of matrix i, the lanes of which hold two neighbours each.
std::optional<Expansion> expand_stmatrix(const Instruction& i) {
  const bool has_halves = i.shape.m == 8 && i.shape.n == 8 && i.type() == Modifier::B16;
  if (!has_halves || i.operands.size() != 2) return std::nullopt;
  const auto data = elements(i.operands[1]);
  const std::size_t count = i.has(Modifier::X4) ? 4 : i.has(Modifier::X2) ? 2 : 1;
  if (data.size() != count) return std::nullopt;
  ExpansionWriter w;
  const auto offset = w.shared_address("%at", i.operands[0]);
  if (!offset) return std::nullopt;
  w.add(".reg .b32 %lane, %row, %place, %to, %x;");
  w.add(
      "mov.u32 %lane, %laneid;\nshr.u32 %row, %lane, 2;\nand.b32 %place, %lane, 3;\nshl.b32 %place, %place, 2;");
  for (std::size_t k = 0; k < count; ++k) {
    const auto word = fmt::format("%a{}", k);
    w.argument("b32", word, data[k]);
    if (i.has(Modifier::Trans)) w.add("movmatrix.sync.aligned.m8n8.trans.b16 {0}, {0};", word);
    w.add("add.u32 %to, %row, {};\nshfl.sync.idx.b32 %to, %at, %to, 31, -1;", 8 * k);
    w.add("add.u32 %to, %to, %place;\nst.shared.b32 [%to+{}], {};", *offset, word);
  }
  return w.finish();
}

/// ldmatrix of a generic address, which lies in shared memory.
std::optional<Expansion> expand_ldmatrix(const Instruction& i) {
  if (i.operands.size() != 2 || i.has(Modifier::Shared) || i.has(Modifier::SharedCta) || i.shape.m != 8 ||
      i.shape.n != 8 || i.type() != Modifier::B16)
    return std::nullopt;
  ExpansionWriter w;
  const auto offset = w.shared_address("%at", i.operands[1]);
  if (!offset) return std::nullopt;
  std::string list;
  const auto to = elements(i.operands[0]);
  for (std::size_t k = 0; k < to.size(); ++k) {
    w.result("b32", fmt::format("%d{}", k), to[k]);
    list += fmt::format("{}%d{}", k == 0 ? "" : ", ", k);
  }
  w.add("ldmatrix.sync.aligned.m8n8.x{}{}.shared.b16 {{{}}}, [%at+{}];", to.size(),
        i.has(Modifier::Trans) ? ".trans" : "", list, *offset);
  return w.finish();
}

}  // namespace heddle::lower
