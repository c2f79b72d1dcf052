// wmma of integers, bits, tf32 and doubles. PTX leaves the layout of its fragments open: here they are those
// of mma, block by block, so that its products are those of mma (expand_matrix.cpp).
#include "isa/lower/expand.h"
#include "isa/lower/expansion_writer.h"
#include "isa/lower/kinds.h"
#include "isa/lower/matrix_product.h"

namespace heddle::lower {

namespace {

using ptx::Instruction;
using ptx::Modifier;
using Kind = ptx::Operand::Kind;

std::vector<ptx::Operand> elements(const ptx::Operand& operand) {
  return operand.kind == Kind::Vector ? operand.elements : std::vector<ptx::Operand>{operand};
}

/// One matrix in memory and in registers.
struct Fragment {
  unsigned bits = 8;         ///< Of an element.
  unsigned in_register = 1;  ///< Elements of a register.
  unsigned across = 8;       ///< Rows of A, C and D, columns of B.
  unsigned along = 8;        ///< The other dimension.
  bool is_sums = false;
  bool is_contiguous = true;  ///< Neighbours in a register are neighbours in memory.

  [[nodiscard]] unsigned registers() const { return across * along / in_register / 32; }
  [[nodiscard]] const char* type() const { return bits == 64 ? "b64" : "b32"; }
};

bool is_known_shape(const ptx::MatrixShape& shape, unsigned bits) {
  const auto is = [&](unsigned m, unsigned n, unsigned k) {
    return shape.m == m && shape.n == n && shape.k == k;
  };
  switch (bits) {
    case 1:
      return is(8, 8, 128);
    case 4:
      return is(8, 8, 32);
    case 8:
      return is(16, 16, 16) || is(8, 32, 16) || is(32, 8, 16);
    case 32:
      return is(16, 16, 8);
    default:
      return is(8, 8, 4);
  }
}

/// The bits of the elements of A and B that go with sums of this type and shape; 0 of halves, which selection
/// has.
unsigned factor_bits(const Instruction& i, bool is_sums) {
  const Modifier type = i.type();
  if (!is_sums) {
    const bool is_integer =
        ptx::info(type).kind == ptx::TypeKind::Unsigned || ptx::info(type).kind == ptx::TypeKind::Signed;
    const bool is_known =
        is_integer || type == Modifier::B1 || type == Modifier::Tf32 || type == Modifier::F64;
    return is_known ? bits_of(type) : 0;
  }
  if (type == Modifier::F64) return 64;
  if (type == Modifier::F32) return i.shape.k == 8 ? 32 : 0;
  if (type != Modifier::S32) return 0;
  return i.shape.k == 128 ? 1 : i.shape.k == 32 ? 4 : 8;
}

std::optional<Fragment> fragment_of(const Instruction& i) {
  Fragment made;
  const bool is_b = i.has(Modifier::B);
  made.is_sums = i.has(Modifier::C) || i.has(Modifier::D);
  const unsigned bits = factor_bits(i, made.is_sums);
  if (bits == 0 || !is_known_shape(i.shape, bits)) return std::nullopt;
  made.bits = bits_of(i.type());
  made.in_register = made.is_sums || bits >= 32 ? 1 : 32 / bits;
  made.across = is_b ? i.shape.n : i.shape.m;
  made.along = made.is_sums ? i.shape.n : i.shape.k;
  made.is_contiguous = i.has(is_b ? Modifier::Col : Modifier::Row);
  if (made.bits < 8 && !made.is_contiguous) return std::nullopt;
  return made;
}

/// Where the elements of a register begin, as expand_matrix.cpp says it: %x across, %y along.
void locate(ExpansionWriter& w, const Fragment& fragment, unsigned reg) {
  if (fragment.is_sums) {
    const unsigned in_block = fragment.across == 8 ? 2 : 4;
    const unsigned blocks_along = fragment.along / 8;
    const unsigned block = reg / in_block;
    const unsigned rows = block / blocks_along * 16 + reg % in_block / 2 * 8;
    return w.add("add.u32 %x, %g, {};\nadd.u32 %y, %t, {};", rows, block % blocks_along * 8 + reg % 2);
  }
  // A has its two blocks of eight rows in turn, B one block of columns after another.
  const unsigned halves = fragment.across == 8 ? 1 : 2;
  const unsigned depth = fragment.along / (4 * fragment.in_register);
  const unsigned in_block = halves * depth;
  w.add("add.u32 %x, %g, {};\nadd.u32 %y, %t, {};", reg / in_block * 8 * halves + reg % halves * 8,
        reg % in_block / halves * 4 * fragment.in_register);
}

/// The same of B, whose blocks have eight columns.
void locate_column(ExpansionWriter& w, const Fragment& fragment, unsigned reg) {
  const unsigned depth = fragment.along / (4 * fragment.in_register);
  w.add("add.u32 %x, %g, {};\nadd.u32 %y, %t, {};", reg / depth * 8, reg % depth * 4 * fragment.in_register);
}

class Memory {
 public:
  Memory(ExpansionWriter& writer, const Instruction& instruction, const Fragment& fragment)
      : w_(writer), fragment_(fragment), is_b_(instruction.has(Modifier::B)) {
    is_shared_ = instruction.has(Modifier::Shared) || instruction.has(Modifier::SharedCta);
    space_ = is_shared_ ? ".shared" : instruction.has(Modifier::Global) ? ".global" : "";
  }

