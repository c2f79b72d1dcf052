// What warps of a block do to wait for one another, and one for the time to pass.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/exec/live_source.h"

namespace heddle::exec {

/// All lanes of the warp come, or none does.
void LiveSource::come_to_barrier(const Decoded& op, Warp& warp, LaneMask executed) {
  if (executed == 0) return;
  if (executed != step_.live) {
    fail(warp, stream::FaultKind::Barrier,
         fmt::format("divergent barrier: lanes {:#x} of {:#x} arrive, the others are elsewhere", executed,
                     step_.live));
  }
  step_.barrier = barrier_use(op, warp, executed);
  ++barrier_arrivals_;
  if (op.action != ir::Action::BarrierReduce) return;
  std::shared_ptr<BarrierRound>& round = contexts_[warp.block_context].rounds[step_.barrier.id];
  if (!round || round->is_over(warp.warp_in_block, step_.barrier.warps))
    round = std::make_shared<BarrierRound>();
  const LaneMask holds = warp.predicate(op.predicates[0].index, op.predicates[0].negated) & executed;
  round->add(warp.warp_in_block, executed, holds);
  // Of a part of the block, others may come the next time.
  const bool is_of_some = step_.barrier.warps != 0 && step_.barrier.warps < kernel_.shape().warps_per_block();
  if (std::exchange(warp.given, holds) != holds || is_of_some) ++changes_;
  warp.round = round;
  warp.reduction = op.barrier_reduction;
}

stream::BarrierUse LiveSource::barrier_use(const Decoded& op, const Warp& warp, LaneMask executed) const {
  const std::uint32_t id = uniform(warp, op.a, executed);
  const std::uint32_t threads = uniform(warp, op.b, executed);
  const std::uint64_t most = std::uint64_t{kernel_.shape().warps_per_block()} * lanes_;
  if (id >= stream::kBarriersPerBlock) {
    fail(warp, stream::FaultKind::Barrier,
         fmt::format("there is no barrier {}: a block has barriers 0 to {}", id,
                     stream::kBarriersPerBlock - 1));
  }
  if (threads % lanes_ != 0) {
    fail(warp, stream::FaultKind::Barrier,
         fmt::format(
             "{} threads are to meet at barrier {}: their number must be a multiple of the warp size, {}",
             threads, id, lanes_));
  }
  if (threads > most) {
    fail(warp, stream::FaultKind::Barrier,
         fmt::format("{} threads are to meet at barrier {}, more than the block has", threads, id));
  }
  return {static_cast<std::uint8_t>(id), static_cast<std::uint16_t>(threads / lanes_)};
}

/// The one value that all executing lanes have.
std::uint32_t LiveSource::uniform(const Warp& warp, const SourceRows& rows, LaneMask executed) const {
  const std::uint32_t* values = source(warp, rows);
  const std::uint32_t value = values[first_lane(executed)];
  if (rows.constant) return value;
  for_each_lane(executed, [&](unsigned lane) {
    if (values[lane] == value) return;
    fail(warp, stream::FaultKind::Barrier,
         fmt::format("lanes of the warp disagree about the barrier: {:#x} in lane {}, {:#x} in lane {}",
                     value, first_lane(executed), values[lane], lane));
  });
  return value;
}

void LiveSource::read_barrier_result(const Decoded& op, Warp& warp, LaneMask executed) {
  if (!warp.round)
    fail(warp, stream::FaultKind::Barrier,
         "reads the outcome of a barrier reduction, but the warp has been at none");
  std::array<std::uint32_t, kMaxWarpSize> values{};
  values.fill(warp.round->result(warp.reduction));
  blend_rows(out(op, warp), values.data(), executed, 1, lanes_);
  warp.set_predicate(op.out_predicate[0], values[0] != 0 ? executed : 0, executed);
}

/// The longest time that a lane asks for: the warp sleeps as one, a choice.
std::uint32_t LiveSource::sleep_time(const Decoded& op, const Warp& warp, LaneMask executed) const {
  const std::uint32_t* times = source(warp, op.a);
  std::uint32_t longest = 0;
  for_each_lane(executed, [&](unsigned lane) { longest = std::max(longest, times[lane]); });
  return std::min(longest, stream::kLongestSleep);
}

}  // namespace heddle::exec
