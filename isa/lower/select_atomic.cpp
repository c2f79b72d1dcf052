// atom and red.
#include "isa/lower/addresses.h"
#include "isa/lower/atomic_loops.h"
#include "isa/lower/fences.h"
#include "isa/lower/kinds.h"
#include "isa/lower/select.h"
#include "isa/lower/wide_sums.h"

namespace heddle::lower {

namespace {

using ir::Modifier;
using ir::Opcode;
using PtxModifier = ptx::Modifier;
using PtxKind = ptx::Operand::Kind;

struct Operation {
  PtxModifier word;
  Modifier operation;
};

constexpr Operation kOperations[] = {
    {PtxModifier::Add, Modifier::AtomicOperationAdd},   {PtxModifier::Min, Modifier::AtomicOperationMin},
    {PtxModifier::Max, Modifier::AtomicOperationMax},   {PtxModifier::Inc, Modifier::AtomicOperationInc},
    {PtxModifier::Dec, Modifier::AtomicOperationDec},   {PtxModifier::And, Modifier::AtomicOperationAnd},
    {PtxModifier::Or, Modifier::AtomicOperationOr},     {PtxModifier::Xor, Modifier::AtomicOperationXor},
    {PtxModifier::Exch, Modifier::AtomicOperationExch},
};

/// What an instruction does to one cell.
struct Atomic {
  const ptx::Instruction& instruction;
  ptx::StateSpace space = ptx::StateSpace::Global;
  Operand address{};
  PtxModifier type{};
  Modifier operation = Modifier::AtomicOperationNone;  ///< None: cas.
  Modifier scope = Modifier::ScopeGpu;
  const ptx::Operand* result = nullptr;  ///< Null if nobody reads it.
  const ptx::Operand* a = nullptr;
  const ptx::Operand* b = nullptr;  ///< The new value of cas.

