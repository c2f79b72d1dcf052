#include "isa/exec/live_source.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "isa/base/host_prefetch.h"

namespace heddle::exec {

namespace {

/// Accepts the actions that change no register and no memory when they are executed. An action that is
/// neither here nor handled by execute() and execute_rare() has no family yet.
void require_no_work(ir::Action action) {
  switch (action) {
    case ir::Action::BlockFence:
    case ir::Action::Fence:
    case ir::Action::InvalidateL1:
    case ir::Action::CommitCopies:
    case ir::Action::CommitBulk:
    case ir::Action::AwaitCopies:
    case ir::Action::AwaitProducts:
    case ir::Action::ProxyFence:
    case ir::Action::Nop: return;  // at most a matter of time
    case ir::Action::UniformLanes:
    case ir::Action::ToUniform: return;  // they write uniform registers, or nothing
    default: throw std::logic_error("an action that no instruction family executes");
  }
}

}  // namespace

LiveSource::LiveSource(const LiveKernel& kernel, std::uint32_t warp_slots, SmId sm, PendingWrites* pending,
                       Transaction* transaction)
    : instructions_(kernel.decoded().instructions.data()),
      static_ops_(kernel.decoded().static_ops.data()),
      watches_(!kernel.decoded().watched.empty()),
      machine_(kernel, warp_slots, pending, transaction),
      families_(machine_, std::uint64_t{sm} * warp_slots) {
  machine_.sm = sm;
}

void LiveSource::start_block(BlockId block, std::span<const WarpSlot> slots,
                             std::span<const stream::StaticOp*> first) {
  machine_.start_block(block, slots);
  std::fill_n(first.begin(), slots.size(), static_ops_);
}

std::string LiveSource::describe(WarpSlot slot) const {
  const Warp& warp = machine_.warps[slot];
  return machine_.describe(warp, warp.paths.pc(), warp.paths.active());
}

// Where the registers lie, the warp says: it is fetched ahead.
void LiveSource::host_prefetch(WarpSlot slot, PrefetchStep step) const {
  if (machine_.warps.empty()) return;
  constexpr std::size_t kMostShared = 4096;
  const std::span<const BlockContext> contexts = machine_.contexts.all();
  if (step == PrefetchStep::Object) {
    if (slot == 0) prefetch_bytes(this, sizeof *this);
    if (slot == 1) prefetch_bytes(contexts.data(), contexts.size_bytes());
    return prefetch_ahead(machine_.warps, slot, Warp::kHotBytes);
  }
  const Warp& warp = machine_.warps[slot];
  if (warp.paths.active() != warp.paths.live()) prefetch_bytes(&warp, Warp::kDivergedBytes);
  const std::size_t words = std::size_t{machine_.decoded.warp_rows} * machine_.lanes;
  prefetch_bytes(warp.registers.get(), words * sizeof(std::uint32_t));
  if (warp.warp_in_block != 0 || warp.block_context >= contexts.size()) return;
  const std::vector<std::byte>& shared = machine_.shared(warp);
  prefetch_bytes(shared.data(), std::min(shared.size(), kMostShared));
}

// What most instructions are comes first, and what they call last, so that nothing need be kept meanwhile.
const stream::WarpStep& LiveSource::issue(WarpSlot slot, Cycle now) {
  machine_.now = now;
  Warp& warp = machine_.warps[slot];
  const Decoded& op = instructions_[warp.paths.pc()];
  stream::WarpStep& step = machine_.step;
  step.live = warp.paths.live();
  step.active = step.executed = warp.paths.active();
  step.addresses = nullptr;
  if (!op.is_plain_for_all || step.active != step.live) return issue_any(op, warp);
  warp.paths.advance(warp.paths.pc() + 1);
  step.next = static_ops_ + warp.paths.pc();
  families_.lanes.run_plain(op, warp, warp.registers.get() + op.out_offset);
  return step;
}

[[gnu::noinline]] const stream::WarpStep& LiveSource::issue_any(const Decoded& op, Warp& warp) {
  stream::WarpStep& step = machine_.step;
  if (!op.guard.always()) step.executed &= warp.predicate(op.guard.predicate, op.guard.negated);
  if (watches_) {
    const ir::RegisterUse& use = machine_.decoded.watched[warp.paths.pc()];
    machine_.note_registers(use, warp, step.active, step.executed);
  }
  if (op.is_plain && step.executed == step.live) {
    families_.lanes.run_plain(op, warp, warp.registers.get() + op.out_offset);
    warp.paths.advance(warp.paths.pc() + 1);
  } else {
    execute(op, warp, step.executed);
  }
  step.next = families_.control.find_next(warp);
  step.next_active = warp.paths.active();
  return step;
}

// Apart from issue(), lest that one saves and restores registers for all that can be met here.
[[gnu::noinline]] void LiveSource::execute(const Decoded& op, Warp& warp, LaneMask executed) {
  const Pc next = warp.paths.pc() + 1;
  if (op.is_for_warp) {
    families_.uniform.write(op, warp, executed);
    warp.paths.advance(next);
    return;
  }
  switch (op.action) {
    case ir::Action::Lanes: families_.lanes.run(op, warp, executed); break;
    case ir::Action::SpecialRegister: families_.special_registers.read(op, warp, executed); break;
    case ir::Action::Load:
    case ir::Action::Store:
    case ir::Action::Atomic:
      if (executed != 0) families_.memory.access(op, warp, executed);
      machine_.step.addresses = machine_.addresses.data();
      break;
    case ir::Action::Barrier:
    case ir::Action::BarrierArrive:
    case ir::Action::BarrierReduce: families_.barriers.arrive(op, warp, executed); break;
    case ir::Action::TestMbarrier: {
      const bool awaits_others = executed != 0 && families_.async.mbarriers.test(op, warp, executed);
      warp.paths.advance(next);
      if (awaits_others) warp.paths.yield();
      return;
    }
    case ir::Action::Branch: families_.control.branch(op, warp, executed); return;
    case ir::Action::Exit: families_.control.exit(op, warp, executed); return;
    case ir::Action::Sleep:
    case ir::Action::IndirectBranch:
    case ir::Action::Call:
    case ir::Action::Return:
    case ir::Action::Arm:
    case ir::Action::Converge:
    case ir::Action::Leave:
    case ir::Action::SaveBarrier:
    case ir::Action::RestoreBarrier:
    case ir::Action::WarpSync:
    case ir::Action::WarpSyncApart:
    case ir::Action::Yield: families_.control.run(op, warp, executed); return;
    default: execute_rare(op, warp, executed); break;
  }
  warp.paths.advance(next);
}

[[gnu::noinline]] void LiveSource::execute_rare(const Decoded& op, Warp& warp, LaneMask executed) {
  switch (op.action) {
    case ir::Action::Shuffle: return families_.warp_wide.shuffle(op, warp, executed);
    case ir::Action::Vote: return families_.warp_wide.vote(op, warp, executed);
    case ir::Action::MatchAny: return families_.warp_wide.match_any(op, warp, executed);
    case ir::Action::MatchAll: return families_.warp_wide.match_all(op, warp, executed);
    case ir::Action::Reduce: return families_.warp_wide.reduce(op, warp, executed);
    case ir::Action::PackPredicates: return families_.predicates.pack(op, warp, executed);
    case ir::Action::UnpackPredicates: return families_.predicates.unpack(op, warp, executed);
    case ir::Action::LoadConstant: return families_.constants.load(op, warp, executed);
    case ir::Action::BarrierResult: return families_.barriers.read_result(op, warp, executed);
    case ir::Action::MatrixMultiply: return families_.matrices.multiply(op, warp, executed);
    case ir::Action::LoadMatrix: return families_.matrices.load(op, warp, executed);
    case ir::Action::StoreMatrix: return families_.matrices.store(op, warp, executed);
    case ir::Action::MultiplyInGroup: return families_.matrices.multiply_in_group(op, warp, executed);
    case ir::Action::ArriveInGroup: return families_.matrices.arrive_in_group(warp, executed);
    case ir::Action::Trap: return families_.control.trap(warp, executed);
    case ir::Action::FetchTexture:
    case ir::Action::LoadSurface:
    case ir::Action::StoreSurface:
      machine_.step.addresses = machine_.addresses.data();
      if (executed == 0) return;
      if (op.action == ir::Action::FetchTexture) return families_.textures.fetch(op, warp, executed);
      return families_.textures.access_surface(op, warp, executed);
    case ir::Action::Copy:
      if (executed != 0) families_.async.copies.copy_to_shared(op, warp, executed);
      machine_.step.addresses = machine_.addresses.data();
      machine_.step.shared_addresses = machine_.shared_addresses.data();
      return;
    case ir::Action::InitMbarrier:
    case ir::Action::ArriveMbarrier:
    case ir::Action::ArriveAfterCopies:
    case ir::Action::ClusterArrive:
    case ir::Action::ClusterWait:
      if (executed != 0) families_.async.mbarriers.run(op, warp, executed);
      return;
    case ir::Action::BulkLoad:
    case ir::Action::BulkStore:
      if (executed != 0) families_.async.bulk.copy(op, warp, executed);
      return;
    default: return require_no_work(op.action);
  }
}

}  // namespace heddle::exec