  /// The address and the stride, which is that of a matrix without gaps if it is not given.
  bool begin(const ptx::Operand& address, const ptx::Operand* stride) {
    const auto offset = is_shared_ ? w_.shared_address("%at", address) : w_.address("%at", address);
    if (!offset) return false;
    offset_ = *offset;
    if (stride != nullptr) w_.argument("b32", "%stride", *stride);
    w_.add(".reg .b32 %g, %t, %x, %y, %i, %e;\n.reg .b{} %p;\n.reg .b64 %o;", is_shared_ ? 32 : 64);
    if (stride == nullptr)
      w_.add(".reg .b32 %stride;\nmov.b32 %stride, {};",
             fragment_.is_contiguous ? fragment_.along : fragment_.across);
    w_.add("mov.u32 %t, %laneid;\nshr.u32 %g, %t, 2;\nand.b32 %t, %t, 3;\nmul.lo.u32 %t, %t, {};",
           fragment_.is_sums ? 2 : fragment_.in_register);
    return true;
  }

  /// To %p: the place of a register's k-th element.
  void point(unsigned reg, unsigned k) {
    if (is_b_) {
      locate_column(w_, fragment_, reg);
    } else {
      locate(w_, fragment_, reg);
    }
    if (k != 0) w_.add("add.u32 %y, %y, {};", k);
    if (fragment_.is_contiguous) {
      w_.add("mad.lo.u32 %i, %x, %stride, %y;");
    } else {
      w_.add("mad.lo.u32 %i, %y, %stride, %x;");
    }
    if (fragment_.bits >= 8) {
      w_.add("mul.lo.u32 %i, %i, {};", fragment_.bits / 8);
    } else {
      w_.add("shr.u32 %i, %i, {};", fragment_.bits == 4 ? 1 : 3);
    }
    if (is_shared_) {
      w_.add("add.u32 %p, %at, %i;");
    } else {
      w_.add("cvt.u64.u32 %o, %i;\nadd.s64 %p, %at, %o;");
    }
  }

  void load(unsigned reg) {
    const std::string to = fmt::format("%d{}", reg);
    if (fragment_.is_contiguous || fragment_.in_register == 1) {
      point(reg, 0);
      return w_.add("ld{}.{} {}, [%p+{}];", space_, fragment_.type(), to, offset_);
    }
    for (unsigned k = 0; k < fragment_.in_register; ++k) {
      point(reg, k);
      w_.add("ld{}.u8 %e, [%p+{}];", space_, offset_);
      if (k == 0) {
        w_.add("mov.b32 {}, %e;", to);
      } else {
        w_.add("bfi.b32 {0}, %e, {0}, {1}, 8;", to, 8 * k);
      }
    }
  }

  void store(unsigned reg) {
    point(reg, 0);
    w_.add("st{}.{} [%p+{}], %a{};", space_, fragment_.type(), offset_, reg);
  }

