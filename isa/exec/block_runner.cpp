#include "isa/exec/block_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace heddle::exec {

namespace {

// Warp instructions after which it is asked whether a warp only waits for those who have their turns later.
constexpr unsigned kBetweenLooks = 256;
// Few kernels have more warp instructions between barriers.
constexpr unsigned kTurn = 1U << 16;

}  // namespace

BlockRunner::BlockRunner(LiveKernel& kernel, std::uint64_t most_instructions, AccessWatch* watch,
                         Transaction* transaction)
    : source_(kernel, kernel.shape().warps_per_block(), 0, nullptr, transaction),
      kernel_(kernel),
      most_instructions_(most_instructions),
      watch_(watch),
      warps_(kernel.shape().warps_per_block()),
      slots_(warps_),
      next_(warps_),
      issued_(warps_),
      waits_at_(warps_, kNoBarrier) {
  std::iota(slots_.begin(), slots_.end(), 0U);
  source_.watch(watch);
}

void BlockRunner::run(BlockId block) {
  source_.start_block(block, slots_, next_);
  if (watch_ != nullptr) watch_->begin_block(warps_);
  std::fill(issued_.begin(), issued_.end(), 0);
  for (; used_barriers_ != 0; used_barriers_ &= used_barriers_ - 1)
    barriers_[first_lane(used_barriers_)].open();
  cluster_.start_block(warps_);
  live_ = warps_;
  deadlock_watch_ = {};
  while (live_ != 0) {
    const std::uint64_t before = counts_.warp_instructions;
    for (WarpSlot slot = 0; slot < warps_; ++slot) have_turn(slot);
    if (counts_.warp_instructions == before) fail_deadlocked();
    look_for_deadlock();
  }
  source_.end_block(slots_);
}

void BlockRunner::have_turn(WarpSlot slot) {
  for (unsigned i = 0; i < kTurn && next_[slot] != nullptr && waits_at_[slot] == kNoBarrier; ++i) {
    if (issued_[slot] >= most_instructions_) fail_over_limit(slot);
    if (i % kBetweenLooks == 0 && i != 0 && source_.seems_to_spin(slot)) return;
    const stream::StaticOp& op = *next_[slot];
    const stream::WarpStep& step = source_.issue(slot, issued_[slot]++);
    ++counts_.warp_instructions;
    counts_.thread_instructions += lane_count(step.executed);
    next_[slot] = step.next;
    if (next_[slot] == nullptr) return leave(slot);
    if (op.kind == stream::OpKind::Mbarrier && step.executed != 0 && step.async != nullptr)
      meet_cluster(slot, *step.async);
    if (!stream::is_barrier(op.kind) || step.executed == 0) continue;
    arrive(slot, op, step.barrier);
    // Also the one that opens the barrier stops, so that the others have their turns before it.
    if (op.kind != stream::OpKind::BarrierArrive) return;
  }
}

void BlockRunner::arrive(WarpSlot slot, const stream::StaticOp& op, const stream::BarrierUse& use) {
  stream::BlockBarrier& barrier = barriers_[use.id];
  if (const std::string wrong = barrier.mismatch(op, use); !wrong.empty()) {
    fail(stream::FaultKind::Barrier,
         fmt::format("mismatched barrier {}: {}; before {}", use.id, wrong, source_.describe(slot)), op.pc);
  }
  used_barriers_ |= std::uint64_t{1} << use.id;
  barrier.arrive(op, use, slot);
  if (watch_ != nullptr) watch_->arrive(slot, use.id);
  if (op.kind != stream::OpKind::BarrierArrive) waits_at_[slot] = use.id;
  open_if_complete(use.id);
}

void BlockRunner::leave(WarpSlot slot) {
  --live_;
  cluster_.leave(slot);
  open_cluster_if_complete();
  for_each_lane(used_barriers_, [this](unsigned id) { open_if_complete(id); });
}

void BlockRunner::open_if_complete(unsigned id) {
  stream::BlockBarrier& barrier = barriers_[id];
  if (!barrier.is_complete(live_)) return;
  if (watch_ != nullptr) watch_->open(id, barrier.waiting());
  for (const WarpSlot slot : barrier.waiting()) waits_at_[slot] = kNoBarrier;
  barrier.open();
}

/// Of other steps nothing is to be waited for: what they do is done.
void BlockRunner::meet_cluster(WarpSlot slot, const stream::AsyncStep& step) {
  if (step.action == stream::AsyncStep::Action::ClusterArrive) {
    cluster_.arrive(slot);
    if (watch_ != nullptr) watch_->release(slot, kClusterBarrier);
    open_cluster_if_complete();
  } else if (step.action == stream::AsyncStep::Action::ClusterWait) {
    if (!cluster_.is_over_for(slot)) {
      waits_at_[slot] = kCluster;
    } else if (watch_ != nullptr) {
      watch_->acquire(slot, kClusterBarrier);
    }
  }
}

void BlockRunner::open_cluster_if_complete() {
  if (!cluster_.end_if_complete(live_)) return;
  for (WarpSlot slot = 0; slot < warps_; ++slot) {
    if (waits_at_[slot] != kCluster) continue;
    waits_at_[slot] = kNoBarrier;
    if (watch_ != nullptr) watch_->acquire(slot, kClusterBarrier);
  }
}

/// Whether warps that spin are all that happens.
void BlockRunner::look_for_deadlock() {
  live_warps_.clear();
  for (WarpSlot slot = 0; slot < warps_; ++slot) {
    if (next_[slot] != nullptr) live_warps_.push_back({&source_, slot, waits_at_[slot] != kNoBarrier});
  }
  const std::vector<stream::LiveWarp> spinning = deadlock_watch_.spinning(live_warps_);
  if (spinning.empty()) return;
  fail(stream::FaultKind::Deadlock,
       fmt::format(
           "{}\n  {}; blocks run one after another here, so that those after this one have not started",
           source_.describe_spin(spinning.front().slot), stream::DeadlockWatch::text(spinning.size())));
}

void BlockRunner::fail_over_limit(WarpSlot slot) const {
  fail(stream::FaultKind::CycleLimit,
       fmt::format("limit reached: a warp has issued {} instructions, before {}", most_instructions_,
                   source_.describe(slot)));
}

void BlockRunner::fail_deadlocked() const {
  std::string text = "deadlock: no warp of the block can go on";
  for (WarpSlot slot = 0; slot < warps_; ++slot) {
    if (next_[slot] == nullptr) continue;
    const std::string at = waits_at_[slot] == kCluster
                               ? "the barrier of the cluster"
                               : fmt::format("barrier {} {}", waits_at_[slot], barriers_[waits_at_[slot]].describe(live_));
    text += fmt::format("\n  waits at {}, before {}", at, source_.describe(slot));
  }
  fail(stream::FaultKind::Deadlock, text);
}

void BlockRunner::fail(stream::FaultKind kind, const std::string& what, std::optional<Pc> pc) const {
  stream::FaultPlace place;
  place.pc = pc;
  throw stream::KernelFault(kind, fmt::format("kernel {}: {}", kernel_.shape().kernel, what), place);
}

}  // namespace heddle::exec
