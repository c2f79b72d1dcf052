#include "sim/device/block_scheduler.h"

#include "sim/config/load.h"
#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

struct Order {
  Cycle at;
  SmId sm;
  BlockId block;
  friend bool operator==(const Order&, const Order&) = default;
};

/// One grid, of whose blocks an SM has `places` places.
class OneGrid {
 public:
  OneGrid(const GpuSpec& spec, std::uint64_t blocks, std::uint32_t places) : scheduler_(spec) {
    GridQueueEntry grid;
    grid.blocks = blocks;
    grid.demand.block.warps = spec.occupancy.max_warps / places;
    grid.ready_at = spec.dispatch.kernel_launch;
    scheduler_.launch(grid);
  }

  std::vector<Order> fill() { return decide(0); }
  /// A place becomes free: who takes it.
  std::vector<Order> refill(SmId sm, Cycle when, BlockId block) {
    scheduler_.block_ended(sm, {when, block, 0});
    return decide(when);
  }
  [[nodiscard]] bool all_started() const { return scheduler_.all_started(0); }
  [[nodiscard]] Cycle last_start() const { return scheduler_.last_start(0); }

 private:
  std::vector<Order> decide(Cycle now) {
    std::vector<Order> orders;
    now = std::max(now, scheduler_.next() == kNever ? 0 : scheduler_.next() + 1);
    for (const BlockStartOrder& order : scheduler_.decide(now)) {
      orders.push_back({order.start.at, order.sm, order.start.block});
    }
    return orders;
  }

  BlockScheduler scheduler_;
};

GpuSpec spec(const std::string& dispatch, unsigned sms = 3) {
  return load_gpu("tiny", {"sms=" + std::to_string(sms), dispatch});
}

TEST_CASE("blocks go round the SMs in the order of their index, one an interval") {
  OneGrid grid(spec("dispatch.kernel_launch=100"), 5, 2);
  CHECK(grid.fill() == std::vector<Order>{{100, 0, 0}, {101, 1, 1}, {102, 2, 2}, {103, 0, 3}, {104, 1, 4}});
  CHECK(grid.all_started());
  CHECK(grid.last_start() == 104);
}

TEST_CASE("no SM is given more blocks than it has places") {
  OneGrid grid(spec("dispatch.block_interval=7"), 1000, 2);
  const std::vector<Order> orders = grid.fill();
  REQUIRE(orders.size() == 6);
  CHECK(orders.back() == Order{10 + 5 * 7, 2, 5});
  CHECK_FALSE(grid.all_started());
}

TEST_CASE("a free place is filled block_launch later, in the order in which places become free") {
  OneGrid grid(spec("dispatch.block_launch=50", 2), 5, 1);
  grid.fill();
  CHECK(grid.refill(1, 1000, 1) == std::vector<Order>{{1050, 1, 2}});
  CHECK(grid.refill(0, 1000, 0) == std::vector<Order>{{1051, 0, 3}});  // one block a cycle is sent
  CHECK(grid.refill(0, 2000, 3) == std::vector<Order>{{2050, 0, 4}});
  CHECK(grid.last_start() == 2050);
  CHECK(grid.refill(1, 3000, 2).empty());
}

TEST_CASE("refills wait for the scheduler when it is the slower one") {
  OneGrid grid(spec("dispatch.block_interval=40", 2), 6, 1);
  grid.fill();  // at 10 and 50, the next not before 90
  CHECK(grid.refill(0, 60, 0) == std::vector<Order>{{90, 0, 2}});
  CHECK(grid.refill(1, 61, 1) == std::vector<Order>{{130, 1, 3}});
  CHECK(grid.refill(0, 500, 2) == std::vector<Order>{{505, 0, 4}});
}

TEST_CASE("an interval of blocks need not be whole cycles") {
  OneGrid grid(spec("dispatch.block_interval=1.25", 9), 9, 1);
  const std::vector<Order> orders = grid.fill();
  REQUIRE(orders.size() == 9);
  for (std::size_t i = 0; i < orders.size(); ++i) CHECK(orders[i].at == 10 + i * 5 / 4);
}

// -- several grids ------------------------------------------------------------------------------------------

/// Which block of which grid goes where.
struct Placed {
  GridSlot grid;
  BlockId block;
  SmId sm;
  friend bool operator==(const Placed&, const Placed&) = default;
};

/// tiny: SMs of 16 warps and 8 blocks.
class Several {
 public:
  explicit Several(unsigned sms) : spec_(spec("dispatch.kernel_launch=100", sms)), scheduler_(spec_) {}

