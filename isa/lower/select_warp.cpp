// Instructions in which the lanes of a warp see one another: shuffles, votes, matches, reductions.
//
// The IR's instructions work on the lanes that execute them. PTX's name the lanes that take part, and wait
// for them; lanes of one warp may name different masks.
#include "isa/lower/kinds.h"
#include "isa/lower/order_marks.h"
#include "isa/lower/select.h"
#include "isa/lower/special_values.h"
#include "isa/lower/warp_masks.h"

namespace heddle::lower {

namespace {

using ir::Modifier;
using PtxModifier = ptx::Modifier;
using PtxKind = ptx::Operand::Kind;

constexpr std::uint64_t kAndTable = 0xc0;  // a & b

/// The last operand of a .sync form. Throws Refused where there are not so many operands.
void require_operands(const ptx::Instruction& instruction, std::size_t count) {
  if (instruction.operands.size() != count)
    Selection::refuse(instruction, "another number of operands is expected");
}

/// d, or d|p.
struct Destination {
  Operand value = zero();
  Operand predicate = always();
};

Destination destination_of(Selection& selection, const ptx::Operand& operand) {
  if (operand.kind != PtxKind::Pair) return {selection.result(operand), always()};
  return {selection.result(operand.elements[0]), selection.predicate_result(operand.elements[1])};
}

Modifier shuffle_mode(const ptx::Instruction& instruction) {
  if (instruction.has(PtxModifier::Up)) return Modifier::ShuffleModeUp;
  if (instruction.has(PtxModifier::Down)) return Modifier::ShuffleModeDown;
  if (instruction.has(PtxModifier::Bfly)) return Modifier::ShuffleModeBfly;
  if (instruction.has(PtxModifier::Idx)) return Modifier::ShuffleModeIdx;
  Selection::refuse(instruction, "it has no mode");
}

void emit_and(Selection& selection, const Operand& to, const Operand& a, const Operand& b,
              std::uint64_t table) {
  selection.emit(ir::Opcode::Lop3,
                 {always(), to, selection.builder.in_register(a), b, zero(), number(table), never()},
                 {Modifier::LutLut});
}

/// The lanes of the mask in which the predicate holds.
Operand ballot_of(Selection& selection, const Operand& predicate, const ptx::Operand& mask) {
  const Operand lanes = reg(selection.builder.fresh());
  selection.emit(ir::Opcode::Vote, {lanes, always(), predicate}, {Modifier::VoteModeAny});
  const Operand members = reg(selection.builder.fresh());
  emit_and(selection, members, lanes, selection.source(mask), kAndTable);
  return members;
}

/// Whether a compares so to b, and what `with` says.
void emit_compare(Selection& selection, const Operand& to, const Operand& a, const Operand& b, Modifier how,
                  const Operand& with, Modifier combined = Modifier::BoolAnd) {
  selection.emit(ir::Opcode::Isetp, {to, always(), selection.builder.in_register(a), b, with, never()},
                 {how, Modifier::IntTypeU32, combined});
}

struct Vote {
  Operand to;
  Operand predicate;
  const ptx::Operand& mask;
};

/// The lanes of one warp may be of several groups.
void vote_in_groups(Selection& selection, const ptx::Instruction& instruction, const Vote& vote) {
  if (instruction.has(PtxModifier::Ballot)) {
    const Operand lanes = ballot_of(selection, vote.predicate, vote.mask);
    selection.builder.move(vote.to.index, lanes);
    return;
  }
  if (instruction.has(PtxModifier::Any)) {
    emit_compare(selection, vote.to, ballot_of(selection, vote.predicate, vote.mask), zero(),
                 Modifier::CompareNe, always());
    return;
  }
  const Operand fails = ballot_of(selection, pred(vote.predicate.index, !vote.predicate.negated), vote.mask);
  if (instruction.has(PtxModifier::All)) {
    emit_compare(selection, vote.to, fails, zero(), Modifier::CompareEq, always());
    return;
  }
  const Operand holds = ballot_of(selection, vote.predicate, vote.mask);
  const Operand none = pred(selection.builder.fresh_predicate());
  emit_compare(selection, none, holds, zero(), Modifier::CompareEq, always());
  emit_compare(selection, vote.to, fails, zero(), Modifier::CompareEq, none, Modifier::BoolOr);
}

Modifier vote_mode(const ptx::Instruction& instruction) {
  if (instruction.has(PtxModifier::All)) return Modifier::VoteModeAll;
  if (instruction.has(PtxModifier::Any) || instruction.has(PtxModifier::Ballot)) return Modifier::VoteModeAny;
  if (instruction.has(PtxModifier::Uni)) return Modifier::VoteModeEq;
  Selection::refuse(instruction, "it has no mode");
}

void match_any(Selection& selection, const ptx::Operand& source, bool is_wide, const Operand& to) {
  if (is_wide) {
    const Operand value = selection.builder.in_pair(selection.words(source));
    selection.emit(ir::Opcode::MatchAny64, {to, value});
  } else {
    selection.emit(ir::Opcode::MatchAny, {to, selection.source(source)});
  }
}

void match_all(Selection& selection, const ptx::Operand& source, bool is_wide, const Destination& to) {
  if (is_wide) {
    const Operand value = selection.builder.in_pair(selection.words(source));
    selection.emit(ir::Opcode::MatchAll64, {to.predicate, to.value, value});
  } else {
    selection.emit(ir::Opcode::MatchAll, {to.predicate, to.value, selection.source(source)});
  }
}

/// All of the group have one value where those that have a lane's value are the group.
void match_all_in_groups(Selection& selection, const ptx::Instruction& instruction, bool is_wide,
                         const Destination& to) {
  const ptx::Operand& mask = instruction.operands[2];
  const Operand group = ballot_of(selection, always(), mask);
  const Operand equal = reg(selection.builder.fresh());
  match_any(selection, instruction.operands[1], is_wide, equal);
  const Operand members = reg(selection.builder.fresh());
  emit_and(selection, members, equal, selection.source(mask), kAndTable);
  const Operand agree = pred(selection.builder.fresh_predicate());
  emit_compare(selection, agree, members, group, Modifier::CompareEq, always());
  selection.emit(ir::Opcode::Sel, {to.value, group, zero(), agree});
  if (to.predicate.index != ir::kPredicateTrue)
    emit_compare(selection, to.predicate, members, group, Modifier::CompareEq, always());
}

struct Reduction {
  Operand to;
  Operand value;
  Modifier operation;
  Modifier type;
};

void emit_reduction(Selection& selection, const Reduction& reduction) {
  selection.emit(ir::Opcode::Redux, {reduction.to, reduction.value}, {reduction.operation, reduction.type});
}

/// Group by group: the lanes whose mask is the least of those that are left have their turn.
void reduce_in_groups(Selection& selection, const ptx::Operand& lanes, const Reduction& reduction) {
  const Operand mask = selection.builder.in_register(selection.source(lanes));
  const Operand value = selection.builder.in_register(reduction.value);
  const ir::Guard guard = selection.builder.guard();
  const Operand least = reg(selection.builder.fresh());
  const Operand total = reg(selection.builder.fresh());
  const ir::RegisterIndex is_turn = selection.builder.fresh_predicate();
  const ir::RegisterIndex is_left = selection.builder.fresh_predicate();
  // Nobody's turn where the guard does not hold.
  selection.builder.set_guard({});
  if (!guard.always()) emit_compare(selection, pred(is_turn), zero(), zero(), Modifier::CompareNe, always());
  selection.builder.set_guard(guard);
  const Pc loop = selection.builder.here();
  emit_reduction(selection, {least, mask, Modifier::ReductionMin, Modifier::ReductionTypeU32});
  emit_compare(selection, pred(is_turn), mask, least, Modifier::CompareEq, always());
  emit_compare(selection, pred(is_left), mask, least, Modifier::CompareNe, always());
  selection.builder.set_guard({is_turn, false});
  emit_reduction(selection, {total, value, reduction.operation, reduction.type});
  selection.builder.set_guard(guard);
  emit_loop_end(selection, loop, is_left);
  selection.builder.move(reduction.to.index, total);
}

Modifier reduction_of(const ptx::Instruction& instruction) {
  if (instruction.has(PtxModifier::Add)) return Modifier::ReductionSum;
  if (instruction.has(PtxModifier::Min)) return Modifier::ReductionMin;
  if (instruction.has(PtxModifier::Max)) return Modifier::ReductionMax;
  if (instruction.has(PtxModifier::And)) return Modifier::ReductionAnd;
  if (instruction.has(PtxModifier::Or)) return Modifier::ReductionOr;
  if (instruction.has(PtxModifier::Xor)) return Modifier::ReductionXor;
  Selection::refuse(instruction, "it has no operation");
}

}  // namespace

void select_shfl(Selection& selection, const ptx::Instruction& instruction) {
  const bool is_sync = instruction.has(PtxModifier::Sync);
  require_operands(instruction, is_sync ? 5 : 4);
  const auto& operands = instruction.operands;
  if (is_sync) gather(selection, operands[4]);
  const Destination to = destination_of(selection, operands[0]);
  const Operand lane = selection.source(operands[2]);
  const Operand limits = selection.source(operands[3]);
  // The row takes a number in both places, but one constant at most.
  selection.emit(ir::Opcode::Shfl, {to.predicate, to.value, selection.source(operands[1]), lane, limits},
                 {shuffle_mode(instruction)});
}

void select_vote(Selection& selection, const ptx::Instruction& instruction) {
  const bool is_sync = instruction.has(PtxModifier::Sync);
  require_operands(instruction, is_sync ? 3 : 2);
  const auto& operands = instruction.operands;
  const bool is_ballot = instruction.has(PtxModifier::Ballot);
  const Modifier mode = vote_mode(instruction);
  const Operand predicate = selection.predicate(operands[1]);
  const Operand to = is_ballot ? selection.result(operands[0]) : selection.predicate_result(operands[0]);
  if (is_sync) {
    gather(selection, operands[2]);
    if (may_differ(operands[2])) return vote_in_groups(selection, instruction, {to, predicate, operands[2]});
  }
  const Operand lanes = is_ballot ? to : zero();
  selection.emit(ir::Opcode::Vote, {lanes, is_ballot ? always() : to, predicate}, {mode});
}

void select_match(Selection& selection, const ptx::Instruction& instruction) {
  require_operands(instruction, 3);
  const auto& operands = instruction.operands;
  const bool is_wide = bits_of(instruction.type()) == 64;
  const Destination to = destination_of(selection, operands[0]);
  const bool differ = may_differ(operands[2]);
  gather(selection, operands[2]);
  if (instruction.has(PtxModifier::All)) {
    if (differ) return match_all_in_groups(selection, instruction, is_wide, to);
    return match_all(selection, operands[1], is_wide, to);
  }
  if (!differ) return match_any(selection, operands[1], is_wide, to.value);
  const Operand equal = reg(selection.builder.fresh());
  match_any(selection, operands[1], is_wide, equal);
  emit_and(selection, to.value, equal, selection.source(operands[2]), kAndTable);
}

void select_redux(Selection& selection, const ptx::Instruction& instruction) {
  require_operands(instruction, 3);
  if (is_float(instruction.type())) Selection::refuse(instruction, "reductions of floats are not supported");
  const Modifier type =
      is_signed(instruction.type()) ? Modifier::ReductionTypeS32 : Modifier::ReductionTypeU32;
  const auto& operands = instruction.operands;
  const Operand to = selection.result(operands[0]);
  gather(selection, operands[2]);
  const Reduction reduction{to, selection.source(operands[1]), reduction_of(instruction), type};
  if (may_differ(operands[2])) return reduce_in_groups(selection, operands[2], reduction);
  emit_reduction(selection, reduction);
}

void select_activemask(Selection& selection, const ptx::Instruction& instruction) {
  require_operands(instruction, 1);
  selection.emit(ir::Opcode::Vote, {selection.result(instruction.operands[0]), always(), always()},
                 {Modifier::VoteModeAny});
}

/// The lowest lane that takes part.
void select_elect(Selection& selection, const ptx::Instruction& instruction) {
  require_operands(instruction, 2);
  const ptx::Operand& mask = instruction.operands[1];
  gather(selection, mask);
  const Destination to = destination_of(selection, instruction.operands[0]);
  const Operand lanes = reg(selection.builder.fresh());
  selection.emit(ir::Opcode::Vote, {lanes, always(), always()}, {Modifier::VoteModeAny});
  const Operand members = may_differ(mask) ? reg(selection.builder.fresh()) : lanes;
  if (may_differ(mask)) emit_and(selection, members, lanes, selection.source(mask), kAndTable);
  const Operand reversed = reg(selection.builder.fresh());
  selection.emit(ir::Opcode::Brev, {reversed, members});
  const Operand leader = reg(selection.builder.fresh());
  selection.emit(ir::Opcode::Flo, {leader, reversed}, {Modifier::IntTypeU32, Modifier::FindFormShift});
  const Operand lane = read_special(selection, ir::SpecialRegister::Laneid);
  if (!is_zero(to.value)) selection.builder.move(to.value.index, leader);
  emit_compare(selection, to.predicate, lane, leader, Modifier::CompareEq, always());
}

/// PTX: the lanes' accesses before it are seen by those behind it; shuffles, votes and matches promise no
/// such thing.
void select_warp_sync(Selection& selection, const ptx::Instruction& instruction) {
  require_operands(instruction, 1);
  gather(selection, instruction.operands[0]);
  emit_order_mark(selection.builder);
}

}  // namespace heddle::lower
