// How a function of one lane becomes a function of rows. Included once for each vector target.
#if defined(HEDDLE_SEMANTICS_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HEDDLE_SEMANTICS_ROWS_INL_H_
#undef HEDDLE_SEMANTICS_ROWS_INL_H_
#else
#define HEDDLE_SEMANTICS_ROWS_INL_H_
#endif

#include <cstdint>
#include <utility>

#include "hwy/highway.h"
#include "isa/exec/semantics.h"

HWY_BEFORE_NAMESPACE();
namespace heddle::exec {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using U32 = std::uint32_t;
using U64 = std::uint64_t;
using Words = hn::CappedTag<U32, kLaneGroup>;

// Rows may be one another (R1 = R1 + R2) but never overlap otherwise, so no lane depends on another.
#if defined(__clang__)
#define HEDDLE_LANES_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define HEDDLE_LANES_INDEPENDENT _Pragma("GCC ivdep") _Pragma("GCC unroll 1")
#endif

template <U32 (*Function)(U32)>
LaneMask unary(const LaneArgs& args) {
  for (std::size_t group = 0; group < args.lanes; group += kLaneGroup) {
    U32* out = args.out + group;
    const U32* a = args.a + group;
    HEDDLE_LANES_INDEPENDENT
    for (std::size_t i = 0; i < kLaneGroup; ++i) out[i] = Function(a[i]);
  }
  return 0;
}

template <U32 (*Function)(U32, U32)>
LaneMask binary(const LaneArgs& args) {
  for (std::size_t group = 0; group < args.lanes; group += kLaneGroup) {
    U32* out = args.out + group;
    const U32* a = args.a + group;
    const U32* b = args.b + group;
    HEDDLE_LANES_INDEPENDENT
    for (std::size_t i = 0; i < kLaneGroup; ++i) out[i] = Function(a[i], b[i]);
  }
  return 0;
}

template <U32 (*Function)(U32, U32, U32)>
LaneMask ternary(const LaneArgs& args) {
  for (std::size_t group = 0; group < args.lanes; group += kLaneGroup) {
    U32* out = args.out + group;
    const U32* a = args.a + group;
    const U32* b = args.b + group;
    const U32* c = args.c + group;
    HEDDLE_LANES_INDEPENDENT
    for (std::size_t i = 0; i < kLaneGroup; ++i) out[i] = Function(a[i], b[i], c[i]);
  }
  return 0;
}

/// Two words and a 64-bit third operand in, 64 bits out.
template <U64 (*Function)(U32, U32, U64)>
LaneMask widening(const LaneArgs& args) {
  for (std::size_t group = 0; group < args.lanes; group += kLaneGroup) {
    U32* low = args.out + group;
    U32* high = low + args.lanes;
    const U32* a = args.a + group;
    const U32* b = args.b + group;
    const U32* c_low = args.c + group;
    const U32* c_high = c_low + args.lanes;
    HEDDLE_LANES_INDEPENDENT
    for (std::size_t i = 0; i < kLaneGroup; ++i) {
      const U64 result = Function(a[i], b[i], U64{c_high[i]} << 32 | c_low[i]);
      low[i] = static_cast<U32>(result);
      high[i] = static_cast<U32>(result >> 32);
    }
  }
  return 0;
}

// Words and pairs of words, as lane functions take and give them.
template <typename Value>
HWY_INLINE Value lane_value(const U32* rows, std::size_t lane, std::size_t lanes) {
  if constexpr (sizeof(Value) == sizeof(U64)) {
    return U64{rows[lanes + lane]} << 32 | rows[lane];
  } else {
    return rows[lane];
  }
}

HWY_INLINE void set_lane(U32* rows, std::size_t lane, std::size_t, U32 value) { rows[lane] = value; }
HWY_INLINE void set_lane(U32* rows, std::size_t lane, std::size_t lanes, U64 value) {
  rows[lane] = static_cast<U32>(value);
  rows[lanes + lane] = static_cast<U32>(value >> 32);
}

/// Any function of one to three words or pairs, from its type.
template <auto kFunction, typename Type = decltype(kFunction)>
struct EachLane;

template <auto kFunction, typename Result, typename... Sources>
struct EachLane<kFunction, Result (*)(Sources...)> {
  static LaneMask run(const LaneArgs& args) {
    const std::size_t lanes = args.lanes;
    const U32* rows[] = {args.a, args.b, args.c};
    for (std::size_t group = 0; group < lanes; group += kLaneGroup) {
      HEDDLE_LANES_INDEPENDENT
      for (std::size_t i = group; i < group + kLaneGroup; ++i) {
        set_lane(args.out, i, lanes, compute(rows, i, lanes, std::index_sequence_for<Sources...>()));
      }
    }
    return 0;
  }

