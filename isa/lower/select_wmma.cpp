// wmma: matrices that a warp loads, multiplies and stores in fragments.
#include <algorithm>
#include <map>

#include "isa/lower/addresses.h"
#include "isa/lower/matrix_registers.h"
#include "isa/lower/select.h"
#include "isa/lower/special_values.h"
#include "isa/lower/wmma_fragments.h"

namespace heddle::lower {

namespace {

using ir::Modifier;
using ir::Opcode;
using ptx::StateSpace;
using PtxModifier = ptx::Modifier;

MatrixUse use_of(const ptx::Instruction& instruction) {
  if (instruction.has(PtxModifier::A)) return MatrixUse::A;
  return instruction.has(PtxModifier::B) ? MatrixUse::B : MatrixUse::Sums;
}

/// Throws Refused where fragments of the type are not supported.
void check_type(const ptx::Instruction& instruction, MatrixUse use, PtxModifier type) {
  const bool is_right = use == MatrixUse::Sums ? type == PtxModifier::F32 || type == PtxModifier::F16
                                               : type == PtxModifier::F16 || type == PtxModifier::Bf16;
  if (!is_right) Selection::refuse(instruction, "matrices of this type are not supported");
}

/// What a lane begins at: line and element, of those that lie side by side in memory.
struct Begin {
  Operand line;
  Operand element;
};

Operand masked(Selection& selection, const Operand& value, std::uint64_t mask) {
  const Operand made = reg(selection.builder.fresh());
  selection.emit(Opcode::Lop3, {always(), made, value, number(mask), zero(), number(0xc0), never()},
                 {Modifier::LutLut});
  return made;
}

Operand shifted_down(Selection& selection, const Operand& value, unsigned bits) {
  const Operand made = reg(selection.builder.fresh());
  selection.emit(Opcode::Shf, {made, zero(), number(bits), value},
                 {Modifier::ShiftDirectionRight, Modifier::ShiftTypeU32, Modifier::HalfHigh});
  return made;
}

/// The lane's own neighbours in the first word of a fragment.
Begin own_elements(Selection& selection, bool are_neighbours_together) {
  const Operand lane = read_special(selection, ir::SpecialRegister::Laneid);
  const Operand group = shifted_down(selection, lane, 2);
  const Operand in_group = masked(selection, lane, 3);
  const Operand twice = reg(selection.builder.fresh());
  selection.emit(Opcode::Shf, {twice, in_group, number(1), zero()},
                 {Modifier::ShiftDirectionLeft, Modifier::ShiftTypeU32});
  return are_neighbours_together ? Begin{group, twice} : Begin{twice, group};
}

/// The row that LDSM asks the lane for: row lane % 8 of the matrix of 8 x 8 that is word lane / 8 of a
/// fragment. `are_lines_first`: words 0 and 1 lie below each other in memory; otherwise beside each other.
Begin named_row(Selection& selection, bool are_lines_first) {
  const Operand lane = read_special(selection, ir::SpecialRegister::Laneid);
  const Operand upper = masked(selection, shifted_down(selection, lane, 1), 8);
  if (are_lines_first) return {masked(selection, lane, 15), upper};
  const Operand line = reg(selection.builder.fresh());
  constexpr std::uint64_t kAndOr = 0xea;  // a & b | c
  selection.emit(Opcode::Lop3, {always(), line, lane, number(7), upper, number(kAndOr), never()},
                 {Modifier::LutLut});
  return {line, masked(selection, lane, 8)};
}

/// A matrix in memory as a lane sees it: where the first of its elements lies, and how far others are from
/// there.
class MatrixInMemory {
 public:
  MatrixInMemory(Selection& selection, StateSpace space, const Operand& begin, const Operand& line,
                 unsigned element_bytes, bool are_neighbours_together)
      : selection_(selection),
        line_(line),
        begin_(begin),
        element_bytes_(element_bytes),
        are_together_(are_neighbours_together),
        space_(space) {}

  /// Where the lane begins. Must come before all others.
  void begin_at(const Begin& begin) {
    const Operand elements = reg(selection_.builder.fresh());
    selection_.emit(Opcode::Imad, {elements, begin.line, line_, begin.element});
    bases_[0] = sum(elements, reg(begin_.index), element_bytes_);
  }

