#include "isa/exec/control_instructions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "isa/exec/semantics.h"
#include "isa/text/disassemble.h"

namespace heddle::exec {

namespace {

/// Few loops have more. Of those that do, it is worth remembering what a warp holds.
constexpr std::uint32_t kUsualRounds = 4096;

/// Lanes with the same place to go to go together; the target of the lowest lane comes first.
void add_target(std::vector<BranchTarget>& targets, Pc pc, LaneMask lanes) {
  if (lanes == 0) return;
  for (BranchTarget& target : targets) {
    if (target.pc != pc) continue;
    target.lanes |= lanes;
    return;
  }
  targets.push_back({pc, lanes});
}

}  // namespace

/// The lanes for which the predicate among the operands holds, too, where there is one.
LaneMask ControlInstructions::under_condition(const Decoded& op, const Warp& warp, LaneMask executed) {
  if (op.predicate_sources == 0) return executed;
  return executed & warp.predicate(op.predicates[0].index, op.predicates[0].negated);
}

/// Lanes of the mask that have exited are not waited for anywhere, and not here. A lane whose guard is false counts as
/// being elsewhere: compilers say so of a lane that has another mask.
bool ControlInstructions::passes_test(const Decoded& op, const Warp& warp, LaneMask here) const {
  if (op.branch_test == BranchTest::Any) return here != 0;
  const std::uint32_t word = machine_.source(warp, op.a)[0];
  const LaneMask mask = op.a.negated ? ~word : word;
  const LaneMask members = warp.paths.live() & (mask | mask << 32);
  const bool are_together = (members & ~here) == 0;
  return are_together == (op.branch_test == BranchTest::Converged);
}

void ControlInstructions::branch(const Decoded& op, Warp& warp, LaneMask executed) {
  const Pc pc = warp.paths.pc();
  executed = under_condition(op, warp, executed);
  if (op.branch_test != BranchTest::None) executed = passes_test(op, warp, executed) ? warp.paths.active() : 0;
  if (executed == warp.paths.active()) {
    go_together(warp, op.target);
  } else if (executed == 0 || op.target == pc + 1) {
    warp.paths.advance(pc + 1);
  } else {
    warp.paths.diverge(executed, op.target, pc + 1, op.reconvergence);
    if (op.target <= pc) warp.paths.go_round();
  }
}

void ControlInstructions::exit(const Decoded& op, Warp& warp, LaneMask executed) {
  const Pc next = warp.paths.pc() + 1;
  machine_.step.executed = executed = under_condition(op, warp, executed);
  // Where all running lanes exit, another path comes up and stands where it waited.
  warp.paths.exit(executed);
  if (machine_.step.active != executed) warp.paths.advance(next);
}

void ControlInstructions::run(const Decoded& op, Warp& warp, LaneMask executed) {
  const Pc next = warp.paths.pc() + 1;
  if (op.action == ir::Action::Sleep) machine_.step.nanoseconds = sleep_time(op, warp, executed);
  executed = under_condition(op, warp, executed);
  switch (op.action) {
    case ir::Action::IndirectBranch: jump(op, warp, executed); return;
    case ir::Action::Call: call(op, warp, executed); return;
    case ir::Action::Return: return_from_call(op, warp, executed);
      return;
    case ir::Action::Arm: warp.paths.arm(op.immediate, executed); break;
    case ir::Action::Leave: warp.paths.leave(op.immediate, executed); break;
    case ir::Action::SaveBarrier: save_barrier(op, warp, executed); break;
    case ir::Action::RestoreBarrier: restore_barrier(op, warp, executed); break;
    case ir::Action::Converge: warp.paths.sync(op.immediate, executed, next); return;
    case ir::Action::WarpSyncApart:
      if (part_by_masks(op, warp, executed)) return;
      [[fallthrough]];
    case ir::Action::WarpSync:
      warp.paths.gather(warp_sync_members(op, warp, executed), executed, next - 1, next);
      return;
    default: break;
  }
  warp.paths.advance(next);
  if (op.action == ir::Action::Yield) warp.paths.yield_by_instruction();
  if (op.action == ir::Action::Sleep) warp.paths.go_round();
}

void ControlInstructions::trap(const Warp& warp, LaneMask executed) const {
  if (executed == 0) return;
  machine_.fail(warp, stream::FaultKind::Trap,
                fmt::format("trap in lane {}: the program ends itself, as a failed assertion does",
                            first_lane(executed)),
                first_lane(executed));
}

/// The longest time that a lane asks for: the warp sleeps as one, a choice.
std::uint32_t ControlInstructions::sleep_time(const Decoded& op, const Warp& warp, LaneMask executed) const {
  const std::uint32_t* times = machine_.source(warp, op.a);
  std::uint32_t longest = 0;
  for_each_lane(executed, [&](unsigned lane) { longest = std::max(longest, times[lane]); });
  return std::min(longest, stream::kLongestSleep);
}

void ControlInstructions::save_barrier(const Decoded& op, Warp& warp, LaneMask executed) {
  if (op.out_is_lost) return warp.paths.leave(op.immediate, executed);
  std::array<std::uint32_t, kMaxWarpSize> kept{};
  warp.paths.save(op.immediate, executed, kept.data());
  blend_rows(machine_.out(op, warp), kept.data(), executed, 1, machine_.lanes);
}

void ControlInstructions::restore_barrier(const Decoded& op, Warp& warp, LaneMask executed) {
  const LaneMask strange = warp.paths.restore(op.immediate, executed, machine_.source(warp, op.a));
  if (strange == 0) return;
  machine_.fail(
      warp, stream::FaultKind::ControlFlow,
      fmt::format(
          "gives B{} back in lane {} from a register that does not hold what BMOV.32.CLEAR kept of it",
          op.immediate, first_lane(strange)),
      first_lane(strange));
}

/// All running lanes go to one place.
inline void ControlInstructions::go_together(Warp& warp, Pc target) {
  const Pc pc = warp.paths.pc();
  const bool goes_back = target <= pc;
  const bool others_wait = warp.paths.active() != warp.paths.live();
  const bool repeats = goes_back && (others_wait || ++warp.jumps_back > kUsualRounds) &&
                       watch_round(warp, {pc, target}, others_wait);
  warp.paths.advance(target);
  if (goes_back && others_wait) finish_round(warp, repeats);
}

/// The running lanes are about to jump back. Whether other lanes of the warp, if these wait for them, should
/// have their turn before.
[[gnu::noinline]] bool ControlInstructions::watch_round(Warp& warp, JumpBack jump, bool others_wait) const {
  const RegisterRows rows{std::size_t{machine_.decoded.warp_rows} * machine_.lanes, machine_.lanes};
  const bool is_owed =
      machine_.pending != nullptr && machine_.pending->owes(warp.registers.get(), rows.words);
  warp.spin.see(warp, jump, rows, is_owed);
  const bool may_yield = others_wait && has_barriers_;
  return may_yield && warp.lane_spin.repeats(warp, jump, rows);
}

/// The running lanes have jumped back while others do not run: those may be whom they wait for.
void ControlInstructions::finish_round(Warp& warp, bool repeats) {
  if (repeats) {
    warp.paths.yield();
  } else {
    warp.paths.go_round();
  }
}

/// The number of the instruction that the lane jumps to, which the register holds or, where BRX has a
/// distance, that of its address. What is no instruction's address is the place behind the last one.
Pc ControlInstructions::jump_target(const Decoded& op, const Warp& warp, unsigned lane) const {
  const std::uint32_t value = machine_.source(warp, op.a)[lane];
  if (op.offset == 0) return value;
  const ir::Kernel& kernel = machine_.kernel.launch().kernel;
  const std::vector<std::uint64_t>& addresses = kernel.addresses;
  const Pc pc = warp.paths.pc();
  const auto end = static_cast<Pc>(kernel.instructions.size());
  const std::uint64_t here = pc < addresses.size() ? addresses[pc] : ir::kInstructionBytes * pc;
  const std::uint64_t to = here + ir::kInstructionBytes + value + static_cast<std::uint64_t>(op.offset);
  if (addresses.empty())
    return to % ir::kInstructionBytes == 0 && to / ir::kInstructionBytes < end
               ? static_cast<Pc>(to / ir::kInstructionBytes)
               : end;
  const auto found = std::find(addresses.begin(), addresses.end(), to);
  return found == addresses.end() ? end : static_cast<Pc>(found - addresses.begin());
}

/// BRX: each lane goes to the label whose place its register holds.
void ControlInstructions::jump(const Decoded& op, Warp& warp, LaneMask executed) {
  std::array<Pc, kMaxWarpSize> targets{};
  for_each_lane(executed, [&](unsigned lane) {
    targets[lane] = jump_target(op, warp, lane);
    if (targets[lane] < machine_.decoded.is_labelled.size() && machine_.decoded.is_labelled[targets[lane]])
      return;
    machine_.fail(
        warp, stream::FaultKind::ControlFlow,
        fmt::format("jumps to instruction {} in lane {}, where there is no label", targets[lane], lane),
        lane);
  });
  std::vector<BranchTarget> parts;
  for_each_lane(executed, [&](unsigned lane) { add_target(parts, targets[lane], LaneMask{1} << lane); });
  const Pc pc = warp.paths.pc();
  add_target(parts, pc + 1, warp.paths.active() & ~executed);
  if (parts.size() == 1) return go_together(warp, parts[0].pc);
  warp.paths.split(parts, op.reconvergence);
  if (std::any_of(parts.begin(), parts.end(), [pc](const BranchTarget& target) { return target.pc <= pc; }))
    warp.paths.go_round();
}

/// Lanes that call together go on together when the last one has returned.
void ControlInstructions::call(const Decoded& op, Warp& warp, LaneMask executed) {
  const Pc next = warp.paths.pc() + 1;
  for_each_lane(executed, [&](unsigned lane) {
    if (warp.calls.depth(lane) == CallStacks::kDeepest) {
      machine_.fail(
          warp, stream::FaultKind::ControlFlow,
          fmt::format("more than {} calls within one another in lane {}", CallStacks::kDeepest, lane), lane);
    }
    warp.calls.push(lane, next);
  });
  if (executed == 0) return warp.paths.advance(next);
  const BranchTarget targets[] = {{op.target, executed}, {next, warp.paths.active() & ~executed}};
  warp.paths.split(targets, next);
}

/// Whether a register's value stands for the instruction: its number or, in a disassembly, its address.
bool ControlInstructions::stands_for(std::uint32_t value, Pc pc) const {
  const std::vector<std::uint64_t>& addresses = machine_.kernel.launch().kernel.addresses;
  return value == pc || (pc < addresses.size() && addresses[pc] == value);
}

std::string ControlInstructions::place_text(std::uint64_t place) const {
  const bool is_address = !machine_.kernel.launch().kernel.addresses.empty();
  return is_address ? fmt::format("{:#x}", place) : fmt::format("instruction {}", place);
}

/// Where the lane returns to. NVIDIA's compilers use CALL as a jump, too, whose place nobody returns to: where
/// the text names a register, it holds the place of the innermost call that is returned from.
Pc ControlInstructions::place_of_return(const Warp& warp, unsigned lane, const std::uint32_t* named) const {
  Pc innermost = 0;
  const unsigned depth = warp.calls.depth(lane);
  for (unsigned level = depth; level-- > 0;) {
    const Pc back = warp.calls.at(level, lane);
    if (level + 1 == depth) innermost = back;
    if (named != nullptr && !stands_for(named[lane], back)) continue;
    return back;
  }
  const std::vector<std::uint64_t>& addresses = machine_.kernel.launch().kernel.addresses;
  machine_.fail(
      warp, stream::FaultKind::ControlFlow,
      fmt::format("returns to {} in lane {}, which was called from before {}", place_text(named[lane]), lane,
                  place_text(innermost < addresses.size() ? addresses[innermost] : innermost)),
      lane);
}

void ControlInstructions::return_from_call(const Decoded& op, Warp& warp, LaneMask executed) {
  for_each_lane(executed, [&](unsigned lane) {
    if (warp.calls.depth(lane) == 0)
      machine_.fail(warp, stream::FaultKind::ControlFlow,
                    fmt::format("returns from no call in lane {}", lane), lane);
  });
  const std::uint32_t* named = op.a.rows == 0 ? nullptr : machine_.source(warp, op.a);
  std::vector<BranchTarget> targets;
  for_each_lane(executed, [&](unsigned lane) {
    const Pc back = place_of_return(warp, lane, named);
    while (warp.calls.pop(lane) != back) {
    }
    add_target(targets, back, LaneMask{1} << lane);
  });
  const Pc pc = warp.paths.pc();
  add_target(targets, pc + 1, warp.paths.active() & ~executed);
  if (targets.size() > 1) return warp.paths.split(targets, kNowhere);
  warp.paths.advance(targets[0].pc);
  if (targets[0].pc <= pc) warp.paths.go_round();
}

/// The mask that all lanes that take part must name alike, and be in; where there is none, all that live.
LaneMask ControlInstructions::warp_sync_members(const Decoded& op, const Warp& warp,
                                                LaneMask executed) const {
  if (op.a.rows == 0) return warp.paths.live();
  const std::uint32_t* masks = machine_.source(warp, op.a);
  LaneMask members = 0;
  for_each_lane(executed, [&](unsigned lane) {
    const LaneMask group = LaneMask{masks[lane]} << (lane & ~31U);
    if ((group >> lane & 1) == 0) {
      machine_.fail(warp, stream::FaultKind::Lanes,
                    fmt::format("lane {} is not in the mask {:#x} that it synchronises", lane, masks[lane]),
                    lane);
    }
    members |= group;
  });
  return members;
}

/// Whether lanes name different masks: then each mask's lanes come to the instruction again, alone.
bool ControlInstructions::part_by_masks(const Decoded& op, Warp& warp, LaneMask executed) const {
  const std::uint32_t* masks = machine_.source(warp, op.a);
  const Pc pc = warp.paths.pc();
  std::vector<BranchTarget> parts;
  for (LaneMask left = executed; left != 0; left &= ~parts.back().lanes) {
    const unsigned first = first_lane(left);
    parts.push_back({pc, 0});
    for_each_lane(left, [&](unsigned lane) {
      if (masks[lane] == masks[first] && lane / 32 == first / 32) parts.back().lanes |= LaneMask{1} << lane;
    });
  }
  if (parts.size() < 2) return false;
  if (machine_.kernel.divergence() == Divergence::Stack)
    machine_.fail(warp, stream::FaultKind::ControlFlow,
                  "lanes name different masks: a SIMT stack (--divergence stack) cannot part them here");
  add_target(parts, pc + 1, warp.paths.active() & ~executed);
  warp.paths.split(parts, kNowhere);
  return true;
}

const stream::StaticOp* ControlInstructions::find_next(Warp& warp) {
  if (warp.paths.active() != warp.paths.live()) {
    if (has_barriers_) gather_at_block_barrier(warp);
    if (warp.paths.active() == 0) fail_stuck(warp);
  }
  return warp.paths.active() != 0 ? static_ops_ + warp.paths.pc() : nullptr;
}

/// A block barrier takes whole warps: under convergence barriers, lanes that come to it wait for the others
/// there.
void ControlInstructions::gather_at_block_barrier(Warp& warp) const {
  while (warp.paths.active() != 0 && warp.paths.active() != warp.paths.live()) {
    const Pc pc = warp.paths.pc();
    if (!ir::is_block_barrier(machine_.decoded.instructions[pc].action)) return;
    warp.paths.gather(warp.paths.live(), warp.paths.active(), pc, pc);
  }
}

/// All lanes wait for one another.
void ControlInstructions::fail_stuck(const Warp& warp) const {
  machine_.fail(warp, stream::FaultKind::Deadlock,
                fmt::format("deadlock between lanes of the warp{}", waits_text(warp)));
}

std::string ControlInstructions::describe_spin(const Warp& warp) const {
  const LoopRound& round = warp.spin.round();
  const bool all = round.lanes() == warp.paths.live();
  return fmt::format(
      "{}: deadlock: {} gone round here again and again without any change in {} or in memory{}{}",
      machine_.describe(warp, round.jump().to, round.lanes()), all ? "it has" : "these lanes have",
      all ? "its registers" : "their registers", all ? "" : ", and no other lane of the warp gets on",
      waits_text(warp));
}

std::string ControlInstructions::waits_text(const Warp& warp) const {
  std::string text;
  const ir::Kernel& kernel = machine_.kernel.launch().kernel;
  for (const Wait& wait : warp.paths.waits()) {
    text += fmt::format("\n  lanes {:#x} wait at instruction {} ({}) for lanes {:#x}", wait.lanes, wait.pc,
                        text::disassemble(kernel, wait.pc), wait.awaited);
  }
  return text;
}

}  // namespace heddle::exec
