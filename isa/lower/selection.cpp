#include "isa/lower/selection.h"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "isa/lower/call_graph.h"
#include "isa/lower/select.h"
#include "isa/lower/wide_sums.h"

namespace heddle::lower {

namespace {

using Kind = ptx::Operand::Kind;

using Select = void (*)(Selection&, const ptx::Instruction&);

Select family_of(ptx::Opcode opcode) {
  switch (opcode) {
#define SELECT(name, function) \
  case ptx::Opcode::name:      \
    return function;
#include "isa/lower/selections.def"
#undef SELECT
    default:
      return nullptr;
  }
}

std::uint64_t low_bits(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

}  // namespace

std::optional<std::uint64_t> number_of(const ptx::Operand& operand, unsigned bits) {
  if (operand.kind == Kind::Integer) return low_bits(operand.bits, bits);
  if (operand.kind == Kind::Symbol && operand.symbol.kind == ptx::SymbolRef::Kind::Function)
    return low_bits(function_address(operand.symbol.index) + operand.bits, bits);
  if (operand.kind != Kind::Float) return std::nullopt;
  if (bits == 64) return std::bit_cast<std::uint64_t>(operand.float_value());
  if (operand.is_single) return operand.bits;
  return std::bit_cast<std::uint32_t>(static_cast<float>(operand.float_value()));
}

void Selection::refuse(const ptx::Instruction& instruction, const std::string& why) {
  throw Refused(why.empty() ? fmt::format("{} is not supported", instruction.mnemonic)
                            : fmt::format("{}: {}", instruction.mnemonic, why));
}

Operand Selection::source(const ptx::Operand& operand) {
  if (const auto bits = number_of(operand, 32)) return number(*bits);
  if (operand.kind == Kind::Register) {
    const Value& value = values[operand.reg];
    // Conversions and stores may name a wider register: its low word is meant.
    if (value.is_predicate || value.words > 2) throw Refused("an operand is a register of another size");
    return word_of(value, 0);
  }
  if (operand.kind == Kind::Symbol) {
    const auto place = layout.place_of(operand.symbol);
    if (place) return number(low_bits(place->offset + operand.bits, 32));
  }
  throw Refused("an operand of this kind is not supported");
}

Operand Selection::extended(const ptx::Operand& operand, unsigned bits, bool is_signed) {
  if (bits >= 32) return source(operand);
  if (const auto value = number_of(operand, bits)) {
    const bool is_negative = is_signed && (*value >> (bits - 1) & 1U) != 0;
    return number(low_bits(is_negative ? *value | ~std::uint64_t{0} << bits : *value, 32));
  }
  const Operand narrow = source(operand);
  if (operand.kind == Kind::Register) {
    const Value& value = values[operand.reg];
    const bool is_whole = is_signed ? value.is_sign_extended : value.is_zero_extended;
    if (value.is_single() && value.bits <= bits && is_whole) return narrow;
  }
  const Operand whole = reg(builder.fresh());
  if (!is_signed) {
    emit(ir::Opcode::Lop3,
         {always(), whole, builder.in_register(narrow), number(bits == 8 ? 0xff : 0xffff), zero(),
          number(0xc0), never()},
         {ir::Modifier::LutLut});
  } else {
    emit(ir::Opcode::Prmt, {whole, builder.in_register(narrow), number(bits == 8 ? 0x8880 : 0x9910), zero()});
  }
  return whole;
}

Words Selection::variable_address(const Layout::Place& place, std::uint64_t offset) {
  const Words address{constant(ir::kDataBank, place.offset), constant(ir::kDataBank, place.offset + 4)};
  if (offset == 0) return address;
  const ir::RegisterIndex sum = builder.fresh(2);
  add_words(builder, {reg(sum), reg(sum + 1)}, address, {number(low_bits(offset, 32)), number(offset >> 32)});
  return {reg(sum), reg(sum + 1)};
}

Words Selection::words(const ptx::Operand& operand) {
  if (const auto bits = number_of(operand, 64)) return {number(low_bits(*bits, 32)), number(*bits >> 32)};
  if (operand.kind == Kind::Register) {
    const Value& value = values[operand.reg];
    if (value.words != 2) throw Refused("an operand is a register of another size");
    return {word_of(value, 0), word_of(value, 1)};
  }
  if (operand.kind == Kind::Symbol) {
    const auto place = layout.place_of(operand.symbol);
    if (place && place->space == ptx::StateSpace::Global) return variable_address(*place, operand.bits);
    if (place) return {number(low_bits(place->offset + operand.bits, 32)), number(0)};
  }
  throw Refused("an operand of this kind is not supported");
}

Operand Selection::wide(const ptx::Operand& operand) {
  const Words two = words(operand);
  if (is_number(two.low) && is_number(two.high)) return number(two.high.value << 32 | two.low.value);
  const bool is_constant =
      two.low.kind == Operand::Kind::Constant && two.high.kind == Operand::Kind::Constant;
  if (is_constant && two.high.value == two.low.value + 4 && two.low.value % 8 == 0) return two.low;
  return builder.in_pair(two);
}

Operand Selection::predicate(const ptx::Operand& operand) {
  if (operand.kind == Kind::Integer) return operand.bits != 0 ? always() : never();
  if (operand.kind != Kind::Register || !values[operand.reg].is_predicate)
    throw Refused("an operand is no predicate");
  return pred(values[operand.reg].first, operand.negated);
}

Operand Selection::result(const ptx::Operand& operand) {
  if (operand.kind == Kind::Sink) return zero();
  if (operand.kind != Kind::Register || values[operand.reg].is_predicate || values[operand.reg].words != 1)
    throw Refused("the result does not fit its register");
  return reg(values[operand.reg].first);
}

Operand Selection::wide_result(const ptx::Operand& operand) {
  if (operand.kind == Kind::Sink) return zero();
  if (operand.kind != Kind::Register || values[operand.reg].words != 2)
    throw Refused("the result does not fit its register");
  return reg(values[operand.reg].first);
}

Words Selection::word_results(const ptx::Operand& operand) {
  const Operand first = wide_result(operand);
  return {first, is_zero(first) ? zero() : reg(first.index + 1)};
}

Operand Selection::predicate_result(const ptx::Operand& operand) {
  if (operand.kind == Kind::Sink) return always();
  if (operand.kind != Kind::Register || !values[operand.reg].is_predicate)
    throw Refused("the result is no predicate");
  return pred(values[operand.reg].first);
}

void Selection::note_extension(const ptx::Operand& operand, bool is_signed) {
  if (operand.kind != Kind::Register) return;
  (is_signed ? values[operand.reg].is_sign_extended : values[operand.reg].is_zero_extended) = true;
}

void Selection::note_known(const ptx::Operand& operand, const Words& value) {
  if (operand.kind != Kind::Register || !values[operand.reg].is_single()) return;
  values[operand.reg].known = {value.low, value.high};
  values[operand.reg].noted_in = block;
}

Operand Selection::word_of(const Value& value, unsigned word) const {
  const auto& known = value.known[word];
  const bool holds = known && (!is_register(*known) || value.noted_in == 0 || value.noted_in == block);
  return holds ? *known : reg(value.first + word);
}

std::optional<KnownAddress> Selection::address_of(const Value& value) const {
  return value.noted_in == 0 || value.noted_in == block ? value.address : std::nullopt;
}

const ptx::Instruction* Selection::maker(const ptx::Operand& operand) const {
  if (operand.kind != Kind::Register || !values[operand.reg].is_single()) return nullptr;
  const std::uint32_t made = values[operand.reg].definition;
  // What is written later has not been, or is of an earlier round of a loop.
  if (made >= here || (block != 0 && made < block_begin)) return nullptr;
  const ptx::Instruction& instruction = function.body[made];
  for (std::size_t i = 1; i < instruction.operands.size(); ++i) {  // the first one is the result
    const ptx::Operand& source = instruction.operands[i];
    const bool is_made_since = source.kind == Kind::Register && values[source.reg].definition != ptx::kNone &&
                               values[source.reg].definition >= made && values[source.reg].definition < here;
    if (is_made_since) return nullptr;
  }
  return &instruction;
}

bool Selection::is_lasting(const ptx::Operand& operand) const {
  return operand.kind != Kind::Register || values[operand.reg].definitions <= 1;
}

void select(Selection& selection, const ptx::Instruction& instruction) {
  for (const ptx::Modifier modifier : instruction.modifiers) {
    if (modifier == ptx::Modifier::Unknown)
      Selection::refuse(instruction, fmt::format("nobody knows '.{}'", instruction.unknown_words.front()));
  }
  const Select family = family_of(instruction.opcode);
  if (family == nullptr) Selection::refuse(instruction);
  const ptx::Guard& guard = instruction.guard;
  const bool is_guarded = guard.reg != ptx::kNone;
  selection.builder.set_guard(is_guarded ? ir::Guard{selection.values[guard.reg].first, guard.negated}
                                         : ir::Guard{});
  family(selection, instruction);
  selection.builder.set_guard({});
}

}  // namespace heddle::lower