  void launch(GridSlot slot, std::uint64_t blocks, std::uint64_t warps, int priority = 0, Cycle ready = 100) {
    GridQueueEntry grid;
    grid.id = slot;
    grid.slot = slot;
    grid.priority = priority;
    grid.blocks = blocks;
    grid.demand.block.warps = warps;
    grid.ready_at = ready;
    scheduler_.launch(grid);
  }
  std::vector<Placed> decide(Cycle now) {
    std::vector<Placed> placed;
    for (const BlockStartOrder& order : scheduler_.decide(now)) {
      CHECK(order.start.at >= last_);
      last_ = order.start.at;
      placed.push_back({order.start.grid, order.start.block, order.sm});
    }
    return placed;
  }
  void ended(const Placed& block, Cycle at) {
    scheduler_.block_ended(block.sm, {at, block.block, block.grid});
  }

 private:
  GpuSpec spec_;
  BlockScheduler scheduler_;
  Cycle last_ = 0;
};

using List = std::vector<Placed>;

TEST_CASE("the next grid gets what the first leaves, and nothing while the first has blocks to start") {
  Several gpu(2);
  gpu.launch(0, 3, 10);  // one on each SM, one more to come
  gpu.launch(1, 9, 3);
  CHECK(gpu.decide(100) == List{{0, 0, 0}, {0, 1, 1}});
  gpu.ended({0, 0, 0}, 500);
  // The last block of the first grid, then two of the other one beside it, and two on the other SM.
  CHECK(gpu.decide(500) == List{{0, 2, 0}, {1, 0, 0}, {1, 1, 1}, {1, 2, 0}, {1, 3, 1}});
  gpu.ended({0, 1, 1}, 900);
  CHECK(gpu.decide(900) == List{{1, 4, 1}, {1, 5, 1}, {1, 6, 1}});
}

TEST_CASE("a block goes where most blocks like it fit") {
  Several gpu(3);
  gpu.launch(0, 4, 6);  // 2, 1, 1
  gpu.launch(1, 4, 2);  // there is room for 2, 5, 5
  CHECK(gpu.decide(100) ==
        List{{0, 0, 0}, {0, 1, 1}, {0, 2, 2}, {0, 3, 0}, {1, 0, 1}, {1, 1, 2}, {1, 2, 1}, {1, 3, 2}});
}

TEST_CASE("a grid that fits nowhere holds up those behind it") {
  Several gpu(1);
  gpu.launch(0, 1, 10);
  gpu.launch(1, 1, 8);
  gpu.launch(2, 1, 2);
  CHECK(gpu.decide(100) == List{{0, 0, 0}});
  gpu.ended({0, 0, 0}, 300);
  CHECK(gpu.decide(300) == List{{1, 0, 0}, {2, 0, 0}});
}

TEST_CASE("blocks of a higher priority are placed first, and none is preempted") {
  Several gpu(1);
  gpu.launch(0, 4, 8);
  gpu.launch(1, 2, 8, -1);
  CHECK(gpu.decide(100) == List{{1, 0, 0}, {1, 1, 0}});
  gpu.ended({1, 0, 0}, 200);
  CHECK(gpu.decide(200) == List{{0, 0, 0}});
  gpu.launch(2, 2, 8, -2, 400);
  CHECK(gpu.decide(395) == List{});
  gpu.ended({1, 1, 0}, 450);
  CHECK(gpu.decide(450) == List{{2, 0, 0}});
  gpu.ended({0, 0, 0}, 460);
  gpu.ended({2, 0, 0}, 470);
  CHECK(gpu.decide(470) == List{{2, 1, 0}, {0, 1, 0}});
}

TEST_CASE("when decisions are asked for does not change them") {
  const auto play = [](Cycle step) {
    Several gpu(2);
    gpu.launch(0, 6, 8);
    gpu.launch(1, 6, 4, -1, 107);
    gpu.launch(2, 6, 2, 0, 133);
    List all;
    std::size_t next = 0;
    for (Cycle now = 0; now < 400; now += step) {
      // Each block lasts 20 cycles from the 5th on after it was placed, one after the other.
      for (; next < all.size() && 120 + 10 * next < now; ++next) gpu.ended(all[next], 120 + 10 * next);
      for (const Placed& each : gpu.decide(now)) all.push_back(each);
    }
    return all;
  };
  const List one = play(1);
  CHECK(one.size() == 18);
  CHECK(play(5) == one);
}

}  // namespace
}  // namespace heddle::sim
