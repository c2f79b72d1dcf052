// Barriers of the block, and fences.
#include "isa/lower/fences.h"
#include "isa/lower/kinds.h"
#include "isa/lower/select.h"

namespace heddle::lower {

namespace {

using ir::Modifier;
using PtxModifier = ptx::Modifier;

constexpr std::uint64_t kBarriers = 16;
constexpr unsigned kFirstDeferring = 80;  // compute capability 8.0

/// A barrier's number and count of threads, from the operands from `first` on, of which `last` come behind
/// them.
struct Meeting {
  Operand barrier;
  Operand threads = number(0);
};

Meeting meeting_of(Selection& selection, const ptx::Instruction& instruction, std::size_t first,
                   std::size_t last) {
  const auto& operands = instruction.operands;
  const std::size_t count = operands.size();
  if (count < first + last + 1 || count > first + last + 2)
    Selection::refuse(instruction, "another number of operands is expected");
  Meeting meeting{selection.source(operands[first])};
  if (is_number(meeting.barrier) && meeting.barrier.value >= kBarriers)
    Selection::refuse(instruction, "a block has barriers 0 to 15");
  if (count == first + last + 2) meeting.threads = selection.source(operands[first + 1]);
  // Constants may not stand in these places.
  if (!is_number(meeting.barrier)) meeting.barrier = selection.builder.in_register(meeting.barrier);
  if (!is_number(meeting.threads)) meeting.threads = selection.builder.in_register(meeting.threads);
  return meeting;
}

Modifier deferring(const Selection& selection) {
  return selection.target.compute_capability >= kFirstDeferring ? Modifier::DeferBlocking
                                                                : Modifier::DeferNone;
}

/// The outcome is read by an instruction of its own.
void reduce(Selection& selection, const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  const bool counts = instruction.has(PtxModifier::Popc);
  const Operand to = counts ? selection.result(operands[0]) : selection.predicate_result(operands[0]);
  const Meeting meeting = meeting_of(selection, instruction, 1, 1);
  const Modifier how = counts                              ? Modifier::BarrierReductionPopc
                       : instruction.has(PtxModifier::And) ? Modifier::BarrierReductionAnd
                                                           : Modifier::BarrierReductionOr;
  selection.emit(ir::Opcode::BarRed, {meeting.barrier, meeting.threads, selection.predicate(operands.back())},
                 {how, deferring(selection)});
  selection.emit(ir::Opcode::B2rResult, {counts ? to : zero(), counts ? always() : to});
}

}  // namespace

/// Without .aligned the lanes of a warp may come one by one; those that are there wait for the others.
void select_bar(Selection& selection, const ptx::Instruction& instruction) {
  if (instruction.has(PtxModifier::Red)) return reduce(selection, instruction);
  const Meeting meeting = meeting_of(selection, instruction, 0, 0);
  if (instruction.has(PtxModifier::Arrive)) {
    selection.emit(ir::Opcode::BarArv, {meeting.barrier, meeting.threads});
  } else {
    selection.emit(ir::Opcode::BarSync, {meeting.barrier, meeting.threads}, {deferring(selection)});
  }
}

void select_fence(Selection& selection, const ptx::Instruction& instruction) {
  if (instruction.has(PtxModifier::Proxy)) return select_proxy_fence(selection, instruction);
  for (const PtxModifier modifier : instruction.modifiers) {
    switch (modifier) {
      case PtxModifier::Sc:
      case PtxModifier::AcqRel:
      case PtxModifier::Acquire:
      case PtxModifier::Release:
      case PtxModifier::Cta:
      case PtxModifier::Cluster:
      case PtxModifier::Gpu:
      case PtxModifier::Gl:
      case PtxModifier::Sys:
        continue;
      // What it orders beside that is accesses of clusters' blocks; a fence of all accesses does it, too.
      case PtxModifier::SyncRestrictSharedCta:
      case PtxModifier::SyncRestrictSharedCluster:
        continue;
      default:
        Selection::refuse(instruction);
    }
  }
  const bool is_membar = instruction.opcode == ptx::Opcode::Membar;
  const FenceScope scope = fence_scope(instruction, FenceScope::Gpu);
  emit_fence(selection, scope, is_membar || instruction.has(PtxModifier::Sc));
  if (!instruction.has(PtxModifier::Release)) emit_acquire(selection, scope);
}

/// Names for the same memory are one to this simulator, so that accesses by one are in order with those by
/// another.
void select_proxy_fence(Selection& selection, const ptx::Instruction& instruction) {
  emit_fence(selection, fence_scope(instruction, FenceScope::Block), false);
}

/// Each block is a cluster by itself: its threads meet where they wait. The barrier's number is the one that
/// programs use last.
void select_cluster_wait(Selection& selection, const ptx::Instruction&) {
  selection.emit(ir::Opcode::BarSync, {number(kBarriers - 1), number(0)}, {deferring(selection)});
}

}  // namespace heddle::lower
