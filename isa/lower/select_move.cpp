// Copies, vectors packed and taken apart, special registers, and generic addresses.
#include <fmt/format.h>

#include <algorithm>

#include "isa/ir/windows.h"
#include "isa/lower/kinds.h"
#include "isa/lower/select.h"
#include "isa/lower/special_values.h"

namespace heddle::lower {

namespace {

using ir::Opcode;
using ptx::Modifier;
using Kind = ptx::Operand::Kind;

/// The part of a vector that holds so many bits from `first_bit` of the whole.
void unpack(Selection& s, const ptx::Instruction& instruction) {
  const auto& parts = instruction.operands[0].elements;
  const unsigned whole = bits_of(instruction.type());
  const auto part_bits = static_cast<unsigned>(whole / parts.size());
  const ptx::Operand& from = instruction.operands[1];
  const auto word_at = [&](unsigned bit) {
    if (whole <= 32) return s.source(from);
    const Words words = s.words(from);
    return bit < 32 ? words.low : words.high;
  };
  // A part may be the register that others still are taken from.
  std::vector<Operand> taken;
  for (unsigned i = 0; i < parts.size(); ++i) {
    const unsigned bit = i * part_bits;
    const Operand word = s.builder.in_register(word_at(bit));
    const unsigned within = bit % 32;
    if (within == 0) {
      taken.push_back(word);
      continue;
    }
    taken.push_back(reg(s.builder.fresh()));
    s.emit(Opcode::Shf, {taken.back(), zero(), number(within), word},
           {ir::Modifier::ShiftDirectionRight, ir::Modifier::ShiftTypeU32, ir::Modifier::HalfHigh});
  }
  for (unsigned i = 0; i < parts.size(); ++i) {
    if (parts[i].kind == Kind::Sink) continue;
    s.builder.move(s.result(parts[i]).index, taken[i]);
  }
}

/// One word of parts of 8 or 16 bits, or a part of 32.
Operand packed_word(Selection& s, const std::vector<ptx::Operand>& parts, unsigned first,
                    unsigned part_bits) {
  if (part_bits == 32) return s.source(parts[first]);
  const Operand made = reg(s.builder.fresh());
  if (part_bits == 16) {
    s.emit(Opcode::Prmt, {made, s.builder.in_register(s.source(parts[first])), number(0x5410),
                          s.builder.in_register(s.source(parts[first + 1]))});
    return made;
  }
  const Operand low = reg(s.builder.fresh());
  const Operand high = reg(s.builder.fresh());
  s.emit(Opcode::Prmt, {low, s.builder.in_register(s.source(parts[first])), number(0x4040),
                        s.builder.in_register(s.source(parts[first + 1]))});
  s.emit(Opcode::Prmt, {high, s.builder.in_register(s.source(parts[first + 2])), number(0x4040),
                        s.builder.in_register(s.source(parts[first + 3]))});
  s.emit(Opcode::Prmt, {made, low, number(0x5410), high});
  return made;
}

void pack(Selection& s, const ptx::Instruction& instruction) {
  const auto& parts = instruction.operands[1].elements;
  const unsigned whole = bits_of(instruction.type());
  const auto part_bits = static_cast<unsigned>(whole / parts.size());
  if (part_bits < 8 || part_bits > 32) Selection::refuse(instruction);
  if (whole == 16) {
    s.emit(Opcode::Prmt, {s.result(instruction.operands[0]), s.builder.in_register(s.source(parts[0])),
                          number(0x4040), s.builder.in_register(s.source(parts[1]))});
    return;
  }
  if (whole == 32)
    return s.builder.move(s.result(instruction.operands[0]).index, packed_word(s, parts, 0, part_bits));
  const Operand low = packed_word(s, parts, 0, part_bits);
  const Operand high = packed_word(s, parts, 32 / part_bits, part_bits);
  const Words to = s.word_results(instruction.operands[0]);
  const Operand kept = reg(s.builder.fresh());
  s.builder.move(kept.index, high);
  s.builder.move(to.low.index, low);
  s.builder.move(to.high.index, kept);
}

/// What is copied, as far as it holds wherever the copy is read.
Operand lasting(Selection& s, const ptx::Operand& from, const Operand& word) {
  const bool is_plain = !is_register(word) || (from.kind == Kind::Register && s.is_lasting(from) &&
                                               s.values[from.reg].definitions == 1);
  return is_plain ? word : Operand{};
}

void copy(Selection& s, const ptx::Instruction& instruction, unsigned bits) {
  const auto& operands = instruction.operands;
  const bool is_known = operands[0].kind == Kind::Register && s.values[operands[0].reg].is_single();
  if (bits <= 32) {
    const Operand from = s.source(operands[1]);
    s.builder.move(s.result(operands[0]).index, from);
    if (is_known && (!is_register(from) || lasting(s, operands[1], from) == from))
      s.note_known(operands[0], {from, zero()});
    if (is_known && operands[1].kind == Kind::Register && s.is_lasting(operands[1])) {
      s.values[operands[0].reg].is_zero_extended = s.values[operands[1].reg].is_zero_extended;
      s.values[operands[0].reg].is_sign_extended = s.values[operands[1].reg].is_sign_extended;
    }
    return;
  }
  const Words from = s.words(operands[1]);
  const Words to = s.word_results(operands[0]);
  s.builder.move(to.low.index, from.low);
  s.builder.move(to.high.index, from.high);
  if (!is_known) return;
  if (lasting(s, operands[1], from.low) == from.low && lasting(s, operands[1], from.high) == from.high)
    s.note_known(operands[0], from);
  if (operands[1].kind != Kind::Register || !s.values[operands[1].reg].is_single()) return;
  const auto address = s.address_of(s.values[operands[1].reg]);
  s.values[operands[0].reg].address = address ? address : KnownAddress{operands[1].reg, 0};
  s.values[operands[0].reg].noted_in = s.block;
}

/// The one special register that is a predicate, %is_explicit_cluster, does not hold: there are no clusters.
void copy_predicate(Selection& s, const ptx::Instruction& instruction) {
  constexpr unsigned kAWithC = 0xa0;
  const bool is_special = instruction.operands[1].kind == Kind::SpecialRegister;
  s.emit(Opcode::Plop3,
         {s.predicate_result(instruction.operands[0]), always(),
          is_special ? never() : s.predicate(instruction.operands[1]), always(), always(), number(kAWithC),
          number(0)},
         {ir::Modifier::LutLut});
}

/// A window's generic address from an address in it.
void make_generic(Selection& s, const ptx::Instruction& instruction, std::uint32_t window) {
  const ptx::Operand& from = instruction.operands[1];
  const bool is_narrow = from.kind == Kind::Register && s.values[from.reg].words == 1;
  const Operand low = is_narrow ? s.source(from) : s.words(from).low;
  const Words to = s.word_results(instruction.operands[0]);
  s.builder.move(to.low.index, low);
  s.builder.move(to.high.index, number(window));
  if (!is_register(low)) s.note_known(instruction.operands[0], {low, number(window)});
}

/// A space's own address: the low word.
void leave_generic(Selection& s, const ptx::Instruction& instruction) {
  const Words from = s.words(instruction.operands[1]);
  const Words to = s.word_results(instruction.operands[0]);
  s.builder.move(to.low.index, from.low);
  s.builder.move(to.high.index, zero());
}

}  // namespace

void select_mov(Selection& s, const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  const Modifier type = instruction.type();
  if (type == Modifier::Pred) return copy_predicate(s, instruction);
  if (bits_of(type) > 64) Selection::refuse(instruction);
  for (const ptx::Operand& operand : operands) {
    const std::size_t parts = operand.kind == Kind::Vector ? operand.elements.size() : 2;
    if (parts != 2 && parts != 4 && parts != 8) Selection::refuse(instruction, "a value has 2, 4 or 8 parts");
  }
  if (operands[0].kind == Kind::Vector) return unpack(s, instruction);
  if (operands[1].kind == Kind::Vector) return pack(s, instruction);
  if (operands[1].kind == Kind::SpecialRegister) return select_special(s, instruction);
  copy(s, instruction, bits_of(type));
}

void select_cvta(Selection& s, const ptx::Instruction& instruction) {
  if (bits_of(instruction.type()) != 64) Selection::refuse(instruction, "addresses have 64 bits");
  const bool leaves = instruction.has(Modifier::To);
  if (instruction.has(Modifier::Global)) return copy(s, instruction, 64);
  if (instruction.has(Modifier::Shared) || instruction.has(Modifier::SharedCta) ||
      instruction.has(Modifier::SharedCluster))
    return leaves ? leave_generic(s, instruction) : make_generic(s, instruction, ir::kSharedWindow);
  if (instruction.has(Modifier::Local))
    return leaves ? leave_generic(s, instruction) : make_generic(s, instruction, ir::kLocalWindow);
  if (instruction.has(Modifier::Const))
    return leaves ? leave_generic(s, instruction) : make_generic(s, instruction, ir::kConstantWindow);
  if (instruction.has(Modifier::Param) || instruction.has(Modifier::ParamEntry))
    return leaves ? leave_generic(s, instruction) : make_generic(s, instruction, ir::kParameterWindow);
  Selection::refuse(instruction);
}

}  // namespace heddle::lower
