// Asynchronous copies from global to shared memory.
#include <optional>

#include "isa/lower/addresses.h"
#include "isa/lower/kinds.h"
#include "isa/lower/select.h"
#include "isa/lower/warp_masks.h"

namespace heddle::lower {

namespace {

using ir::Modifier;
using ir::Opcode;
using PtxModifier = ptx::Modifier;
using PtxKind = ptx::Operand::Kind;

Modifier width_of(const ptx::Instruction& instruction, std::uint64_t bytes) {
  switch (bytes) {
    case 4:
      return Modifier::WidthB32;
    case 8:
      return Modifier::WidthB64;
    case 16:
      return Modifier::WidthB128;
    default:
      Selection::refuse(instruction, "a copy has 4, 8 or 16 bytes");
  }
}

Modifier prefetch_size(const ptx::Instruction& instruction) {
  if (instruction.has(PtxModifier::L2_64B)) return Modifier::PrefetchSizeB64;
  if (instruction.has(PtxModifier::L2_128B)) return Modifier::PrefetchSizeB128;
  return instruction.has(PtxModifier::L2_256B) ? Modifier::PrefetchSizeB256 : Modifier::PrefetchSizeNone;
}

/// Where the predicate holds, zeros are written instead of the source. PT negated: nowhere. Nothing where a
/// part of the source may be wanted.
std::optional<Operand> ignored_where(Selection& selection, const ptx::Operand& source_size,
                                     std::uint64_t bytes) {
  if (source_size.kind == PtxKind::Register && selection.values[source_size.reg].is_predicate)
    return selection.predicate(source_size);
  if (const auto size = number_of(source_size, 32)) {
    if (*size >= bytes) return never();
    if (*size == 0) return always();
  }
  // As compilers write a copy under a condition: all of the bytes or none of them.
  const ptx::Instruction* const maker = selection.maker(source_size);
  if (maker != nullptr && maker->opcode == ptx::Opcode::Selp && selection.is_lasting(maker->operands[3])) {
    const auto yes = number_of(maker->operands[1], 32);
    const auto no = number_of(maker->operands[2], 32);
    const Operand condition = selection.predicate(maker->operands[3]);
    if (yes == bytes && no == 0U) return pred(condition.index, !condition.negated);
    if (yes == 0U && no == bytes) return condition;
  }
  return std::nullopt;
}

/// Whether less is wanted than all.
Operand is_less(Selection& selection, const Operand& size, std::uint64_t than) {
  const Operand made = pred(selection.builder.fresh_predicate());
  selection.emit(Opcode::Isetp, {made, always(), size, number(than), always(), never()},
                 {Modifier::CompareLt, Modifier::IntTypeU32, Modifier::BoolAnd});
  return made;
}

void emit_zeros(Selection& selection, const Operand& to, Modifier width, unsigned words) {
  Operand zeros = zero();
  if (words > 1) {
    zeros = reg(selection.builder.fresh(words));
    for (unsigned i = 0; i < words; ++i) selection.builder.move(zeros.index + i, zero());
  }
  selection.emit(Opcode::Sts, {to, zeros}, {width});
}

/// A predicate that holds where both do.
Operand both(Selection& selection, const Operand& a, const Operand& b) {
  if (a == always()) return b;
  if (b == always()) return a;
  const Operand made = pred(selection.builder.fresh_predicate());
  selection.emit(Opcode::Plop3, {made, always(), a, b, always(), number(0x80), number(0)},
                 {Modifier::LutLut});
  return made;
}

/// The first bytes of the source, one by one, where that are not all of them.
void copy_partly(Selection& selection, const Operand& to, const Operand& from, const Operand& size,
                 const Operand& where, std::uint64_t bytes) {
  const Operand byte = reg(selection.builder.fresh());
  const auto behind = [](const Operand& address, std::uint64_t offset) {
    Operand made = address;
    made.value += offset;
    return made;
  };
  for (std::uint64_t k = 0; k + 1 < bytes; ++k) {
    selection.builder.set_guard({});
    const Operand is_wanted = pred(selection.builder.fresh_predicate());
    selection.emit(Opcode::Isetp, {is_wanted, always(), size, number(k), where, never()},
                   {Modifier::CompareGt, Modifier::IntTypeU32, Modifier::BoolAnd});
    selection.builder.set_guard({is_wanted.index, false});
    selection.emit(Opcode::Ldg, {byte, behind(from, k)}, {Modifier::ExtendedE, Modifier::WidthU8});
    selection.emit(Opcode::Sts, {behind(to, k), byte}, {Modifier::WidthU8});
  }
}

}  // namespace

void select_cp_async(Selection& selection, const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  const std::size_t given = operands.size() - (instruction.has(PtxModifier::L2CacheHint) ? 1 : 0);
  if (given < 3 || given > 4) Selection::refuse(instruction, "another number of operands is expected");
  const auto bytes = number_of(operands[2], 32);
  if (!bytes) Selection::refuse(instruction, "the number of bytes must be a number");
  const Modifier width = width_of(instruction, *bytes);
  const bool bypasses = instruction.has(PtxModifier::Cg);
  if (bypasses && *bytes != 16) Selection::refuse(instruction, "a copy past L1 has 16 bytes");
  const Operand to = address_of(selection, operands[0], ptx::StateSpace::Shared);
  const Operand from = address_of(selection, operands[1], ptx::StateSpace::Global);
  const auto known = given == 4 ? ignored_where(selection, operands[3], *bytes) : never();
  const Operand size = known ? zero() : selection.builder.in_register(selection.source(operands[3]));
  const Operand guard = as_operand(selection.builder.guard());
  selection.builder.set_guard({});
  const Operand ignored = known ? *known : is_less(selection, size, *bytes);
  const Operand copies = both(selection, guard, pred(ignored.index, !ignored.negated));
  const Operand clears = both(selection, guard, ignored);
  if (copies != never()) {
    selection.builder.set_guard({copies.index, copies.negated});
    selection.emit(Opcode::Ldgsts, {to, from},
                   {Modifier::ExtendedE, bypasses ? Modifier::BypassL1 : Modifier::BypassNone,
                    prefetch_size(instruction), width});
  }
  if (ignored != never()) {
    selection.builder.set_guard({clears.index, clears.negated});
    emit_zeros(selection, to, width, static_cast<unsigned>(*bytes / 4));
  }
  if (!known) copy_partly(selection, to, from, size, clears, *bytes);
}

void select_commit_group(Selection& selection, const ptx::Instruction& /*instruction*/) {
  selection.emit(Opcode::Ldgdepbar, {});
}

void select_wait_group(Selection& selection, const ptx::Instruction& instruction) {
  std::uint64_t groups = 0;
  if (instruction.opcode == ptx::Opcode::CpAsyncWaitGroup) {
    const auto given = instruction.operands.empty() ? std::nullopt : number_of(instruction.operands[0], 32);
    if (!given) Selection::refuse(instruction, "the number of groups must be a number");
    groups = *given;
  } else {
    selection.emit(Opcode::Ldgdepbar, {});
  }
  selection.emit(Opcode::DepbarLe, {Operand{Operand::Kind::Scoreboard}, number(groups)});
}

}  // namespace heddle::lower