  [[nodiscard]] bool is_shared() const { return space_ == StateSpace::Shared; }
  [[nodiscard]] bool are_together() const { return are_together_; }

  /// The address of one of the two neighbours of a word.
  Operand at(const FragmentWord& word, unsigned neighbour) {
    const unsigned lines = are_together_ ? word.across : word.along + neighbour;
    const unsigned elements = are_together_ ? word.along + neighbour : word.across;
    Operand place = base_of(lines);
    place.value += begin_.value + std::uint64_t{elements} * element_bytes_;
    return place;
  }

  void load(const Operand& to, const Operand& from, Modifier width) {
    if (space_ == StateSpace::Shared) {
      selection_.emit(Opcode::Lds, {to, from}, {width});
    } else {
      selection_.emit(Opcode::Ldg, {to, from}, {Modifier::ExtendedE, width});
    }
  }
  void store(const Operand& to, const Operand& from, Modifier width) {
    if (space_ == StateSpace::Shared) {
      selection_.emit(Opcode::Sts, {to, from}, {width});
    } else {
      selection_.emit(Opcode::Stg, {to, from}, {Modifier::ExtendedE, width});
    }
  }

 private:
  [[nodiscard]] bool is_far() const { return space_ == StateSpace::Global; }

  /// base + elements * element_bytes.
  Operand sum(const Operand& elements, const Operand& base, unsigned bytes) {
    const Operand made = reg(selection_.builder.fresh(is_far() ? 2 : 1));
    const Operand factor = selection_.builder.in_register(elements);
    if (is_far()) {
      selection_.emit(Opcode::ImadWide, {made, always(), factor, number(bytes), base},
                      {Modifier::IntTypeU32});
    } else {
      selection_.emit(Opcode::Imad, {made, factor, number(bytes), base});
    }
    return made;
  }

  /// So many lines behind the lane's first one.
  Operand base_of(unsigned lines) {
    if (is_number(line_)) return address(bases_[0].index, std::int64_t{lines} * bytes_of_line());
    const auto found = bases_.find(lines);
    if (found != bases_.end()) return address(found->second.index, 0);
    return address((bases_[lines] = sum(line_, bases_[0], lines * element_bytes_)).index, 0);
  }

  [[nodiscard]] std::int64_t bytes_of_line() const {
    return static_cast<std::int64_t>(line_.value) * static_cast<std::int64_t>(element_bytes_);
  }

