// The units of an SM that hold the warps of a block back: a block finds nothing of the one before it there.
#include "sim/sm/barrier_unit.h"

#include <string>

#include "isa/stream/kernel_fault.h"
#include "sim/sm/async_unit.h"
#include "sim/sm/warpgroup_unit.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

using stream::OpKind;
using stream::StaticOp;

/// Has no warps to issue, and says of each where it stands.
class NoWarps final : public stream::WarpSource {
 public:
  void start_block(BlockId, std::span<const WarpSlot>, std::span<const StaticOp*>) override {}
  const stream::WarpStep& issue(WarpSlot, Cycle) override { return step_; }
  void end_block(std::span<const WarpSlot>) override {}
  [[nodiscard]] std::string describe(WarpSlot slot) const override { return "warp " + std::to_string(slot); }

 private:
  stream::WarpStep step_;
};

/// The units around a scoreboard whose warps are started by hand; whatever they wait for, they issue NOP
/// next.
struct Units {
  sim::GpuSpec spec = launching_at_once("h100");
  sim::ClassTimings timings{spec.sm};
  std::vector<sim::SubPartition> sub_partitions;
  sim::IssueCaches caches{spec};
  sim::Scoreboard warps{spec, timings, sub_partitions, caches};
  sim::LoadStoreUnit lsu{spec, 0};
  sim::ResidentBlocks blocks{spec.occupancy.max_warps};
  sim::BarrierUnit barriers{spec.sm.barrier, warps};
  sim::WarpgroupUnit warpgroups{spec.sm, warps};
  sim::AsyncUnit async{warps, blocks, lsu};
  StaticOp nop;
  sim::Grid grid;
  NoWarps source;

  Units() {
    for (unsigned i = 0; i < spec.sm.sub_partitions; ++i)
      sub_partitions.emplace_back(spec.sm, timings, spec.occupancy.max_warps / spec.sm.sub_partitions);
    caches.add_grid(0, 0);
    for (sim::SubPartition& sub_partition : sub_partitions) {
      sub_partition.clear_counters(0);
      sub_partition.activate(0);
    }
  }

  void arrive(WarpSlot slot, OpKind kind, const stream::BarrierUse& use, Cycle now);
  /// The block's index.
  std::uint32_t start_block(std::uint32_t count, Cycle now) {
    const std::uint32_t block = blocks.start(0, count, now);
    blocks[block].grid = &grid;
    for (std::uint32_t i = 0; i < count; ++i) {
      const WarpSlot slot = blocks[block].slots[i];
      warps.start(slot, {&nop, &source, 0, block, i, now + i, ir::kSlots}, now);
      warps.resume(slot, now, sim::ReadyTime(now, ir::StallReason::Wait));
    }
    return block;
  }

  void end_block(std::uint32_t block, Cycle now) {
    for (const WarpSlot slot : blocks[block].slots) warps.retire(slot, now);
    barriers.end_block(block);
    async.end_block(block);
    blocks.end(block);
  }
};

StaticOp of_kind(OpKind kind) {
  StaticOp op;
  op.kind = kind;
  return op;
}

void Units::arrive(WarpSlot slot, OpKind kind, const stream::BarrierUse& use, Cycle now) {
  barriers.arrive(slot, of_kind(kind), use, blocks[warps[slot].block], now);
}

TEST_CASE("a block finds no warps at its barriers that came in the block before it and did not wait") {
  Units units;
  const std::uint32_t first = units.start_block(2, 0);
  units.arrive(0, OpKind::BarrierArrive, {3, 2}, 10);
  // As long as the first one is there, its barrier counts to two.
  CHECK_THROWS_AS(units.arrive(1, OpKind::Barrier, {3, 4}, 11), stream::KernelFault);
  units.end_block(first, 20);

  const std::uint32_t second = units.start_block(2, 30);
  REQUIRE(second == first);
  units.arrive(1, OpKind::Barrier, {3, 4}, 40);
  CHECK(units.barriers.holds(1));
  units.arrive(0, OpKind::BarrierArrive, {3, 4}, 50);
  CHECK(units.barriers.holds(1));
}

TEST_CASE("an exit opens a barrier at which all others wait, and none at which nobody has come") {
  Units units;
  const std::uint32_t block = units.start_block(3, 0);
  units.barriers.warp_exits(block, 3, 5);
  units.arrive(0, OpKind::Barrier, {}, 10);
  units.arrive(1, OpKind::Barrier, {}, 11);
  CHECK(units.barriers.describe(0, 3) ==
        "waits at barrier 0 of instruction 0, to which 2 of 3 warps have come");
  units.barriers.warp_exits(block, 2, 12);
  CHECK_FALSE(units.barriers.holds(0));
  CHECK_FALSE(units.barriers.holds(1));
}

TEST_CASE("a block finds no mbarriers of the one before it") {
  Units units;
  stream::AsyncStep init;
  init.uses = {{64, 1, 0}};
  const std::uint32_t first = units.start_block(1, 0);
  CHECK(units.async.find(first) == nullptr);
  units.async.act(0, of_kind(OpKind::Mbarrier), init, 10);
  REQUIRE(units.async.find(first) != nullptr);
  CHECK(units.async.find(first)->barriers.contains(64));
  units.end_block(first, 20);
  REQUIRE(units.start_block(1, 30) == first);
  CHECK(units.async.find(first) == nullptr);
}

TEST_CASE("the last warp of a warpgroup lets the four go on, and no others") {
  Units units;
  const std::uint32_t block = units.start_block(8, 0);
  const std::vector<WarpSlot>& slots = units.blocks[block].slots;
  for (const std::uint32_t warp : {0U, 2U, 5U, 3U}) units.warpgroups.arrive(slots[warp], slots, 10);
  for (const std::uint32_t warp : {0U, 2U, 5U, 3U}) CHECK(units.warpgroups.holds(slots[warp]));
  units.warpgroups.arrive(slots[1], slots, 20);
  for (const std::uint32_t warp : {0U, 1U, 2U, 3U}) CHECK_FALSE(units.warpgroups.holds(slots[warp]));
  CHECK(units.warpgroups.holds(slots[5]));
}

}  // namespace
}  // namespace heddle::test
