#include "sim/sm/ready_time.h"

#include <algorithm>

#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

using ir::StallReason;

TEST_CASE("a ready time gives back its cycle and its reason") {
  for (const Cycle cycle : {Cycle{0}, Cycle{1}, Cycle{123456789}, Cycle{1} << 52}) {
    for (std::size_t i = 0; i < ir::kStallReasons; ++i) {
      const ReadyTime ready_time(cycle, static_cast<StallReason>(i));
      CHECK(ready_time.cycle() == cycle);
      CHECK(ready_time.reason() == static_cast<StallReason>(i));
      CHECK_FALSE(ready_time.is_pending());
    }
  }
}

TEST_CASE("the later cycle wins whatever the reasons, then the later reason") {
  CHECK(ReadyTime(5, StallReason::BranchResolving) < ReadyTime(6, StallReason::NotSelected));
  CHECK(ReadyTime(5, StallReason::Wait) < ReadyTime(5, StallReason::LongScoreboard));
  CHECK(ReadyTime(5, StallReason::ShortScoreboard) > ReadyTime(5, StallReason::LongScoreboard));
  CHECK(ReadyTime(5, StallReason::Wait) == ReadyTime(5, StallReason::Wait));
}

TEST_CASE("a ready time whose cycle is not known is later than all others") {
  const ReadyTime pending = ReadyTime::pending(StallReason::NotSelected);
  CHECK(pending.is_pending());
  CHECK(pending.reason() == StallReason::NotSelected);
  CHECK(pending > ReadyTime(Cycle{1} << 52, StallReason::BranchResolving));
  CHECK(std::max(ReadyTime::pending(StallReason::LongScoreboard), pending).reason() ==
        StallReason::LongScoreboard);
}

TEST_CASE("a ready time goes across as late as its origin is for who asks") {
  BypassDelays bypass;
  bypass.set(1, 3);
  bypass.set(2, kMostBypassDelay);
  for (const Cycle cycle : {Cycle{0}, Cycle{7}, Cycle{1} << 52}) {
    CHECK(ReadyTime(cycle, StallReason::Wait).across(bypass) == ReadyTime(cycle, StallReason::Wait));
    CHECK(ReadyTime(cycle, StallReason::Wait, 1).across(bypass).cycle() == cycle + 3);
    CHECK(ReadyTime(cycle, StallReason::Wait, 2).across(bypass).cycle() == cycle + kMostBypassDelay);
    CHECK(ReadyTime(cycle, StallReason::Wait, 2).across(bypass).reason() == StallReason::Wait);
    CHECK(ReadyTime(cycle, StallReason::Wait, 2).across(BypassDelays()).cycle() == cycle);
    CHECK(ReadyTime(cycle, StallReason::Wait, 1).after(4).across(bypass).cycle() == cycle + 4 + 3);
  }
  CHECK(ReadyTime::pending(StallReason::LongScoreboard).across(bypass).is_pending());
}

TEST_CASE("a fresh ready time is before every other") {
  CHECK(ReadyTime().cycle() == 0);
  CHECK(ReadyTime() <= ReadyTime(0, StallReason::NotSelected));
}

}  // namespace
}  // namespace heddle::sim