  [[nodiscard]] bool is_shared() const { return space == ptx::StateSpace::Shared; }
  [[nodiscard]] unsigned bits() const { return bits_of(type); }
  [[nodiscard]] bool is_wide() const { return bits() == 64; }
  [[nodiscard]] bool is_cas() const { return operation == Modifier::AtomicOperationNone; }
};

Modifier operation_of(const ptx::Instruction& instruction) {
  if (instruction.has(PtxModifier::Cas)) return Modifier::AtomicOperationNone;
  for (const Operation& row : kOperations) {
    if (instruction.has(row.word)) return row.operation;
  }
  Selection::refuse(instruction, "it has no operation");
}

Modifier scope_of(const ptx::Instruction& instruction) {
  if (instruction.has(PtxModifier::Sys)) return Modifier::ScopeSys;
  return instruction.has(PtxModifier::Cta) ? Modifier::ScopeCta : Modifier::ScopeGpu;
}

/// The type as instructions have it. Sums are the same with a sign and without.
Modifier atomic_type(const Atomic& atomic) {
  const bool is_ordered =
      atomic.operation == Modifier::AtomicOperationMin || atomic.operation == Modifier::AtomicOperationMax;
  switch (atomic.type) {
    case PtxModifier::F32:
      return Modifier::AtomicTypeF32;
    case PtxModifier::F64:
      return Modifier::AtomicTypeF64;
    case PtxModifier::S32:
      return is_ordered ? Modifier::AtomicTypeS32 : Modifier::AtomicTypeU32;
    case PtxModifier::S64:
      return is_ordered ? Modifier::AtomicTypeS64 : Modifier::AtomicTypeU64;
    default:
      return atomic.is_wide() ? Modifier::AtomicTypeU64 : Modifier::AtomicTypeU32;
  }
}

bool is_half_pair(PtxModifier type) { return type == PtxModifier::F16x2 || type == PtxModifier::Bf16x2; }

/// Throws Refused where PTX or the IR has no such operation.
void check(const Atomic& atomic) {
  const bool adds = atomic.operation == Modifier::AtomicOperationAdd;
  const bool swaps = atomic.is_cas() || atomic.operation == Modifier::AtomicOperationExch;
  const bool is_right = is_float(atomic.type) ? adds
                        : atomic.bits() == 16 ? atomic.is_cas()
                                              : atomic.bits() == 32 || atomic.bits() == 64;
  if (!is_right && !(swaps && is_float(atomic.type) && atomic.bits() >= 32))
    Selection::refuse(atomic.instruction);
  const bool counts =
      atomic.operation == Modifier::AtomicOperationInc || atomic.operation == Modifier::AtomicOperationDec;
  if (counts && atomic.bits() != 32) Selection::refuse(atomic.instruction);
}

Operand value_in_register(Selection& selection, const Atomic& atomic, const ptx::Operand& operand) {
  if (atomic.is_wide()) return selection.builder.in_pair(selection.words(operand));
  if (const auto bits = number_of(operand, atomic.bits()))
    return selection.builder.in_register(number(*bits));
  return selection.builder.in_register(selection.source(operand));
}

Operand result_of(Selection& selection, const Atomic& atomic) {
  if (atomic.result == nullptr) return zero();
  return atomic.is_wide() ? selection.wide_result(*atomic.result) : selection.result(*atomic.result);
}

void write_result(Selection& selection, const Atomic& atomic, const Operand& old) {
  const Operand to = result_of(selection, atomic);
  if (is_zero(to)) return;
  selection.builder.move(to.index, old);
  if (atomic.is_wide()) selection.builder.move(to.index + 1, reg(old.index + 1));
}

Words words_of(const Operand& first) {
  return {first, first.index == ir::kRegisterZero ? zero() : reg(first.index + 1)};
}

Operand bitwise(Selection& selection, const Operand& old, const Operand& value, std::uint64_t table) {
  const Operand made = reg(selection.builder.fresh(2));
  const Words a = words_of(old);
  const Words b = words_of(value);
  const auto emit = [&](const Operand& to, const Operand& x, const Operand& y) {
    selection.emit(Opcode::Lop3, {always(), to, x, y, zero(), number(table), never()}, {Modifier::LutLut});
  };
  emit(made, a.low, b.low);
  emit(reg(made.index + 1), a.high, b.high);
  return made;
}

Operand chosen(Selection& selection, const Operand& old, const Operand& value, bool is_signed,
               Modifier comparison) {
  const Words a = words_of(old);
  const Words b = words_of(value);
  const Operand keeps = compare_words(selection.builder, a, b, comparison,
                                      is_signed ? Modifier::IntTypeS32 : Modifier::IntTypeU32);
  const Operand made = reg(selection.builder.fresh(2));
  selection.emit(Opcode::Sel, {made, a.low, b.low, keeps});
  selection.emit(Opcode::Sel, {reg(made.index + 1), a.high, b.high, keeps});
  return made;
}

/// The new value of 64 bits, of those that shared memory has no instruction for.
Operand wide_update(Selection& selection, const Atomic& atomic, const Operand& old, const Operand& value) {
  switch (atomic.operation) {
    case Modifier::AtomicOperationAnd:
      return bitwise(selection, old, value, 0xc0);
    case Modifier::AtomicOperationOr:
      return bitwise(selection, old, value, 0xfc);
    case Modifier::AtomicOperationXor:
      return bitwise(selection, old, value, 0x3c);
    case Modifier::AtomicOperationMin:
      return chosen(selection, old, value, is_signed(atomic.type), Modifier::CompareLt);
    case Modifier::AtomicOperationMax:
      return chosen(selection, old, value, is_signed(atomic.type), Modifier::CompareGt);
    default:
      break;
  }
  const Operand sum = reg(selection.builder.fresh(2));
  if (is_float(atomic.type)) {
    selection.emit(Opcode::Dadd, {sum, old, value});
  } else {
    add_words(selection.builder, words_of(sum), words_of(old), words_of(value));
  }
  return sum;
}

Operand half_sum(Selection& selection, const Atomic& atomic, const Operand& a, const Operand& b) {
  const bool is_bfloat = atomic.type == PtxModifier::Bf16 || atomic.type == PtxModifier::Bf16x2;
  const Operand sum = reg(selection.builder.fresh());
  selection.emit(is_bfloat ? Opcode::Hadd2Bf16 : Opcode::Hadd2, {sum, a, b});
  return sum;
}

void loop(Selection& selection, const Atomic& atomic) {
  const Operand value = value_in_register(selection, atomic, *atomic.a);
  const Cell cell{atomic.address, atomic.is_shared(), atomic.is_wide(), atomic.scope};
  const Operand old = emit_update_loop(selection, cell, [&](const Operand& before) {
    if (is_half_pair(atomic.type)) return half_sum(selection, atomic, before, value);
    if (atomic.is_wide()) return wide_update(selection, atomic, before, value);
    const Operand sum = reg(selection.builder.fresh());
    selection.emit(Opcode::Fadd, {sum, before, value});
    return sum;
  });
  write_result(selection, atomic, old);
}

/// Emits an atomic on 16 bits: a loop that updates the word around them.
void half_loop(Selection& selection, const Atomic& atomic) {
  const Operand value = value_in_register(selection, atomic, *atomic.a);
  const Operand replacement = atomic.is_cas() ? value_in_register(selection, atomic, *atomic.b) : zero();
  const HalfCell half = half_cell(selection, atomic.address, atomic.is_shared());
  const Cell cell{half.word, atomic.is_shared(), false, atomic.scope};
  selection.builder.in_register(number(0xffff));  // in front of the loop
  const Operand old = emit_update_loop(selection, cell, [&](const Operand& before) {
    const Operand part = extract_half(selection, before, half);
    if (!atomic.is_cas())
      return insert_half(selection, before, half_sum(selection, atomic, part, value), half);
    const Operand differing = reg(selection.builder.fresh());
    selection.emit(Opcode::Lop3, {always(), differing, part, value, number(0xffff), number(0x28), never()},
                   {Modifier::LutLut});  // (a ^ b) & c
    const Operand is_it = pred(selection.builder.fresh_predicate());
    selection.emit(Opcode::Isetp, {is_it, always(), differing, zero(), always(), never()},
                   {Modifier::CompareEq, Modifier::IntTypeU32, Modifier::BoolAnd});
    const Operand after = reg(selection.builder.fresh());
    selection.emit(Opcode::Sel, {after, insert_half(selection, before, replacement, half), before, is_it});
    return after;
  });
  if (atomic.result != nullptr) write_result(selection, atomic, extract_half(selection, old, half));
}

void emit_shared(Selection& selection, const Atomic& atomic) {
  const Operand to = result_of(selection, atomic);
  const Operand a = value_in_register(selection, atomic, *atomic.a);
  if (atomic.is_cas()) {
    selection.emit(Opcode::AtomsCas, {to, atomic.address, a, value_in_register(selection, atomic, *atomic.b)},
                   {atomic_type(atomic)});
  } else {
    selection.emit(Opcode::Atoms, {to, atomic.address, a}, {atomic.operation, atomic_type(atomic)});
  }
}

/// All lanes of an address at once, for which there is an instruction of its own.
bool counts_one(Selection& selection, const Atomic& atomic) {
  if (atomic.operation != Modifier::AtomicOperationAdd || !atomic.is_shared() || atomic.bits() != 32)
    return false;
  const Operand value = selection.source(*atomic.a);
  return !is_float(atomic.type) && is_number(value) && value.value == 1;
}

void emit_global(Selection& selection, const Atomic& atomic) {
  const Modifier type = atomic_type(atomic);
  const Operand a = value_in_register(selection, atomic, *atomic.a);
  const Operand to = result_of(selection, atomic);
  if (atomic.is_cas()) {
    selection.emit(Opcode::AtomgCas,
                   {always(), to, atomic.address, a, value_in_register(selection, atomic, *atomic.b)},
                   {type, Modifier::StrengthStrong, atomic.scope});
    return;
  }
  // PTX: sums of floats in global memory flush denormals.
  const Modifier denormals =
      type == Modifier::AtomicTypeF32 ? Modifier::AtomicDenormalsFlushed : Modifier::AtomicDenormalsKept;
  const bool has_no_result = atomic.result == nullptr && atomic.operation != Modifier::AtomicOperationExch;
  if (has_no_result) {
    selection.emit(
        selection.target.compute_capability >= 90 ? Opcode::Redg : Opcode::Red, {atomic.address, a},
        {Modifier::ExtendedE, atomic.operation, type, denormals, Modifier::StrengthStrong, atomic.scope});
    return;
  }
  selection.emit(
      Opcode::Atomg, {always(), to, atomic.address, a},
      {Modifier::ExtendedE, atomic.operation, type, denormals, Modifier::StrengthStrong, atomic.scope});
}

void emit_one(Selection& selection, const Atomic& atomic) {
  if (atomic.bits() == 16) return half_loop(selection, atomic);
  if (is_half_pair(atomic.type)) return loop(selection, atomic);
  if (!atomic.is_shared()) return emit_global(selection, atomic);
  const bool is_simple = atomic.is_cas() || atomic.operation == Modifier::AtomicOperationExch;
  if (!is_simple && (is_float(atomic.type) || atomic.is_wide())) return loop(selection, atomic);
  if (counts_one(selection, atomic)) {
    selection.emit(Opcode::AtomsCount, {result_of(selection, atomic), atomic.address});
  } else {
    emit_shared(selection, atomic);
  }
}

/// Null for what nobody reads.
const ptx::Operand* read_result(const Selection& selection, const ptx::Operand& operand) {
  if (operand.kind == PtxKind::Register && selection.values[operand.reg].uses == 0) return nullptr;
  return operand.kind == PtxKind::Sink ? nullptr : &operand;
}

/// Emits an atomic on a vector, element by element.
void emit_each(Selection& selection, Atomic atomic, const ptx::Operand* result, const ptx::Operand& value) {
  const auto part = [](const ptx::Operand& whole, std::size_t i) {
    return whole.kind == PtxKind::Vector ? &whole.elements.at(i) : &whole;
  };
  const std::size_t count = value.kind == PtxKind::Vector ? value.elements.size() : 1;
  if (result != nullptr && result->kind == PtxKind::Vector && result->elements.size() != count)
    Selection::refuse(atomic.instruction, "the vectors have different lengths");
  for (std::size_t i = 0; i < count; ++i) {
    atomic.a = part(value, i);
    atomic.result = result == nullptr ? nullptr : read_result(selection, *part(*result, i));
    emit_one(selection, atomic);
    atomic.address.value += atomic.bits() / 8;
  }
}

/// The operands behind the result: address, a, and b of cas. A cache policy says nothing about results.
std::size_t operand_count(const ptx::Instruction& instruction, bool has_result) {
  std::size_t count = has_result ? 3 : 2;
  if (instruction.has(PtxModifier::Cas)) ++count;
  if (instruction.has(PtxModifier::L2CacheHint)) ++count;
  return count;
}

}  // namespace

void select_atom(Selection& selection, const ptx::Instruction& instruction) {
  const bool has_result = instruction.opcode == ptx::Opcode::Atom;
  const auto& operands = instruction.operands;
  if (operands.size() != operand_count(instruction, has_result))
    Selection::refuse(instruction, "another number of operands is expected");
  const ptx::Operand& where = operands[has_result ? 1 : 0];
  const ptx::Operand* const value = &where + 1;
  Atomic atomic{instruction};
  atomic.type = instruction.type();
  atomic.operation = operation_of(instruction);
  atomic.scope = scope_of(instruction);
  if (atomic.is_cas()) atomic.b = value + 1;
  check(atomic);
  const FenceScope fence = fence_scope(instruction, FenceScope::Gpu);
  const bool is_both = instruction.has(PtxModifier::AcqRel);
  if (is_both || instruction.has(PtxModifier::Release)) emit_fence(selection, fence, false);
  for_each_space(selection, instruction, where, [&](ptx::StateSpace space) {
    if (space == ptx::StateSpace::Const || space == ptx::StateSpace::Param ||
        instruction.has(PtxModifier::Local))
      Selection::refuse(instruction, "atomics update global and shared memory");
    // A generic address of local memory is one at which global memory has nothing: a fault where it is used.
    atomic.space = space == ptx::StateSpace::Shared ? space : ptx::StateSpace::Global;
    atomic.address = address_of(selection, where, atomic.space);
    emit_each(selection, atomic, has_result ? &operands[0] : nullptr, *value);
  });
  if (is_both || instruction.has(PtxModifier::Acquire)) emit_acquire(selection, fence);
}

}  // namespace heddle::lower
