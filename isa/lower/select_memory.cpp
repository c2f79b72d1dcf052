// Loads and stores.
#include <algorithm>

#include "isa/ir/windows.h"
#include "isa/lower/addresses.h"
#include "isa/lower/kinds.h"
#include "isa/lower/order_marks.h"
#include "isa/lower/select.h"

namespace heddle::lower {

namespace {

using ir::Opcode;
using ptx::Modifier;
using ptx::StateSpace;
using Kind = ptx::Operand::Kind;

/// One access of a load or a store: so many bytes, in elements of so many bits.
struct Shape {
  unsigned element_bits;
  unsigned elements;
  bool is_signed;

  [[nodiscard]] unsigned bytes() const { return element_bits / 8 * elements; }
};

/// Registers, or _, one or a list of them; what is stored may be numbers, too.
bool is_data(const ptx::Operand& operand, bool may_be_number) {
  const auto is_one = [&](const ptx::Operand& one) {
    const bool is_number = one.kind == Kind::Integer || one.kind == Kind::Float;
    return one.kind == Kind::Register || (may_be_number ? is_number : one.kind == Kind::Sink);
  };
  if (operand.kind != Kind::Vector) return is_one(operand);
  return operand.elements.size() > 1 && std::ranges::all_of(operand.elements, is_one);
}

Shape shape_of(const ptx::Instruction& instruction, const ptx::Operand& data) {
  if (!is_data(data, instruction.opcode == ptx::Opcode::St))
    Selection::refuse(instruction, "what is loaded or stored is no register or list of them");
  const Modifier type = instruction.type();
  const unsigned elements = data.kind == Kind::Vector ? static_cast<unsigned>(data.elements.size()) : 1;
  const unsigned bits = bits_of(type);
  const bool is_regular = bits >= 8 && bits <= 64 && bits % 8 == 0;
  if (!is_regular || bits / 8 * elements > 16) Selection::refuse(instruction);
  return {bits, elements, is_signed(type)};
}

ir::Modifier width_of(const Shape& shape) {
  switch (shape.bytes()) {
    case 1:
      return shape.is_signed ? ir::Modifier::WidthS8 : ir::Modifier::WidthU8;
    case 2:
      return shape.is_signed && shape.elements == 1 ? ir::Modifier::WidthS16 : ir::Modifier::WidthU16;
    case 8:
      return ir::Modifier::WidthB64;
    case 16:
      return ir::Modifier::WidthB128;
    default:
      return ir::Modifier::WidthB32;
  }
}

unsigned words_of(const Shape& shape) { return std::max(1U, shape.bytes() / 4); }

/// How strong an access is, and for whom: .volatile, .relaxed, .acquire, .release with their scopes.
struct Order {
  bool is_strong = false;
  bool acquires = false;
  bool releases = false;
  ir::Modifier scope = ir::Modifier::ScopeNone;
};

Order order_of(const ptx::Instruction& instruction) {
  Order order;
  order.acquires = instruction.has(Modifier::Acquire);
  order.releases = instruction.has(Modifier::Release);
  order.is_strong = order.acquires || order.releases || instruction.has(Modifier::Relaxed) ||
                    instruction.has(Modifier::Volatile) || instruction.has(Modifier::Mmio) ||
                    instruction.has(Modifier::Cv) || instruction.has(Modifier::Wt) ||
                    instruction.has(Modifier::Cg);  // as ptxas takes them
  if (!order.is_strong) return order;
  order.scope = ir::Modifier::ScopeSys;
  if (instruction.has(Modifier::Cta)) order.scope = ir::Modifier::ScopeSm;
  if (instruction.has(Modifier::Gpu) || instruction.has(Modifier::Cluster) || instruction.has(Modifier::Cg))
    order.scope = ir::Modifier::ScopeGpu;
  return order;
}

ir::Modifier strength_of(const Order& order) {
  return order.is_strong ? ir::Modifier::StrengthStrong : ir::Modifier::StrengthNone;
}

/// Before a release.
void emit_fence(Selection& s, const Order& order) {
  if (order.scope == ir::Modifier::ScopeSm) {
    s.emit(Opcode::MembarAllCta, {});
  } else {
    s.emit(order.scope == ir::Modifier::ScopeSys ? Opcode::MembarAllSys : Opcode::MembarAllGpu, {});
  }
}

Opcode load_opcode(StateSpace space) {
  if (space == StateSpace::Shared) return Opcode::Lds;
  return space == StateSpace::Local ? Opcode::Ldl : Opcode::Ldg;
}

Opcode store_opcode(StateSpace space) {
  if (space == StateSpace::Shared) return Opcode::Sts;
  return space == StateSpace::Local ? Opcode::Stl : Opcode::Stg;
}

/// LDC loads 8 bytes at most.
void emit_constant_load(Selection& s, Operand from, const Shape& shape, ir::RegisterIndex to) {
  constexpr unsigned kMost = 8;
  const unsigned bytes = shape.bytes();
  const ir::Modifier width = bytes > kMost ? ir::Modifier::WidthB64 : width_of(shape);
  for (unsigned done = 0; done < bytes; done += kMost) {
    s.emit(Opcode::Ldc, {reg(to + done / 4), from}, {width});
    from.value += kMost;
  }
}

/// What a register says and an offset, in the constant bank that has the space.
Operand indexed_constant(Selection& s, const ptx::Operand& from, StateSpace space) {
  const Operand near = address_of(s, from, StateSpace::Shared);  // a register of 32 bits and an offset
  const bool has_register = near.index != ir::kRegisterZero;
  Operand where{has_register ? Operand::Kind::IndexedConstant : Operand::Kind::Constant};
  where.index = has_register ? near.index : 0;
  where.value = near.value;
  where.bank = space == StateSpace::Param ? ir::kLaunchBank : ir::kDataBank;
  return where;
}

void emit_load(Selection& s, const ptx::Instruction& instruction, StateSpace space, const Shape& shape,
               ir::RegisterIndex to) {
  if (space == StateSpace::Const || space == StateSpace::Param)
    return emit_constant_load(s, indexed_constant(s, instruction.operands[1], space), shape, to);
  const Operand from = address_of(s, instruction.operands[1], space);
  const ir::Modifier width = width_of(shape);
  const Order order = order_of(instruction);
  if (space != StateSpace::Global) {
    s.emit(load_opcode(space), {reg(to), from}, {width, strength_of(order)});
    return;
  }
  if (order.is_strong) {
    s.emit(Opcode::Ldg, {reg(to), from},
           {ir::Modifier::ExtendedE, width, ir::Modifier::StrengthStrong, order.scope});
    if (order.acquires && order.scope != ir::Modifier::ScopeSm) s.emit(Opcode::CctlIvall, {});
    return;
  }
  const bool is_constant = instruction.has(Modifier::Nc) || instruction.opcode == ptx::Opcode::Ldu;
  s.emit(Opcode::Ldg, {reg(to), from},
         {ir::Modifier::ExtendedE, width,
          is_constant ? ir::Modifier::ReadOnlyConstant : ir::Modifier::ReadOnlyNone});
}

/// What lies above a word in a register of 64 bits.
void extend_word(Selection& s, const Operand& low, const Operand& high, bool has_sign) {
  if (!has_sign) return s.builder.move(high.index, zero());
  s.emit(Opcode::Shf, {high, zero(), number(31), low},
         {ir::Modifier::ShiftDirectionRight, ir::Modifier::ShiftTypeS32, ir::Modifier::HalfHigh});
}

/// One element out of the words that were loaded, into a register that may be wider.
void put_element(Selection& s, const ptx::Operand& to, const Shape& shape, const Operand& word,
                 unsigned bit) {
  if (to.kind == Kind::Sink) return;
  const Value& value = s.values[to.reg];
  if (shape.element_bits == 64) {
    const Words words = s.word_results(to);
    s.builder.move(words.low.index, word);
    return s.builder.move(words.high.index, reg(word.index + 1));
  }
  const Operand low = reg(value.first);
  if (shape.element_bits == 32 || shape.elements == 1) {
    s.builder.move(low.index, word);
  } else if (shape.is_signed) {
    s.emit(Opcode::Prmt, {low, word,
                          number(shape.element_bits == 8 ? 0x8880U + 0x1111U * (bit / 8)
                                                         : 0x9910U + (bit == 16 ? 0x2222U : 0U)),
                          zero()});
  } else {
    s.emit(
        Opcode::Prmt,
        {low, word, number(shape.element_bits == 8 ? 0x4440U + bit / 8 : 0x4410U + (bit == 16 ? 0x22U : 0U)),
         zero()});
  }
  if (shape.element_bits < 32) s.note_extension(to, shape.is_signed);
  if (value.words == 2) extend_word(s, low, reg(value.first + 1), shape.is_signed);
}

void put_elements(Selection& s, const ptx::Operand& data, const Shape& shape, ir::RegisterIndex first) {
  for (unsigned i = 0; i < shape.elements; ++i) {
    const ptx::Operand& to = data.kind == Kind::Vector ? data.elements[i] : data;
    const unsigned bit = i * shape.element_bits;
    put_element(s, to, shape, reg(first + bit / 32), bit % 32);
  }
}

/// A load whose result is the register itself needs no copy.
std::optional<ir::RegisterIndex> direct_result(const Selection& s, const ptx::Operand& data,
                                               const Shape& shape) {
  if (data.kind != Kind::Register || shape.elements != 1) return std::nullopt;
  const Value& value = s.values[data.reg];
  return value.words == words_of(shape) ? std::optional(value.first) : std::nullopt;
}

/// Where a parameter or a constant lies, if its place is known.
std::optional<Operand> constant_at(const Selection& s, const ptx::Operand& address) {
  const auto place = s.layout.place_of(address.symbol);
  if (!place || address.reg != ptx::kNone) return std::nullopt;
  const std::uint8_t bank = place->space == StateSpace::Param ? ir::kLaunchBank : ir::kDataBank;
  return constant(bank, place->offset + address.bits);
}

/// ld.param and ld.const: what lies at a known place is an operand of those who read it.
void load_constant(Selection& s, const ptx::Instruction& instruction, StateSpace space, const Shape& shape) {
  const ptx::Operand& data = instruction.operands[0];
  const ptx::Operand& from = instruction.operands[1];
  const auto at = constant_at(s, from);
  const auto element = [&](unsigned i) -> const ptx::Operand& {
    return data.kind == Kind::Vector ? data.elements[i] : data;
  };
  if (at && shape.element_bits >= 32) {
    for (unsigned i = 0; i < shape.elements; ++i) {
      const ptx::Operand& to = element(i);
      if (to.kind == Kind::Sink) continue;
      const Operand low = constant(at->bank, at->value + shape.element_bits / 8 * i);
      const Operand high = constant(at->bank, low.value + 4);
      const Value& value = s.values[to.reg];
      s.builder.move(value.first, low);
      if (shape.element_bits == 64) {
        s.builder.move(value.first + 1, high);
        s.note_known(to, {low, high});
      } else {
        if (value.words == 2) extend_word(s, reg(value.first), reg(value.first + 1), shape.is_signed);
        if (value.words == 1 || !shape.is_signed) s.note_known(to, {low, zero()});
      }
    }
    return;
  }
  const Operand where = at ? *at : indexed_constant(s, from, space);
  const auto direct = direct_result(s, data, shape);
  const ir::RegisterIndex first = direct ? *direct : s.builder.fresh(words_of(shape));
  emit_constant_load(s, where, shape, first);
  if (direct) {
    if (shape.element_bits < 32) s.note_extension(data, shape.is_signed);
    return;
  }
  put_elements(s, data, shape, first);
}

/// The words that a store puts into memory, side by side.
Operand stored_words(Selection& s, const ptx::Operand& data, const Shape& shape) {
  const auto element = [&](unsigned i) -> const ptx::Operand& {
    return data.kind == Kind::Vector ? data.elements[i] : data;
  };
  const auto word_of = [&](const ptx::Operand& operand) {
    if (const auto bits = number_of(operand, 32)) return number(*bits);
    const Value& value = s.values[operand.reg];
    return s.word_of(value, 0);  // the low word, whatever its size
  };
  if (shape.elements == 1) {
    if (shape.element_bits == 64) return s.builder.in_pair(s.words(data));
    return s.builder.in_register(word_of(data));
  }
  const ir::RegisterIndex first = s.builder.fresh(words_of(shape));
  for (unsigned i = 0; i < shape.elements; ++i) {
    const ir::RegisterIndex at = first + i * shape.element_bits / 32;
    if (shape.element_bits == 64) {
      const Words words = s.words(element(i));
      s.builder.move(at, words.low);
      s.builder.move(at + 1, words.high);
    } else if (shape.element_bits == 32) {
      s.builder.move(at, word_of(element(i)));
    } else {
      const unsigned bit = i * shape.element_bits % 32;
      const Operand word = s.builder.in_register(word_of(element(i)));
      if (bit == 0) {
        s.builder.move(at, word);
        continue;
      }
      const Operand ones = number((shape.element_bits == 8 ? 0xffU : 0xffffU) << bit);
      const Operand moved = reg(s.builder.fresh());
      s.emit(Opcode::Shf, {moved, word, number(bit), zero()},
             {ir::Modifier::ShiftDirectionLeft, ir::Modifier::ShiftTypeU32});
      constexpr unsigned kChoose = 0xca;  // bit by bit a ? b : c
      s.emit(Opcode::Lop3,
             {always(), reg(at), s.builder.in_register(ones), moved, reg(at), number(kChoose), never()},
             {ir::Modifier::LutLut});
    }
  }
  return reg(first);
}

}  // namespace

void select_ld(Selection& s, const ptx::Instruction& instruction) {
  const ptx::Operand& data = instruction.operands[0];
  const Shape shape = shape_of(instruction, data);
  const StateSpace named = space_of(s, instruction, instruction.operands[1]);
  if (named == StateSpace::Param || named == StateSpace::Const)
    return load_constant(s, instruction, named, shape);
  const auto direct = direct_result(s, data, shape);
  const ir::RegisterIndex first = direct ? *direct : s.builder.fresh(words_of(shape));
  for_each_space(s, instruction, instruction.operands[1],
                 [&](StateSpace space) { emit_load(s, instruction, space, shape, first); });
  if (instruction.has(Modifier::Acquire)) emit_order_mark(s.builder);
  if (!direct) return put_elements(s, data, shape, first);
  if (shape.element_bits < 32) s.note_extension(data, shape.is_signed);
}

void select_st(Selection& s, const ptx::Instruction& instruction) {
  const ptx::Operand& data = instruction.operands[1];
  const Shape shape = shape_of(instruction, data);
  const Order order = order_of(instruction);
  const Operand words = stored_words(s, data, shape);
  if (order.releases) emit_fence(s, order);
  // Stores of narrow numbers do not ask for their sign.
  const ir::Modifier width = width_of({shape.element_bits, shape.elements, false});
  for_each_space(s, instruction, instruction.operands[0], [&](StateSpace space) {
    const Operand to = address_of(s, instruction.operands[0], space);
    if (space == StateSpace::Global && order.is_strong) {
      s.emit(Opcode::Stg, {to, words},
             {ir::Modifier::ExtendedE, width, ir::Modifier::StrengthStrong, order.scope});
    } else if (space == StateSpace::Global) {
      s.emit(Opcode::Stg, {to, words}, {ir::Modifier::ExtendedE, width});
    } else if (space == StateSpace::Shared || space == StateSpace::Local) {
      s.emit(store_opcode(space), {to, words}, {width, strength_of(order)});
    } else {
      Selection::refuse(instruction);
    }
  });
}

void select_nothing(Selection& s, const ptx::Instruction&) { static_cast<void>(s); }

/// What loads and stores say of their lines with it, they say to nobody. The values are those that programs
/// know of it, as CUTLASS's.
void select_createpolicy(Selection& s, const ptx::Instruction& instruction) {
  const Words to = s.word_results(instruction.operands[0]);
  if (instruction.has(Modifier::Cvt)) {
    const Words from = s.words(instruction.operands[1]);
    s.builder.move(to.low.index, from.low);
    return s.builder.move(to.high.index, from.high);
  }
  const auto& modifiers = instruction.modifiers;
  const Modifier first = modifiers.size() > 1 ? modifiers[1] : Modifier::Unknown;
  const std::uint32_t policy = first == Modifier::L2EvictFirst  ? 0x12f00000
                               : first == Modifier::L2EvictLast ? 0x14f00000
                                                                : 0x10000000;
  s.builder.move(to.low.index, zero());
  s.builder.move(to.high.index, number(policy));
}

void select_isspacep(Selection& s, const ptx::Instruction& instruction) {
  const Operand to = s.predicate_result(instruction.operands[0]);
  const Operand high = s.words(instruction.operands[1]).high;
  const auto compare = [&](const Operand& result, std::uint32_t window, ir::Modifier how,
                           const Operand& other) {
    s.emit(Opcode::Isetp, {result, always(), s.builder.in_register(high), number(window), other, never()},
           {how, ir::Modifier::IntTypeU32, ir::Modifier::BoolAnd});
  };
  const bool is_shared = instruction.has(Modifier::Shared) || instruction.has(Modifier::SharedCta) ||
                         instruction.has(Modifier::SharedCluster);
  if (is_shared) return compare(to, ir::kSharedWindow, ir::Modifier::CompareEq, always());
  if (instruction.has(Modifier::Local))
    return compare(to, ir::kLocalWindow, ir::Modifier::CompareEq, always());
  if (instruction.has(Modifier::Const))
    return compare(to, ir::kConstantWindow, ir::Modifier::CompareEq, always());
  if (instruction.has(Modifier::Param) || instruction.has(Modifier::ParamEntry))
    return compare(to, ir::kParameterWindow, ir::Modifier::CompareEq, always());
  if (!instruction.has(Modifier::Global)) Selection::refuse(instruction);
  Operand elsewhere = always();
  for (const std::uint32_t window : {ir::kSharedWindow, ir::kLocalWindow, ir::kConstantWindow}) {
    const Operand made = pred(s.builder.fresh_predicate());
    compare(made, window, ir::Modifier::CompareNe, elsewhere);
    elsewhere = made;
  }
  compare(to, ir::kParameterWindow, ir::Modifier::CompareNe, elsewhere);
}

}  // namespace heddle::lower