 private:
  template <std::size_t... kSource>
  static HWY_INLINE Result compute(const U32* const* rows, std::size_t i, std::size_t lanes,
                                   std::index_sequence<kSource...>) {
    return kFunction(lane_value<Sources>(rows[kSource], i, lanes)...);
  }
};

template <auto kFunction>
LaneMask each_lane(const LaneArgs& args) {
  return EachLane<kFunction>::run(args);
}

/// The first function where the predicate holds, else the second.
template <U32 (*First)(U32, U32), U32 (*Second)(U32, U32)>
LaneMask one_of_two(const LaneArgs& args) {
  for (std::size_t i = 0; i < args.lanes; ++i) {
    const bool first = (args.predicate >> i & 1) != 0;
    args.out[i] = first ? First(args.a[i], args.b[i]) : Second(args.a[i], args.b[i]);
  }
  return 0;
}

/// The same function of two, twice.
template <U32 (*First)(U32, U32), U32 (*Second)(U32, U32)>
LaneMask one_of_three(const LaneArgs& args) {
  for (std::size_t i = 0; i < args.lanes; ++i) {
    const bool first = (args.predicate >> i & 1) != 0;
    args.out[i] = first ? First(First(args.a[i], args.b[i]), args.c[i])
                        : Second(Second(args.a[i], args.b[i]), args.c[i]);
  }
  return 0;
}

/// FSETP and its kin. Comparisons that hold for NaN are the opposites of the opposite ordered ones:
/// Comparison::function<Relation, is opposite>().
template <typename Relations, typename Comparison>
LaneFunction select_comparison(ir::Modifier compare) {
  using R = Relations;
  switch (compare) {
    case ir::Modifier::CompareLt:
      return Comparison::template function<typename R::IsLess, false>();
    case ir::Modifier::CompareEq:
      return Comparison::template function<typename R::IsEqual, false>();
    case ir::Modifier::CompareLe:
      return Comparison::template function<typename R::IsLessOrEqual, false>();
    case ir::Modifier::CompareGt:
      return Comparison::template function<typename R::IsGreater, false>();
    case ir::Modifier::CompareNe:
      return Comparison::template function<typename R::IsLessOrGreater, false>();
    case ir::Modifier::CompareGe:
      return Comparison::template function<typename R::IsGreaterOrEqual, false>();
    case ir::Modifier::CompareLtu:
      return Comparison::template function<typename R::IsGreaterOrEqual, true>();
    case ir::Modifier::CompareEqu:
      return Comparison::template function<typename R::IsLessOrGreater, true>();
    case ir::Modifier::CompareLeu:
      return Comparison::template function<typename R::IsGreater, true>();
    case ir::Modifier::CompareGtu:
      return Comparison::template function<typename R::IsLessOrEqual, true>();
    case ir::Modifier::CompareNeu:
      return Comparison::template function<typename R::IsEqual, true>();
    case ir::Modifier::CompareGeu:
      return Comparison::template function<typename R::IsLess, true>();
    case ir::Modifier::CompareNum:
      return Comparison::template function<typename R::IsOrdered, false>();
    case ir::Modifier::CompareNan:
      return Comparison::template function<typename R::IsOrdered, true>();
    default:
      return nullptr;
  }
}

// Comparisons of vectors, as compare_rows takes them.

/// LT
struct Less {
  template <typename V>
  HWY_INLINE auto operator()(V a, V b) const { return hn::Lt(a, b); }
};
/// EQ
struct Equal {
  template <typename V>
  HWY_INLINE auto operator()(V a, V b) const { return hn::Eq(a, b); }
};
/// LE
struct LessOrEqual {
  template <typename V>
  HWY_INLINE auto operator()(V a, V b) const { return hn::Le(a, b); }
};
/// GT
struct Greater {
  template <typename V>
  HWY_INLINE auto operator()(V a, V b) const { return hn::Gt(a, b); }
};
/// GE
struct GreaterOrEqual {
  template <typename V>
  HWY_INLINE auto operator()(V a, V b) const { return hn::Ge(a, b); }
};

/// The lanes for which a comparison holds.
template <typename Word, typename Comparison>
LaneMask compare_rows(const LaneArgs& args) {
  const hn::CappedTag<Word, kLaneGroup> tag;
  const auto step = static_cast<unsigned>(hn::Lanes(tag));
  const auto* a = reinterpret_cast<const Word*>(args.a);
  const auto* b = reinterpret_cast<const Word*>(args.b);
  LaneMask result = 0;
  for (unsigned i = 0; i < args.lanes; i += step) {
    U64 bits = 0;
    hn::StoreMaskBits(tag, Comparison()(hn::LoadU(tag, a + i), hn::LoadU(tag, b + i)),
                      reinterpret_cast<std::uint8_t*>(&bits));
    result |= (bits & first_lanes(step)) << i;
  }
  return result;
}

/// The lanes for which a comparison does not hold.
template <typename Word, typename Comparison>
LaneMask opposite_of(const LaneArgs& args) {
  return first_lanes(args.lanes) & ~compare_rows<Word, Comparison>(args);
}

/// out = mask ? a : b, lane by lane.
HWY_INLINE void choose(U32* out, const U32* a, const U32* b, LaneMask mask, unsigned lanes) {
  const Words tag;
  for (unsigned i = 0; i < lanes; i += static_cast<unsigned>(hn::Lanes(tag))) {
    const U64 bits = mask >> i;
    const auto chosen = hn::LoadMaskBits(tag, reinterpret_cast<const std::uint8_t*>(&bits));
    hn::StoreU(hn::IfThenElse(chosen, hn::LoadU(tag, a + i), hn::LoadU(tag, b + i)), tag, out + i);
  }
}

/// SEL and FSEL: a where the predicate holds, else b.
inline LaneMask pick(const LaneArgs& args) {
  choose(args.out, args.a, args.b, args.predicate, args.lanes);
  return 0;
}

/// The function that computes a row of opcodes.def whose action is Lanes. One specialisation each: a row
/// without one does not compile.
template <ir::Opcode>
LaneFunction select(const ir::Instruction& instruction) = delete;

}  // namespace HWY_NAMESPACE
}  // namespace heddle::exec
HWY_AFTER_NAMESPACE();

#endif  // HEDDLE_SEMANTICS_ROWS_INL_H_
