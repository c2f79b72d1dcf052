#include "isa/exec/warp_wide_instructions.h"

#include <fmt/format.h>

#include "isa/exec/semantics.h"
#include "isa/exec/wide_value.h"

namespace heddle::exec {

namespace {

constexpr unsigned kGroup = 32;

/// Calls `visit(members)` for the executing lanes of each group of 32 in which there are any.
template <typename Visitor>
void for_each_group(LaneMask executed, Visitor visit) {
  for (unsigned first = 0; first < kMaxWarpSize; first += kGroup) {
    const LaneMask members = executed & first_lanes(kGroup) << first;
    if (members != 0) visit(members);
  }
}

/// A mask of lanes of one group, as a register holds it.
std::uint32_t as_word(LaneMask lanes) { return static_cast<std::uint32_t>(lanes | lanes >> kGroup); }

bool outcome(ir::Modifier mode, LaneMask holds, LaneMask members) {
  switch (mode) {
    case ir::Modifier::VoteModeAll: return holds == members;
    case ir::Modifier::VoteModeAny: return holds != 0;
    default: return holds == members || holds == 0;
  }
}

/// One lane's value of one or two words.
class Values {
 public:
  Values(const std::uint32_t* rows, unsigned words, unsigned lanes)
      : rows_(rows), words_(words), lanes_(lanes) {}

  [[nodiscard]] std::uint64_t of(unsigned lane) const { return wide_value(rows_, words_, lane, lanes_); }
  /// The members whose value is that of `lane`.
  [[nodiscard]] LaneMask equal_to(unsigned lane, LaneMask members) const {
    LaneMask same = 0;
    for_each_lane(members, [&](unsigned other) { same |= LaneMask{of(other) == of(lane)} << other; });
    return same;
  }

