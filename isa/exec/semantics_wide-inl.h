// Integers of 64 bits, as one lane does them: what compilers have from compute capability 12.0 on.
#if defined(HEDDLE_SEMANTICS_WIDE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_SEMANTICS_WIDE_INL_H_
#undef HEDDLE_SEMANTICS_WIDE_INL_H_
#else
#define HEDDLE_SEMANTICS_WIDE_INL_H_
#endif

#include <algorithm>
#include <functional>

#include "isa/exec/semantics_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec {
namespace HWY_NAMESPACE {

HWY_INLINE U64 mov_wide(U64 a) { return a; }
HWY_INLINE U64 iadd_wide(U64 a, U64 b) { return a + b; }
HWY_INLINE U64 iadd3_wide(U64 a, U64 b, U64 c) { return a + b + c; }

/// The operands come with their signs applied, modulo 2^64. Minus zero is 2^64, as in sums of words.
template <bool kNegatedA, bool kNegatedB>
LaneMask iadd_wide_carry(const LaneArgs& args) {
  LaneMask carries = 0;
  for (std::size_t i = 0; i < args.lanes; ++i) {
    const auto a = lane_value<U64>(args.a, i, args.lanes);
    const auto b = lane_value<U64>(args.b, i, args.lanes);
    const bool carry = a + b < a || (kNegatedA && a == 0) || (kNegatedB && b == 0);
    set_lane(args.out, i, args.lanes, a + b);
    carries |= LaneMask{carry} << i;
  }
  return carries;
}

inline LaneMask iadd_wide_extended(const LaneArgs& args) {
  LaneMask carries = 0;
  for (std::size_t i = 0; i < args.lanes; ++i) {
    const auto a = lane_value<U64>(args.a, i, args.lanes);
    const U64 sum = a + lane_value<U64>(args.b, i, args.lanes);
    const U64 result = sum + (args.predicate >> i & 1);
    set_lane(args.out, i, args.lanes, result);
    carries |= LaneMask{sum < a || result < sum} << i;
  }
  return carries;
}

/// The lesser where the predicate holds, else the greater.
template <typename Integer>
LaneMask imnmx_wide(const LaneArgs& args) {
  for (std::size_t i = 0; i < args.lanes; ++i) {
    const auto a = static_cast<Integer>(lane_value<U64>(args.a, i, args.lanes));
    const auto b = static_cast<Integer>(lane_value<U64>(args.b, i, args.lanes));
    const bool lesser = (args.predicate >> i & 1) != 0;
    set_lane(args.out, i, args.lanes, static_cast<U64>(lesser ? std::min(a, b) : std::max(a, b)));
  }
  return 0;
}

/// a where the predicate holds, else b.
inline LaneMask pick_wide(const LaneArgs& args) {
  for (unsigned row = 0; row < 2; ++row) {
    const unsigned first = row * args.lanes;
    choose(args.out + first, args.a + first, args.b + first, args.predicate, args.lanes);
  }
  return 0;
}

template <typename Integer, typename Relation>
LaneMask compare_wide(const LaneArgs& args) {
  LaneMask result = 0;
  for (std::size_t i = 0; i < args.lanes; ++i) {
    const auto a = static_cast<Integer>(lane_value<U64>(args.a, i, args.lanes));
    const auto b = static_cast<Integer>(lane_value<U64>(args.b, i, args.lanes));
    result |= LaneMask{Relation()(a, b)} << i;
  }
  return result;
}

template <typename Integer>
LaneFunction select_wide_compare(ir::Modifier compare) {
  switch (compare) {
    case ir::Modifier::CompareLt:
      return compare_wide<Integer, std::less<>>;
    case ir::Modifier::CompareEq:
      return compare_wide<Integer, std::equal_to<>>;
    case ir::Modifier::CompareLe:
      return compare_wide<Integer, std::less_equal<>>;
    case ir::Modifier::CompareGt:
      return compare_wide<Integer, std::greater<>>;
    case ir::Modifier::CompareNe:
      return compare_wide<Integer, std::not_equal_to<>>;
    case ir::Modifier::CompareGe:
      return compare_wide<Integer, std::greater_equal<>>;
    default:
      return nullptr;
  }
}

template <>
inline LaneFunction select<ir::Opcode::Mov64>(const ir::Instruction&) {
  return each_lane<mov_wide>;
}

template <>
inline LaneFunction select<ir::Opcode::Iadd64>(const ir::Instruction& instruction) {
  const auto& operands = instruction.operands;  // result, carry, two sources
  if (ir::is_true_predicate(operands[1].index)) return each_lane<iadd_wide>;
  if (operands[2].negated)
    return operands[3].negated ? iadd_wide_carry<true, true> : iadd_wide_carry<true, false>;
  return operands[3].negated ? iadd_wide_carry<false, true> : iadd_wide_carry<false, false>;
}

template <>
inline LaneFunction select<ir::Opcode::Iadd64X>(const ir::Instruction&) {
  return iadd_wide_extended;
}

template <>
inline LaneFunction select<ir::Opcode::Sel64>(const ir::Instruction&) {
  return pick_wide;
}

template <>
inline LaneFunction select<ir::Opcode::ImnmxS64>(const ir::Instruction&) {
  return imnmx_wide<std::int64_t>;
}

template <>
inline LaneFunction select<ir::Opcode::ImnmxU64>(const ir::Instruction&) {
  return imnmx_wide<std::uint64_t>;
}

template <>
inline LaneFunction select<ir::Opcode::Uiadd364>(const ir::Instruction&) {
  return each_lane<iadd3_wide>;
}

}  // namespace HWY_NAMESPACE
}  // namespace heddle::exec
HWY_AFTER_NAMESPACE();

#endif  // HEDDLE_SEMANTICS_WIDE_INL_H_
