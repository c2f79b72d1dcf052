#include "isa/exec/predicate_instructions.h"

namespace heddle::exec {

void PredicateInstructions::pack(const Decoded& op, Warp& warp, LaneMask executed) {
  const std::uint32_t* others = machine_.source(warp, op.a);
  std::uint32_t result[kMaxWarpSize] = {};
  for_each_lane(executed, [&](unsigned lane) {
    std::uint32_t bits = 0;
    for (unsigned p = 0; p < ir::kPredicateTrue; ++p)
      bits |= static_cast<std::uint32_t>(warp.predicates[op.first_packed + p] >> lane & 1) << p;
    result[lane] = (others[lane] & ~op.immediate) | (bits & op.immediate);
  });
  blend_rows(machine_.out(op, warp), result, executed, 1, machine_.lanes);
}

void PredicateInstructions::unpack(const Decoded& op, Warp& warp, LaneMask executed) const {
  const std::uint32_t* bits = machine_.source(warp, op.a);
  for (unsigned p = 0; p < ir::kPredicateTrue; ++p) {
    if ((op.immediate >> p & 1) == 0) continue;
    LaneMask holds = 0;
    for_each_lane(executed, [&](unsigned lane) { holds |= LaneMask{bits[lane] >> p & 1} << lane; });
    warp.set_predicate(static_cast<std::uint8_t>(op.first_packed + p), holds, executed);
  }
}

}  // namespace heddle::exec