 private:
  ExpansionWriter& w_;
  const Fragment& fragment_;
  bool is_b_;
  bool is_shared_ = false;
  const char* space_ = "";
  std::int64_t offset_ = 0;
};

/// Products of halves whose sums come as halves and go as floats, or the other way round: as floats on the
/// way. A register of two halves is two of floats (wmma_fragments.h).
std::optional<Expansion> expand_mixed_sums(const Instruction& i) {
  const bool narrows = i.type() == Modifier::F16 && i.type(1) == Modifier::F32;
  const bool widens = i.type() == Modifier::F32 && i.type(1) == Modifier::F16;
  if ((!narrows && !widens) || i.type(2) != Modifier::Unknown || i.has(Modifier::Satfinite) ||
      i.operands.size() != 4)
    return std::nullopt;
  ExpansionWriter w;
  std::string lists[4];
  const auto add = [&](std::size_t operand, char name, bool is_result) {
    const auto registers = elements(i.operands[operand]);
    for (std::size_t k = 0; k < registers.size(); ++k) {
      const auto word = fmt::format("%{}{}", name, k);
      lists[operand] += fmt::format("{}{}", k == 0 ? "" : ", ", word);
      is_result ? w.result("b32", word, registers[k]) : w.argument("b32", word, registers[k]);
    }
    return registers.size();
  };
  const std::size_t results = add(0, 'd', true);
  add(1, 'a', false);
  add(2, 'b', false);
  const std::size_t sums = add(3, 'c', false);
  if (results != (narrows ? 4U : 8U) || sums != (narrows ? 8U : 4U)) return std::nullopt;
  w.add(".reg .f32 %s<8>;\n.reg .b16 %h, %l;");
  std::string list;
  for (unsigned k = 0; k < 8; ++k) list += fmt::format("{}%s{}", k == 0 ? "" : ", ", k);
  for (unsigned k = 0; k < 4 && widens; ++k) {
    w.add("mov.b32 {{%l, %h}}, %c{0};\ncvt.f32.f16 %s{1}, %l;\ncvt.f32.f16 %s{2}, %h;", k, 2 * k, 2 * k + 1);
  }
  for (unsigned k = 0; k < 8 && narrows; ++k) w.add("mov.b32 %s{0}, %c{0};", k);
  std::string layouts;
  for (const Modifier one : i.modifiers) {
    if (one == Modifier::Row || one == Modifier::Col) layouts += fmt::format(".{}", ptx::info(one).word);
  }
  w.add("wmma.mma.sync.aligned{}.m{}n{}k{}.f32.f32 {{{}}}, {{{}}}, {{{}}}, {{{}}};", layouts, i.shape.m,
        i.shape.n, i.shape.k, list, lists[1], lists[2], list);
  for (unsigned k = 0; k < 4 && narrows; ++k)
    w.add("cvt.rn.f16x2.f32 %d{}, %s{}, %s{};", k, 2 * k + 1, 2 * k);
  for (unsigned k = 0; k < 8 && widens; ++k) w.add("mov.b32 %d{0}, %s{0};", k);
  return w.finish();
}

/// Registers of A, B, or of sums, of a product.
unsigned count_of(unsigned across, unsigned along, unsigned in_register) {
  return across * along / in_register / 32;
}

}  // namespace

std::optional<Expansion> expand_wmma_load(const Instruction& i) {
  const auto fragment = fragment_of(i);
  if (!fragment || i.operands.size() < 2) return std::nullopt;
  const auto to = elements(i.operands[0]);
  if (to.size() != fragment->registers()) return std::nullopt;
  ExpansionWriter w;
  for (std::size_t k = 0; k < to.size(); ++k) w.result(fragment->type(), fmt::format("%d{}", k), to[k]);
  Memory memory(w, i, *fragment);
  if (!memory.begin(i.operands[1], i.operands.size() > 2 ? &i.operands[2] : nullptr)) return std::nullopt;
  for (unsigned k = 0; k < to.size(); ++k) memory.load(k);
  return w.finish();
}

std::optional<Expansion> expand_wmma_store(const Instruction& i) {
  const auto fragment = fragment_of(i);
  if (!fragment || i.operands.size() < 2) return std::nullopt;
  const auto data = elements(i.operands[1]);
  if (data.size() != fragment->registers()) return std::nullopt;
  ExpansionWriter w;
  for (std::size_t k = 0; k < data.size(); ++k) w.argument(fragment->type(), fmt::format("%a{}", k), data[k]);
  Memory memory(w, i, *fragment);
  if (!memory.begin(i.operands[0], i.operands.size() > 2 ? &i.operands[2] : nullptr)) return std::nullopt;
  for (unsigned k = 0; k < data.size(); ++k) memory.store(k);
  return w.finish();
}

std::optional<Expansion> expand_wmma_mma(const Instruction& i) {
  if (auto mixed = expand_mixed_sums(i)) return mixed;
  const auto matrix = matrix_elements(i);
  if (!matrix || i.operands.size() != 4 || !is_known_shape(i.shape, matrix->bits)) return std::nullopt;
  const unsigned in_register = matrix->is_double || matrix->bits == 32 ? 1 : 32 / matrix->bits;
  const unsigned m = i.shape.m;
  const unsigned n = i.shape.n;
  const unsigned k = i.shape.k;
  const auto a = elements(i.operands[1]);
  const auto b = elements(i.operands[2]);
  const unsigned sums = count_of(m, n, 1);
  const bool fits = a.size() == count_of(m, k, in_register) && b.size() == count_of(n, k, in_register) &&
                    elements(i.operands[0]).size() == sums && elements(i.operands[3]).size() == sums;
  if (!fits) return std::nullopt;
  const char* type = matrix->is_double ? "b64" : "b32";
  ExpansionWriter w;
  for (std::size_t r = 0; r < a.size(); ++r) w.argument(type, fmt::format("%a{}", r), a[r]);
  for (std::size_t r = 0; r < b.size(); ++r) w.argument(type, fmt::format("%b{}", r), b[r]);
  for (unsigned r = 0; r < sums; ++r) {
    w.argument(type, fmt::format("%c{}", r), elements(i.operands[3])[r]);
    w.result(type, fmt::format("%d{}", r), elements(i.operands[0])[r]);
  }
  declare_matrix_product(w, *matrix, sums);
  MatrixBlock block;
  block.rows = m == 8 ? 1 : 2;
  block.depth = k / (4 * in_register);
  for (unsigned row = 0; row < m; row += 8 * block.rows) {
    for (unsigned column = 0; column < n; column += 8) {
      block.a = row / (8 * block.rows) * block.rows * block.depth;
      block.b = column / 8 * block.depth;
      multiply_block(w, *matrix, block);
      block.sums += 2 * block.rows;
    }
  }
  end_matrix_product(w, *matrix, sums);
  return w.finish();
}

}  // namespace heddle::lower
