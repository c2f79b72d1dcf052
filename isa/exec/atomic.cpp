#include "isa/exec/atomic.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "isa/exec/result_nan.h"
#include "isa/exec/wide_value.h"

namespace heddle::exec {

namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

// -- what one lane does ------------------------------------------------------------------------------------

template <typename Word>
U64 add(U64 old, U64 a, U64) {
  return static_cast<Word>(old + a);
}

U64 float_sum(U32 x, U32 y) {
  const float sum = std::bit_cast<float>(x) + std::bit_cast<float>(y);
  return sum != sum ? kFloatNan : std::bit_cast<U32>(sum);
}

U64 add_f32(U64 old, U64 a, U64) { return float_sum(static_cast<U32>(old), static_cast<U32>(a)); }

/// A denormal becomes a zero of its sign.
U32 flushed(U64 bits) { return static_cast<U32>((bits & 0x7f800000U) == 0 ? bits & 0x80000000U : bits); }

U64 add_f32_flushed(U64 old, U64 a, U64) { return flushed(float_sum(flushed(old), flushed(a))); }

U64 add_f64(U64 old, U64 a, U64) {
  const double sum = std::bit_cast<double>(old) + std::bit_cast<double>(a);
  return sum != sum ? kDoubleNan : std::bit_cast<U64>(sum);
}

template <typename Word>
U64 least(U64 old, U64 a, U64) {
  return static_cast<std::make_unsigned_t<Word>>(std::min(static_cast<Word>(old), static_cast<Word>(a)));
}

template <typename Word>
U64 greatest(U64 old, U64 a, U64) {
  return static_cast<std::make_unsigned_t<Word>>(std::max(static_cast<Word>(old), static_cast<Word>(a)));
}

U64 increment(U64 old, U64 a, U64) { return old >= a ? 0 : old + 1; }
U64 decrement(U64 old, U64 a, U64) { return old == 0 || old > a ? a : old - 1; }
U64 bits_and(U64 old, U64 a, U64) { return old & a; }
U64 bits_or(U64 old, U64 a, U64) { return old | a; }
U64 bits_xor(U64 old, U64 a, U64) { return old ^ a; }
U64 exchange(U64, U64 a, U64) { return a; }
U64 count_one(U64 old, U64, U64) { return static_cast<U32>(old + 1); }
/// An mbarrier as ptxas 13.0 makes it for 8.x: the low word is 2^30 less the arrivals that end a phase; of the high one,
/// bit 31 is the phase's parity, and the others count up to 2^31, from as many less as are missing.
U64 arrive(U64 old, U64, U64) {
  constexpr U32 kCount = 0x7fffffff, kOfLowWord = 0x40000000;
  const U32 low = static_cast<U32>(old);
  U32 high = static_cast<U32>(old >> 32) + 1;
  if ((high & kCount) == 0) high |= (low + kOfLowWord) & kCount;
  return U64{high} << 32 | low;
}

U64 compare_and_swap(U64 old, U64 a, U64 b) { return old == a ? b : old; }

// -- which of them -----------------------------------------------------------------------------------------

struct Form {
  ir::Modifier operation;
  ir::Modifier type;
  AtomicFunction function;
};

constexpr Form kForms[] = {
#define ATOMIC_FORM(operation, type, ...) \
  {ir::Modifier::AtomicOperation##operation, ir::Modifier::AtomicType##type, __VA_ARGS__},
#include "isa/ir/atomic_forms.def"
#undef ATOMIC_FORM
};

// -- rows --------------------------------------------------------------------------------------------------

U64 lane_value(const WarpAtomic& atomic, const U32* rows, unsigned lane) {
  return wide_value(rows, atomic.words(), lane, atomic.lanes_per_row);
}

void set_lane_value(const WarpAtomic& atomic, U32* rows, unsigned lane, U64 value) {
  rows[lane] = static_cast<U32>(value);
  if (atomic.bytes == 8) rows[atomic.lanes_per_row + lane] = static_cast<U32>(value >> 32);
}

}  // namespace

AtomicFunction find_atomic(ir::Modifier operation, ir::Modifier type) {
  const Form* form = std::find_if(std::begin(kForms), std::end(kForms), [&](const Form& candidate) {
    return candidate.operation == operation && candidate.type == type;
  });
  return form == std::end(kForms) ? nullptr : form->function;
}

AtomicFunction atomic_function(const ir::Instruction& instruction) {
  if (instruction.opcode == ir::Opcode::AtomsCount) return count_one;
  if (instruction.opcode == ir::Opcode::AtomsArrive) return arrive;
  const ir::Modifiers& modifiers = instruction.modifiers;
  const ir::Modifier operation = modifiers.get(ir::ModifierGroup::AtomicOperation);
  if (operation == ir::Modifier::AtomicOperationNone) return compare_and_swap;
  if (modifiers.has(ir::Modifier::AtomicDenormalsFlushed)) return add_f32_flushed;
  const ir::Modifier type = modifiers.get(ir::ModifierGroup::AtomicType);
  return find_atomic(operation, type);
}

bool apply(const WarpAtomic& atomic, std::byte* host, Addr base) {
  bool has_changed = false;
  for_each_lane(atomic.lanes, [&](unsigned lane) {
    std::byte* place = host + (atomic.addresses[lane] - base);
    U64 old = 0;
    std::memcpy(&old, place, atomic.bytes);
    const U64 a = lane_value(atomic, atomic.a, lane);
    const U64 value = atomic.function(old, a, lane_value(atomic, atomic.b, lane));
    std::memcpy(place, &value, atomic.bytes);
    has_changed |= value != old;
    set_lane_value(atomic, atomic.old, lane, atomic.tells_success ? U64{old == a} : old);
  });
  return has_changed;
}

}  // namespace heddle::exec
