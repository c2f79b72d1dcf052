#include "isa/exec/bulk_reduction.h"

#include "isa/base/narrow_float.h"

namespace heddle::exec {

namespace {

using ir::Modifier;
using U64 = std::uint64_t;

template <typename Format>
double value_of(U64 bits) {
  return Format::value(static_cast<std::uint32_t>(bits & 0xffff));
}

template <typename Format>
U64 narrow_sum(U64 old, U64 a, U64) {
  return Format::from(value_of<Format>(old) + value_of<Format>(a));
}

/// Of a number and a NaN the number; -0 is less than +0.
template <typename Format, bool kGreatest>
U64 narrow_extreme(U64 old, U64 a, U64) {
  const double left = value_of<Format>(old);
  const double right = value_of<Format>(a);
  if (left != left || right != right) return left == left ? old : (right == right ? a : U64{Format::kNan});
  if (left == right) return ((old & Format::kSign) != 0) == kGreatest ? a : old;
  return (left < right) == kGreatest ? a : old;
}

template <typename Format>
AtomicFunction narrow_reduction(Modifier operation) {
  switch (operation) {
    case Modifier::AtomicOperationAdd: return narrow_sum<Format>;
    case Modifier::AtomicOperationMin: return narrow_extreme<Format, false>;
    case Modifier::AtomicOperationMax: return narrow_extreme<Format, true>;
    default: return nullptr;
  }
}

/// Sums and combined bits are the same with a sign and without.
bool has_no_sign(Modifier operation) {
  return operation == Modifier::AtomicOperationAdd || operation == Modifier::AtomicOperationAnd ||
         operation == Modifier::AtomicOperationOr || operation == Modifier::AtomicOperationXor;
}

BulkElement without_sign(BulkElement element) {
  if (element == BulkElement::S32) return BulkElement::U32;
  return element == BulkElement::S64 ? BulkElement::U64 : element;
}

/// The type that atomics call so; none of fewer bytes than 4.
Modifier atomic_type(BulkElement element) {
  switch (element) {
    case BulkElement::S32: return Modifier::AtomicTypeS32;
    case BulkElement::U64: return Modifier::AtomicTypeU64;
    case BulkElement::S64: return Modifier::AtomicTypeS64;
    case BulkElement::F32: return Modifier::AtomicTypeF32;
    case BulkElement::F64: return Modifier::AtomicTypeF64;
    default: return Modifier::AtomicTypeU32;
  }
}

}  // namespace

BulkElement bulk_element(const ir::Instruction& instruction) {
  switch (instruction.modifiers.get(ir::ModifierGroup::BulkType)) {
    case Modifier::BulkTypeS32: return BulkElement::S32;
    case Modifier::BulkTypeU64: return BulkElement::U64;
    case Modifier::BulkTypeS64: return BulkElement::S64;
    case Modifier::BulkTypeF16: return BulkElement::F16;
    case Modifier::BulkTypeBf16: return BulkElement::Bf16;
    case Modifier::BulkTypeF32: return BulkElement::F32;
    case Modifier::BulkTypeF64: return BulkElement::F64;
    default: return BulkElement::U32;
  }
}

AtomicFunction bulk_reduction(Modifier operation, BulkElement element) {
  if (operation == Modifier::AtomicOperationExch) return nullptr;
  if (has_no_sign(operation)) element = without_sign(element);
  switch (element) {
    case BulkElement::F16: return narrow_reduction<Half>(operation);
    case BulkElement::Bf16: return narrow_reduction<Bfloat>(operation);
    case BulkElement::U8:
    case BulkElement::U16: return nullptr;
    default: return find_atomic(operation, atomic_type(element));
  }
}

}  // namespace heddle::exec
