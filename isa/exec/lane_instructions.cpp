#include "isa/exec/lane_instructions.h"

#include <algorithm>

#include "isa/exec/narrow_data.h"
#include "isa/exec/wide_value.h"

namespace heddle::exec {

// Where the lanes that write are all that are left in the warp, nobody can see what the dead ones hold.
void LaneInstructions::run(const Decoded& op, Warp& warp, LaneMask executed) {
  if (!op.is_plain) return run_any(op, warp, executed, executed == warp.paths.live());
  run_plain(op, warp, partial_result_.data());
  blend_rows(warp.registers.get() + op.out_offset, partial_result_.data(), executed, op.out_rows,
             machine_.lanes);
}

void LaneInstructions::run_any(const Decoded& op, Warp& warp, LaneMask executed, bool whole) {
  LaneArgs args;
  args.out = whole ? machine_.out(op, warp) : partial_result_.data();
  args.a = machine_.source(warp, op.a);
  args.b = machine_.source(warp, op.b);
  args.c = machine_.source(warp, op.c);
  if (op.has_modified_source) {
    args.a = modified_source(op, warp, op.a, machine_.sources[0].data());
    args.b = modified_source(op, warp, op.b, machine_.sources[1].data());
    args.c = modified_source(op, warp, op.c, machine_.sources[2].data());
  }
  args.predicate = warp.predicate(op.predicates[0].index, op.predicates[0].negated);
  for (unsigned i = 1; i < op.predicate_sources; ++i) {
    args.more_predicates[i - 1] = warp.predicate(op.predicates[i].index, op.predicates[i].negated);
  }
  LaneMask second = 0;
  args.second = &second;
  args.immediate = op.immediate;
  args.lanes = machine_.lanes;
  const LaneMask holds = op.function(args);
  if (op.writes_predicates) write_predicates(op, warp, args, holds, executed);
  if (!whole && op.out_rows != 0) {
    blend_rows(machine_.out(op, warp), args.out, executed, op.out_rows, machine_.lanes);
  }
}

/// The operand with its sign handled, in `out` if it has one to handle.
const std::uint32_t* LaneInstructions::modified_source(const Decoded& op, const Warp& warp,
                                                       const SourceRows& rows, std::uint32_t* out) const {
  const std::uint32_t* plain = machine_.source(warp, rows);
  if (!rows.is_modified()) return plain;
  const unsigned lanes = machine_.lanes;
  const unsigned words = rows.rows * lanes;
  // Numbers of several words have their sign in the last one; what is inverted, in each.
  const unsigned first_signed = op.sign_bits == ~0U ? 0 : op.sign_bits == 0 ? words : words - lanes;
  const std::uint32_t keep = rows.absolute ? ~op.sign_bits : ~0U;
  const std::uint32_t flip = rows.negated ? op.sign_bits : 0;
  std::copy_n(plain, first_signed, out);
  mask_and_flip(out + first_signed, plain + first_signed, keep, flip, words - first_signed);
  if (words - first_signed == lanes && rows.rows == 2) restore_nans(out, plain, lanes);
  if (op.sign_bits == 0 && rows.negated) negate(out, rows.rows, lanes);
  if (rows.part != ir::RegisterPart::All) {
    for (unsigned i = 0; i < lanes; ++i) out[i] = part_of(out[i], rows.part);
  }
  return out;
}

void LaneInstructions::write_predicates(const Decoded& op, Warp& warp, const LaneArgs& args, LaneMask holds,
                                        LaneMask executed) {
  const auto combine = [&](LaneMask mask) {
    switch (op.combine) {
      case ir::Modifier::BoolAnd: return mask & args.predicate;
      case ir::Modifier::BoolOr: return mask | args.predicate;
      case ir::Modifier::BoolXor: return mask ^ args.predicate;
      default: return mask;
    }
  };
  // A comparison's second result is the opposite of its first; others compute theirs.
  const bool is_comparison = op.combine != ir::Modifier::BoolNone;
  const bool has_opposite = is_comparison && !op.has_second_result;
  const LaneMask results[2] = {combine(holds), combine(has_opposite ? ~holds : *args.second)};
  for (unsigned i = 0; i < 2; ++i) {
    warp.set_predicate(op.out_predicate[i], results[i], executed);
  }
}

}  // namespace heddle::exec
