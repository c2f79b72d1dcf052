#include "isa/lower/addresses.h"

#include "isa/ir/windows.h"

namespace heddle::lower {

namespace {

using ptx::Modifier;
using ptx::StateSpace;
using Kind = ptx::Operand::Kind;

constexpr std::int64_t kLeastOffset = -(1 << 23);
constexpr std::int64_t kMostOffset = (1 << 23) - 1;

bool fits(std::int64_t offset) { return offset >= kLeastOffset && offset <= kMostOffset; }

StateSpace named_space(const ptx::Instruction& instruction) {
  for (const Modifier modifier : instruction.modifiers) {
    switch (modifier) {
      case Modifier::Global:
        return StateSpace::Global;
      case Modifier::Shared:
      case Modifier::SharedCta:
      case Modifier::SharedCluster:  // each block is a cluster by itself
        return StateSpace::Shared;
      case Modifier::Local:
        return StateSpace::Local;
      case Modifier::Const:
        return StateSpace::Const;
      case Modifier::Param:
      case Modifier::ParamEntry:
      case Modifier::ParamFunc:
        return StateSpace::Param;
      default:
        break;
    }
  }
  return StateSpace::Generic;
}

Spaces possible_spaces(const Selection& s, const ptx::Operand& address) {
  if (address.reg != ptx::kNone) return s.provenance.of(address.reg);
  return {true, false, false};
}

/// Base and offset with sums of addresses and numbers taken apart.
struct Parts {
  std::uint32_t base = ptx::kNone;
  std::int64_t offset = 0;
};

Parts parts_of(const Selection& s, const ptx::Operand& operand) {
  Parts parts{operand.reg, operand.offset()};
  if (parts.base == ptx::kNone) return parts;
  const auto known = s.address_of(s.values[parts.base]);
  if (known && fits(known->offset + parts.offset)) parts = {known->base, known->offset + parts.offset};
  return parts;
}

/// What an address begins with: a register, a variable, or for a number nothing.
Words far_base(Selection& s, const ptx::Operand& operand, const Parts& parts) {
  ptx::Operand base;
  base.kind = Kind::Register;
  base.reg = parts.base;
  if (parts.base == ptx::kNone && operand.symbol.kind != ptx::SymbolRef::Kind::None) {
    base.kind = Kind::Symbol;
    base.symbol = operand.symbol;
  } else if (parts.base == ptx::kNone) {
    base.kind = Kind::Integer;
  }
  return s.words(base);
}

/// The base as a pair; an offset that does not fit is added.
Operand far_address(Selection& s, const ptx::Operand& operand, const Parts& parts) {
  const Operand pair = s.builder.in_pair(far_base(s, operand, parts));
  if (fits(parts.offset)) return address(pair.index, parts.offset);
  const ir::RegisterIndex sum = s.builder.fresh(2);
  const Operand high = is_zero(pair) ? zero() : reg(pair.index + 1);
  const auto offset = static_cast<std::uint64_t>(parts.offset);
  const Operand carry = pred(s.builder.fresh_predicate());
  s.emit(ir::Opcode::Iadd3,
         {reg(sum), carry, always(), reg(pair.index), number(offset & 0xffffffffU), zero()});
  s.emit(ir::Opcode::Iadd3X,
         {reg(sum + 1), always(), always(), high, number(offset >> 32), zero(), carry, never()});
  return address(sum, 0);
}

/// The low word of a register of 32 or 64 bits.
Operand near_base(Selection& s, std::uint32_t base) {
  const Value& value = s.values[base];
  return s.word_of(value, 0);
}

Operand near_address(Selection& s, const ptx::Operand& operand) {
  const Parts parts = parts_of(s, operand);
  std::int64_t offset = parts.offset;
  if (operand.symbol.kind != ptx::SymbolRef::Kind::None) {
    const auto place = s.layout.place_of(operand.symbol);
    if (!place) throw Refused("the address is one of a variable that is not supported");
    offset += static_cast<std::int64_t>(place->offset);
  }
  if (parts.base == ptx::kNone) return address(ir::kRegisterZero, offset);
  const Operand base = near_base(s, parts.base);
  if (is_number(base)) return address(ir::kRegisterZero, offset + static_cast<std::int64_t>(base.value));
  return address(s.builder.in_register(base).index, offset);
}

ir::Guard guard_with(Selection& s, const ir::Guard& guard, const Operand& condition) {
  if (guard.always()) return {condition.index, condition.negated};
  const Operand both = pred(s.builder.fresh_predicate());
  constexpr unsigned kAnd = 0x80;
  s.emit(ir::Opcode::Plop3,
         {both, always(), pred(guard.predicate, guard.negated), condition, always(), number(kAnd), number(0)},
         {ir::Modifier::LutLut});
  return {both.index, false};
}

}  // namespace

StateSpace space_of(const Selection& s, const ptx::Instruction& instruction, const ptx::Operand& address) {
  const StateSpace named = named_space(instruction);
  if (named != StateSpace::Generic) return named;
  if (address.symbol.kind != ptx::SymbolRef::Kind::None) {
    const auto place = s.layout.place_of(address.symbol);
    if (place) return place->space;
  }
  const Spaces spaces = possible_spaces(s, address);
  if (spaces == Spaces{false, true, false}) return StateSpace::Shared;
  if (spaces == Spaces{false, false, true}) return StateSpace::Local;
  if (spaces == Spaces{false, false, false, true}) return StateSpace::Const;
  if (spaces == Spaces{false, false, false, false, true}) return StateSpace::Param;
  if (!spaces.shared && !spaces.local && !spaces.constant && !spaces.parameter) return StateSpace::Global;
  return StateSpace::Generic;
}

Operand address_of(Selection& s, const ptx::Operand& operand, StateSpace space) {
  if (space != StateSpace::Global) return near_address(s, operand);
  const Parts parts = parts_of(s, operand);
  return far_address(s, operand, parts);
}

void for_each_space(Selection& s, const ptx::Instruction& instruction, const ptx::Operand& operand,
                    const std::function<void(StateSpace)>& access) {
  const StateSpace space = space_of(s, instruction, operand);
  if (space != StateSpace::Generic) return access(space);
  const Spaces spaces = possible_spaces(s, operand);
  const ir::Guard guard = s.builder.guard();
  const Operand high = s.words([&] {
                          ptx::Operand base;
                          base.kind = Kind::Register;
                          base.reg = operand.reg;
                          return base;
                        }())
                           .high;
  s.builder.set_guard({});
  const auto within = [&](std::uint32_t window) {
    const Operand made = pred(s.builder.fresh_predicate());
    s.emit(ir::Opcode::Isetp, {made, always(), high, number(window), always(), never()},
           {ir::Modifier::CompareEq, ir::Modifier::IntTypeU32, ir::Modifier::BoolAnd});
    return made;
  };
  Operand elsewhere = always();
  const auto access_window = [&](StateSpace one, std::uint32_t window) {
    const Operand inside = within(window);
    s.builder.set_guard({});
    const ir::Guard here = guard_with(s, guard, inside);
    const ir::Guard outside = guard_with(s, {elsewhere.index, elsewhere.negated}, negative(inside));
    s.builder.set_guard(here);
    access(one);
    s.builder.set_guard({});
    elsewhere = pred(outside.predicate, outside.negated);
  };
  if (spaces.shared) access_window(StateSpace::Shared, ir::kSharedWindow);
  if (spaces.local) access_window(StateSpace::Local, ir::kLocalWindow);
  // Nobody may write constants and parameters.
  const bool loads = instruction.opcode == ptx::Opcode::Ld || instruction.opcode == ptx::Opcode::Ldu;
  if (loads && spaces.constant) access_window(StateSpace::Const, ir::kConstantWindow);
  if (loads && spaces.parameter) access_window(StateSpace::Param, ir::kParameterWindow);
  if (spaces.global) {
    s.builder.set_guard(guard_with(s, guard, elsewhere));
    access(StateSpace::Global);
  }
  s.builder.set_guard(guard);
}

}  // namespace heddle::lower
