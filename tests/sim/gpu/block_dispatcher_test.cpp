#include "sim/gpu/block_dispatcher.h"

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

std::vector<Order> fill(BlockDispatcher& dispatcher) {
  std::vector<Order> orders;
  for (const BlockStartOrder& order : dispatcher.fill()) orders.push_back({order.at, order.sm, order.block});
  return orders;
}

GpuSpec spec(const std::string& dispatch, unsigned sms = 3) {
  return load_gpu("tiny", {"sms=" + std::to_string(sms), dispatch});
}

TEST_CASE("blocks go round the SMs in the order of their index, one an interval") {
  BlockDispatcher dispatcher(spec("dispatch.kernel_launch=100"), 5, 2);
  CHECK(fill(dispatcher) ==
        std::vector<Order>{{100, 0, 0}, {101, 1, 1}, {102, 2, 2}, {103, 0, 3}, {104, 1, 4}});
  CHECK(dispatcher.all_started());
  CHECK(dispatcher.last_start() == 104);
}

TEST_CASE("no SM is given more blocks than it has places") {
  BlockDispatcher dispatcher(spec("dispatch.block_interval=7"), 1000, 2);
  const std::vector<Order> orders = fill(dispatcher);
  REQUIRE(orders.size() == 6);
  CHECK(orders.back() == Order{10 + 5 * 7, 2, 5});
  CHECK_FALSE(dispatcher.all_started());
}

TEST_CASE("a free place is filled block_launch later, in the order in which places become free") {
  BlockDispatcher dispatcher(spec("dispatch.block_launch=50", 2), 5, 1);
  fill(dispatcher);
  BlockStartOrder order;
  REQUIRE(dispatcher.refill(1, 1000, order));
  CHECK((order.at == 1050 && order.sm == 1 && order.block == 2));
  REQUIRE(dispatcher.refill(0, 1000, order));  // the dispatcher sends one block a cycle
  CHECK((order.at == 1051 && order.sm == 0 && order.block == 3));
  REQUIRE(dispatcher.refill(0, 2000, order));
  CHECK((order.at == 2050 && order.sm == 0 && order.block == 4));
  CHECK(dispatcher.last_start() == 2050);
  CHECK_FALSE(dispatcher.refill(1, 3000, order));
}

TEST_CASE("refills wait for the dispatcher when it is the slower one") {
  BlockDispatcher dispatcher(spec("dispatch.block_interval=40", 2), 6, 1);
  fill(dispatcher);  // at 10 and 50, the next not before 90
  BlockStartOrder order;
  REQUIRE(dispatcher.refill(0, 60, order));
  CHECK(order.at == 90);
  REQUIRE(dispatcher.refill(1, 61, order));
  CHECK(order.at == 130);
  REQUIRE(dispatcher.refill(0, 500, order));
  CHECK(order.at == 505);
}

TEST_CASE("an interval of blocks need not be whole cycles") {
  BlockDispatcher dispatcher(spec("dispatch.block_interval=1.25", 9), 9, 1);
  const std::vector<Order> orders = fill(dispatcher);
  REQUIRE(orders.size() == 9);
  for (std::size_t i = 0; i < orders.size(); ++i) CHECK(orders[i].at == 10 + i * 5 / 4);
}

}  // namespace
}  // namespace heddle::sim