 private:
  const std::uint32_t* rows_;
  unsigned words_;
  unsigned lanes_;
};

std::uint32_t reduce_two(ir::Modifier reduction, bool is_signed, std::uint32_t a, std::uint32_t b) {
  // The order of signed numbers is that of unsigned ones with the sign bit turned.
  const std::uint32_t turn = is_signed ? 0x80000000U : 0;
  switch (reduction) {
    case ir::Modifier::ReductionOr: return a | b;
    case ir::Modifier::ReductionXor: return a ^ b;
    case ir::Modifier::ReductionSum: return a + b;
    case ir::Modifier::ReductionMin: return (a ^ turn) < (b ^ turn) ? a : b;
    case ir::Modifier::ReductionMax: return (a ^ turn) < (b ^ turn) ? b : a;
    default: return a & b;
  }
}

}  // namespace

/// The rules of PTX's shfl: b names the other lane, c holds the clamp (bits 0-4) and the segment mask (8-12).
void WarpWideInstructions::shuffle(const Decoded& op, Warp& warp, LaneMask executed) {
  const std::uint32_t* from = machine_.source(warp, op.a);
  const std::uint32_t* b = machine_.source(warp, op.b);
  const std::uint32_t* c = machine_.source(warp, op.c);
  std::uint32_t result[kMaxWarpSize] = {};
  LaneMask in_range = 0;
  for_each_lane(executed, [&](unsigned warp_lane) {
    const unsigned lane = warp_lane & 31U;
    const unsigned amount = b[warp_lane] & 31U;
    const unsigned clamp = c[warp_lane] & 31U;
    const unsigned segment = c[warp_lane] >> 8 & 31U;
    const unsigned last = (lane & segment) | (clamp & ~segment);
    unsigned other = lane;
    bool valid = false;
    switch (op.shuffle) {
      case ir::Modifier::ShuffleModeUp:
        other = lane - amount;
        valid = static_cast<int>(other) >= static_cast<int>(last);
        break;
      case ir::Modifier::ShuffleModeDown:
        other = lane + amount;
        valid = other <= last;
        break;
      case ir::Modifier::ShuffleModeBfly:
        other = lane ^ amount;
        valid = other <= last;
        break;
      default:
        other = (lane & segment) | (amount & ~segment);
        valid = other <= last;
        break;
    }
    if (!valid) other = lane;
    const unsigned warp_other = (warp_lane & ~31U) | other;
    if ((executed >> warp_other & 1) == 0 &&
        !machine_.forgive(warp, "shuffle that reads a lane which takes no part in it")) {
      machine_.fail(warp, stream::FaultKind::Lanes,
                    fmt::format("lane {} reads lane {} by a shuffle that lane {} does not take part in",
                                warp_lane, warp_other, warp_other),
                    warp_lane);
    }
    result[warp_lane] = from[warp_other];
    in_range |= LaneMask{valid} << warp_lane;
  });
  blend_rows(machine_.out(op, warp), result, executed, 1, machine_.lanes);
  warp.set_predicate(op.out_predicate[0], in_range, executed);
}

void WarpWideInstructions::vote(const Decoded& op, Warp& warp, LaneMask executed) {
  const LaneMask operand = warp.predicate(op.predicates[0].index, op.predicates[0].negated);
  std::uint32_t ballots[kMaxWarpSize] = {};
  LaneMask results = 0;
  for_each_group(executed, [&](LaneMask members) {
    const LaneMask holds = operand & members;
    if (outcome(op.vote, holds, members)) results |= members;
    for_each_lane(members, [&](unsigned lane) { ballots[lane] = as_word(holds); });
  });
  blend_rows(machine_.out(op, warp), ballots, executed, 1, machine_.lanes);
  warp.set_predicate(op.out_predicate[0], results, executed);
}

/// Which lane is elected is not published: the lowest one.
void WarpWideInstructions::elect(const Decoded& op, Warp& warp, LaneMask executed) {
  const LaneMask candidates = executed & warp.predicate(op.predicates[0].index, op.predicates[0].negated);
  std::uint32_t numbers[kMaxWarpSize] = {};
  LaneMask elected = 0;
  for_each_group(candidates, [&](LaneMask members) {
    elected |= members & (~members + 1);
    for_each_lane(members, [&](unsigned lane) { numbers[lane] = first_lane(members) % kGroup; });
  });
  blend_rows(machine_.out(op, warp), numbers, executed, 1, machine_.lanes);
  warp.set_predicate(op.out_predicate[0], elected, executed);
}

/// To each lane, the lanes that have its value.
void WarpWideInstructions::match_any(const Decoded& op, Warp& warp, LaneMask executed) {
  const Values values(machine_.source(warp, op.a), op.a.rows, machine_.lanes);
  std::uint32_t result[kMaxWarpSize] = {};
  for_each_group(executed, [&](LaneMask members) {
    for_each_lane(members, [&](unsigned lane) { result[lane] = as_word(values.equal_to(lane, members)); });
  });
  blend_rows(machine_.out(op, warp), result, executed, 1, machine_.lanes);
}

/// All executing lanes and true if they have one value, else no lanes and false.
void WarpWideInstructions::match_all(const Decoded& op, Warp& warp, LaneMask executed) {
  const Values values(machine_.source(warp, op.a), op.a.rows, machine_.lanes);
  std::uint32_t result[kMaxWarpSize] = {};
  LaneMask agree = 0;
  for_each_group(executed, [&](LaneMask members) {
    if (values.equal_to(first_lane(members), members) != members) return;
    agree |= members;
    for_each_lane(members, [&](unsigned lane) { result[lane] = as_word(members); });
  });
  blend_rows(machine_.out(op, warp), result, executed, 1, machine_.lanes);
  warp.set_predicate(op.out_predicate[0], agree, executed);
}

void WarpWideInstructions::reduce(const Decoded& op, Warp& warp, LaneMask executed) {
  const std::uint32_t* values = machine_.source(warp, op.a);
  std::uint32_t result[kMaxWarpSize] = {};
  for_each_group(executed, [&](LaneMask members) {
    const unsigned first = first_lane(members);
    std::uint32_t total = values[first];
    for_each_lane(members & ~(LaneMask{1} << first), [&](unsigned lane) {
      total = reduce_two(op.reduction, op.reduces_signed, total, values[lane]);
    });
    for_each_lane(members, [&](unsigned lane) { result[lane] = total; });
  });
  blend_rows(machine_.out(op, warp), result, executed, 1, machine_.lanes);
}

}  // namespace heddle::exec
