#include "isa/exec/barrier_instructions.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "isa/exec/semantics.h"

namespace heddle::exec {

/// All lanes of the warp come, or none does.
void BarrierInstructions::arrive(const Decoded& op, Warp& warp, LaneMask executed) {
  if (executed == 0) return;
  if (executed != machine_.step.live) {
    machine_.fail(warp, stream::FaultKind::Barrier,
                  fmt::format("divergent barrier: lanes {:#x} of {:#x} arrive, the others are elsewhere",
                              executed, machine_.step.live));
  }
  machine_.step.barrier = barrier_use(op, warp, executed);
  ++machine_.barrier_arrivals;
  if (op.action != ir::Action::BarrierReduce) return;
  std::shared_ptr<BarrierRound>& round = machine_.context(warp).rounds[machine_.step.barrier.id];
  if (!round || round->is_over(warp.warp_in_block, machine_.step.barrier.warps))
    round = std::make_shared<BarrierRound>();
  const LaneMask holds = warp.predicate(op.predicates[0].index, op.predicates[0].negated) & executed;
  round->add(warp.warp_in_block, executed, holds);
  // If the barrier is for a part of the block, other warps may come the next time.
  const bool is_of_some = machine_.step.barrier.warps != 0 &&
                          machine_.step.barrier.warps < machine_.kernel.shape().warps_per_block();
  if (std::exchange(warp.given, holds) != holds || is_of_some) ++machine_.changes;
  warp.round = round;
  warp.reduction = op.barrier_reduction;
}

stream::BarrierUse BarrierInstructions::barrier_use(const Decoded& op, const Warp& warp,
                                                    LaneMask executed) const {
  const std::uint32_t id = uniform(warp, op.a, executed);
  const std::uint32_t threads = uniform(warp, op.b, executed);
  const std::uint64_t most = std::uint64_t{machine_.kernel.shape().warps_per_block()} * machine_.lanes;
  if (id >= stream::kBarriersPerBlock) {
    machine_.fail(warp, stream::FaultKind::Barrier,
                  fmt::format("there is no barrier {}: a block has barriers 0 to {}", id,
                              stream::kBarriersPerBlock - 1));
  }
  if (threads % machine_.lanes != 0) {
    machine_.fail(
        warp, stream::FaultKind::Barrier,
        fmt::format(
            "{} threads are to meet at barrier {}: their number must be a multiple of the warp size, {}",
            threads, id, machine_.lanes));
  }
  if (threads > most) {
    machine_.fail(warp, stream::FaultKind::Barrier,
                  fmt::format("{} threads are to meet at barrier {}, more than the block has", threads, id));
  }
  const Launch& launch = machine_.kernel.launch();
  return {.id = static_cast<std::uint8_t>(id),
          .warps = static_cast<std::uint16_t>(threads / machine_.lanes),
          .is_anywhere = ir::is_compiled(launch.kernel) && !launch.is_strict_about_barriers};
}

/// The one value that all executing lanes have.
std::uint32_t BarrierInstructions::uniform(const Warp& warp, const SourceRows& rows,
                                           LaneMask executed) const {
  const std::uint32_t* values = machine_.source(warp, rows);
  const std::uint32_t value = values[first_lane(executed)];
  if (rows.constant) return value;
  for_each_lane(executed, [&](unsigned lane) {
    if (values[lane] == value) return;
    machine_.fail(
        warp, stream::FaultKind::Barrier,
        fmt::format("lanes of the warp disagree about the barrier: {:#x} in lane {}, {:#x} in lane {}", value,
                    first_lane(executed), values[lane], lane));
  });
  return value;
}

void BarrierInstructions::read_result(const Decoded& op, Warp& warp, LaneMask executed) {
  if (!warp.round)
    machine_.fail(warp, stream::FaultKind::Barrier,
                  "reads the outcome of a barrier reduction, but the warp has been at none");
  std::array<std::uint32_t, kMaxWarpSize> values{};
  values.fill(warp.round->result(warp.reduction));
  blend_rows(machine_.out(op, warp), values.data(), executed, 1, machine_.lanes);
  warp.set_predicate(op.out_predicate[0], values[0] != 0 ? executed : 0, executed);
}

}  // namespace heddle::exec