  Selection& selection_;
  Operand line_;   ///< Elements from one line to the next.
  Operand begin_;  ///< The matrix's address.
  unsigned element_bytes_;
  bool are_together_;
  StateSpace space_;
  std::map<unsigned, Operand> bases_;  ///< By lines behind the first one.
};

/// Elements of a line where none are given: those that the tile has.
unsigned whole_line(const Tile& tile, MatrixUse use, bool is_by_rows) {
  switch (use) {
    case MatrixUse::A:
      return is_by_rows ? 16 : tile.m;
    case MatrixUse::B:
      return is_by_rows ? tile.n : 16;
    default:
      return is_by_rows ? tile.n : tile.m;
  }
}

/// Whether the two neighbours of a word lie side by side in memory. Those of A lie in a row, those of B in a
/// column; those of sums in a row, or in a column where the product is transposed.
bool are_neighbours_together(const Tile& tile, MatrixUse use, bool is_by_rows) {
  const bool lie_in_row = use == MatrixUse::A || (use == MatrixUse::Sums && !tile.is_transposed);
  return lie_in_row == is_by_rows;
}

MatrixInMemory memory_of(Selection& selection, const ptx::Instruction& instruction, std::size_t where,
                         MatrixUse use) {
  const auto& operands = instruction.operands;
  const Tile& tile = tile_of(instruction);
  const bool is_by_rows = !instruction.has(PtxModifier::Col);
  // The number of elements stands behind the address, in a store behind the fragment.
  const std::size_t line = 2;
  const Operand elements =
      operands.size() > line ? selection.source(operands[line]) : number(whole_line(tile, use, is_by_rows));
  const StateSpace space = space_of(selection, instruction, operands[where]);
  if (space != StateSpace::Shared && space != StateSpace::Global)
    Selection::refuse(instruction,
                      "it is not known whether the address is one of global or of shared memory");
  return {selection,
          space,
          address_of(selection, operands[where], space),
          is_number(elements) ? elements : selection.builder.in_register(elements),
          ptx::info(instruction.type()).bits / 8U,
          are_neighbours_together(tile, use, is_by_rows)};
}

void load_word(Selection& selection, MatrixInMemory& memory, const FragmentWord& word, const Operand& to) {
  if (memory.are_together()) return memory.load(to, memory.at(word, 0), Modifier::WidthB32);
  const Operand low = reg(selection.builder.fresh());
  const Operand high = reg(selection.builder.fresh());
  memory.load(low, memory.at(word, 0), Modifier::WidthU16);
  memory.load(high, memory.at(word, 1), Modifier::WidthU16);
  selection.emit(Opcode::Prmt, {to, low, number(0x5410), high});
}

void load_floats(Selection& selection, MatrixInMemory& memory, const FragmentWord& word,
                 std::span<const ptx::Operand> to) {
  if (!memory.are_together()) {
    for (unsigned i = 0; i < 2; ++i)
      memory.load(selection.result(to[i]), memory.at(word, i), Modifier::WidthB32);
    return;
  }
  const Operand pair = reg(selection.builder.fresh(2));
  memory.load(pair, memory.at(word, 0), Modifier::WidthB64);
  unpack(selection, to, pair);
}

void store_word(Selection& selection, MatrixInMemory& memory, const FragmentWord& word, const Operand& from) {
  if (memory.are_together()) return memory.store(memory.at(word, 0), from, Modifier::WidthB32);
  const Operand high = reg(selection.builder.fresh());
  selection.emit(Opcode::Shf, {high, zero(), number(16), from},
                 {Modifier::ShiftDirectionRight, Modifier::ShiftTypeU32, Modifier::HalfHigh});
  memory.store(memory.at(word, 0), from, Modifier::WidthU16);
  memory.store(memory.at(word, 1), high, Modifier::WidthU16);
}

void store_floats(Selection& selection, MatrixInMemory& memory, const FragmentWord& word,
                  std::span<const ptx::Operand> from) {
  if (memory.are_together())
    return memory.store(memory.at(word, 0), packed(selection, from), Modifier::WidthB64);
  for (unsigned i = 0; i < 2; ++i) {
    memory.store(memory.at(word, i), selection.builder.in_register(selection.source(from[i])),
                 Modifier::WidthB32);
  }
}

/// A and B from shared memory: up to four words of the fragment at once.
void load_matrices(Selection& selection, MatrixInMemory& memory, const Tile& tile, MatrixUse use,
                   std::span<const ptx::Operand> to) {
  constexpr unsigned kMost = 4;
  const bool is_a = computed_use(tile, use) == MatrixUse::A;
  const Fragment fragment = fragment_of(tile, use);
  memory.begin_at(named_row(selection, is_a == memory.are_together()));
  for (unsigned first = 0; first < fragment.words; first += kMost) {
    const unsigned count = std::min(kMost, fragment.words - first);
    const Operand words = reg(selection.builder.fresh(count));
    selection.emit(memory.are_together() ? Opcode::Ldsm : Opcode::LdsmT,
                   {words, memory.at(fragment.places[first], 0)},
                   {count == kMost ? Modifier::MatrixCountFour : Modifier::MatrixCountTwo});
    unpack(selection, to.subspan(first, count), words);
  }
}

/// The registers of a list. Throws Refused if there are not so many.
std::span<const ptx::Operand> fragment_in(const ptx::Instruction& instruction, std::size_t at,
                                          std::size_t count) {
  const auto elements = elements_of(instruction.operands.at(at));
  if (elements.size() != count) Selection::refuse(instruction, "a fragment has another number of registers");
  return elements;
}

void require(const ptx::Instruction& instruction, std::size_t least, std::size_t most) {
  const std::size_t count = instruction.operands.size();
  if (count < least || count > most) Selection::refuse(instruction, "another number of operands is expected");
}

ProductKind kind_of(const ptx::Instruction& instruction) {
  const PtxModifier d = instruction.type(0);
  const PtxModifier second = instruction.type(1);
  // For products of halves only the types of D and C are written.
  if (instruction.type(2) == PtxModifier::Unknown && d == second &&
      (d == PtxModifier::F16 || d == PtxModifier::F32))
    return {false, d == PtxModifier::F32};
  if (d == PtxModifier::F32 && second == PtxModifier::Bf16 && instruction.type(2) == second &&
      instruction.type(3) == d)
    return {true, true};
  Selection::refuse(instruction, "products of these types are not supported");
}

}  // namespace

void select_wmma_load(Selection& selection, const ptx::Instruction& instruction) {
  require(instruction, 2, 3);
  const Tile& tile = tile_of(instruction);
  const MatrixUse use = use_of(instruction);
  const PtxModifier type = instruction.type();
  check_type(instruction, use, type);
  const auto to = fragment_in(instruction, 0, fragment_registers(tile, use, type));
  MatrixInMemory memory = memory_of(selection, instruction, 1, use);
  const Fragment fragment = fragment_of(tile, use);
  constexpr unsigned kFirstWithMatrixLoads = 75;  // compute capability 7.5
  if (use != MatrixUse::Sums && memory.is_shared() &&
      selection.target.compute_capability >= kFirstWithMatrixLoads) {
    load_matrices(selection, memory, tile, use, to);
  } else {
    memory.begin_at(own_elements(selection, memory.are_together()));
    for (unsigned i = 0; i < fragment.words; ++i) {
      if (type == PtxModifier::F32) {
        load_floats(selection, memory, fragment.places[i], to.subspan(std::size_t{2} * i, 2));
      } else {
        load_word(selection, memory, fragment.places[i], selection.result(to[i]));
      }
    }
  }
  if (use == MatrixUse::Sums) return;
  for (std::size_t i = fragment.words; i < to.size(); ++i) {
    const Operand copy = selection.result(to[i]);
    if (!is_zero(copy)) selection.builder.move(copy.index, selection.source(to[i % fragment.words]));
  }
}

void select_wmma_store(Selection& selection, const ptx::Instruction& instruction) {
  require(instruction, 2, 3);
  const Tile& tile = tile_of(instruction);
  const PtxModifier type = instruction.type();
  check_type(instruction, MatrixUse::Sums, type);
  const auto from = fragment_in(instruction, 1, fragment_registers(tile, MatrixUse::Sums, type));
  MatrixInMemory memory = memory_of(selection, instruction, 0, MatrixUse::Sums);
  memory.begin_at(own_elements(selection, memory.are_together()));
  const Fragment fragment = fragment_of(tile, MatrixUse::Sums);
  for (unsigned i = 0; i < fragment.words; ++i) {
    if (type == PtxModifier::F32) {
      store_floats(selection, memory, fragment.places[i], from.subspan(std::size_t{2} * i, 2));
    } else {
      store_word(selection, memory, fragment.places[i],
                 selection.builder.in_register(selection.source(from[i])));
    }
  }
}

void select_wmma_mma(Selection& selection, const ptx::Instruction& instruction) {
  require(instruction, 4, 4);
  if (instruction.has(PtxModifier::Satfinite))
    Selection::refuse(instruction, "'.satfinite' is not supported");
  const Tile& tile = tile_of(instruction);
  const ProductKind kind = kind_of(instruction);
  const PtxModifier factor = kind.is_bfloat ? PtxModifier::Bf16 : PtxModifier::F16;
  const PtxModifier sum = instruction.type(0);
  const auto d = fragment_in(instruction, 0, fragment_registers(tile, MatrixUse::Sums, sum));
  auto a = fragment_in(instruction, 1, fragment_registers(tile, MatrixUse::A, factor));
  auto b = fragment_in(instruction, 2, fragment_registers(tile, MatrixUse::B, factor));
  const auto c = fragment_in(instruction, 3, fragment_registers(tile, MatrixUse::Sums, sum));
  if (tile.is_transposed) std::swap(a, b);
  const std::size_t sums = kind.has_wide_sums ? 4 : 2;
  std::vector<Operand> results;
  for (unsigned row = 0; row < tile.row_blocks; ++row) {
    const Operand rows = packed(selection, a.subspan(std::size_t{4} * row, 4));
    for (unsigned column = 0; column < tile.column_blocks; ++column) {
      const Operand columns = packed(selection, b.subspan(std::size_t{2} * column, 2));
      const Operand before = packed(selection, c.subspan(sums * results.size(), sums));
      results.push_back(emit_product_16(selection, kind, rows, columns, before));
    }
  }
  for (std::size_t i = 0; i < results.size(); ++i) unpack(selection, d.subspan(sums * i, sums), results[i]);
}

}  // namespace heddle::lower
