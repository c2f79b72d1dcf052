#include "sim/sm/inbox.h"

#include <random>
#include <set>
#include <tuple>

#include "tests/support/catch.h"
#include "tests/support/seed.h"

namespace heddle::sim {
namespace {

using Key = std::tuple<Cycle, std::uint32_t, std::uint32_t>;

Key key_of(const MemoryReply& reply) { return {reply.time, reply.tag, reply.sectors}; }

TEST_CASE("Replies are taken by time, however they were delivered") {
  const std::uint32_t seed = test::drawn_seed();
  INFO("seed " << seed);
  std::mt19937 engine(seed);
  const auto random = [&](std::uint32_t below) { return static_cast<std::uint32_t>(engine() % below); };
  Inbox inbox;
  std::multiset<Key> waiting;
  CHECK(inbox.next() == kNever);
  for (Cycle quantum = 0; quantum < 200; ++quantum) {
    const Cycle begin = quantum * 10;
    for (unsigned left = random(8); left > 0; --left) {
      const MemoryReply reply{begin + random(40), random(3), static_cast<std::uint16_t>(random(2))};
      inbox.deliver(reply);
      waiting.insert(key_of(reply));
    }
    CHECK(inbox.next() == (waiting.empty() ? kNever : std::get<Cycle>(*waiting.begin())));
    std::vector<MemoryReply> found;
    inbox.find(begin + 10, found);
    std::multiset<Key> due;
    for (const MemoryReply& reply : found) due.insert(key_of(reply));
    const std::multiset<Key> expected(waiting.begin(), waiting.lower_bound({begin + 10, 0, 0}));
    CHECK(due == expected);
    inbox.open();
    for (Cycle now = begin; now < begin + 10; ++now) {
      inbox.take_until(now, [&](const MemoryReply& reply) {
        REQUIRE_FALSE(waiting.empty());
        CHECK(reply.time == now);
        CHECK(key_of(reply) == *waiting.begin());
        waiting.erase(waiting.begin());
      });
    }
    CHECK((waiting.empty() || std::get<Cycle>(*waiting.begin()) >= begin + 10));
  }
}

}  // namespace
}  // namespace heddle::sim
