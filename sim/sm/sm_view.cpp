#include "sim/sm/sm_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/stream/wait_repair.h"

namespace heddle::sim {

namespace {

/// Calls visit(slot, warp) for each warp of a resident block that has not exited.
template <typename Visitor>
void for_each_live(const SmView& sm, Visitor visit) {
  for (WarpSlot slot = 0; slot < sm.warps.all().size(); ++slot) {
    if (sm.blocks.hold(slot) && sm.warps[slot].next != nullptr) visit(slot, sm.warps[slot]);
  }
}

/// At a barrier of its block, or for its warpgroup.
bool waits_for_others(const SmView& sm, WarpSlot slot) {
  return sm.barriers.holds(slot) || sm.warpgroups.holds(slot);
}

std::string waiting_warp(const SmView& sm, WarpSlot slot, const WarpContext& warp) {
  const std::string place = warp.source->describe(slot);
  if (sm.barriers.holds(slot)) {
    return fmt::format("{}, before {}", sm.barriers.describe(slot, sm.blocks[warp.block].live_warps), place);
  }
  if (sm.warpgroups.holds(slot))
    return fmt::format("waits for the other warps of its warpgroup, before {}", place);
  return place;
}

}  // namespace

void find_live(const SmView& sm, std::vector<stream::LiveWarp>& live) {
  for_each_live(sm, [&](WarpSlot slot, const WarpContext& warp) {
    live.push_back({warp.source, slot, waits_for_others(sm, slot)});
  });
}

std::vector<std::string> waiting_warps(const SmView& sm, std::size_t most) {
  std::vector<std::string> lines;
  for_each_live(sm, [&](WarpSlot slot, const WarpContext& warp) {
    if (lines.size() < most) lines.push_back(waiting_warp(sm, slot, warp));
  });
  return lines;
}

std::optional<std::size_t> find_repaired_wait(const SmView& sm, std::uint32_t index) {
  const BlockMbarriers* async = sm.async.find(index);
  if (async == nullptr || async->waits.empty() || async->expects_copies()) return std::nullopt;
  const ResidentBlock& block = sm.blocks[index];
  const stream::WaitRepair* repair = sm.grids[block.grid->slot].repair;
  const auto is_stuck = [&](WarpSlot slot) {
    return sm.warps[slot].next == nullptr || waits_for_others(sm, slot) || async->has_waiting(slot);
  };
  if (repair == nullptr || !std::all_of(block.slots.begin(), block.slots.end(), is_stuck))
    return std::nullopt;
  std::vector<const stream::StaticOp*> waiting;
  for (const PhaseWait& wait : async->waits) waiting.push_back(wait.op);
  return repair->choose(waiting);
}

void sample_warps(const SmView& sm, SmId id, Cycle now, std::vector<Event>& events) {
  for (WarpSlot slot = 0; slot < sm.warps.all().size(); ++slot) {
    if (!sm.blocks.hold(slot)) continue;
    const WarpContext& warp = sm.warps[slot];
    WarpSampled sampled{now,
                        id,
                        slot,
                        sm.blocks[warp.block].id,
                        warp.warp_in_block,
                        WarpSampled::State::Finished,
                        {},
                        warp.awaited_pc(),
                        sm.grids[warp.grid].grid->id};
    const SubPartition& sub_partition = sm.sub_partitions[warp.sub_partition];
    if (sub_partition.issued_at(warp.place, now)) {
      sampled.state = WarpSampled::State::Issued;
    } else if (warp.next != nullptr || warp.drains) {
      sampled.state = WarpSampled::State::Stalled;
      sampled.stall = sub_partition.stall_of(warp.place, now);
    }
    events.emplace_back(sampled);
  }
}

std::uint64_t issued(const SmView& sm) {
  std::uint64_t issued = 0;
  for (const SubPartition& sub_partition : sm.sub_partitions) issued += sub_partition.ledger().issued();
  return issued;
}

}  // namespace heddle::sim
