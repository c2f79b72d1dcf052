#include "sim/sm/stamp.h"

#include <algorithm>

#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

using ir::StallReason;

TEST_CASE("a stamp gives back its cycle and its reason") {
  for (const Cycle cycle : {Cycle{0}, Cycle{1}, Cycle{123456789}, Cycle{1} << 52}) {
    for (std::size_t i = 0; i < ir::kStallReasons; ++i) {
      const Stamp stamp(cycle, static_cast<StallReason>(i));
      CHECK(stamp.cycle() == cycle);
      CHECK(stamp.reason() == static_cast<StallReason>(i));
      CHECK_FALSE(stamp.is_pending());
    }
  }
}

TEST_CASE("the later cycle wins whatever the reasons, then the later reason") {
  CHECK(Stamp(5, StallReason::BranchResolving) < Stamp(6, StallReason::NotSelected));
  CHECK(Stamp(5, StallReason::Wait) < Stamp(5, StallReason::LongScoreboard));
  CHECK(Stamp(5, StallReason::ShortScoreboard) > Stamp(5, StallReason::LongScoreboard));
  CHECK(Stamp(5, StallReason::Wait) == Stamp(5, StallReason::Wait));
}

TEST_CASE("a stamp whose cycle is not known is later than all others") {
  const Stamp pending = Stamp::pending(StallReason::NotSelected);
  CHECK(pending.is_pending());
  CHECK(pending.reason() == StallReason::NotSelected);
  CHECK(pending > Stamp(Cycle{1} << 52, StallReason::BranchResolving));
  CHECK(std::max(Stamp::pending(StallReason::LongScoreboard), pending).reason() ==
        StallReason::LongScoreboard);
}

TEST_CASE("a stamp goes across as late as its origin is for who asks") {
  Crossing crossing;
  crossing.set(1, 3);
  crossing.set(2, kMostCrossing);
  for (const Cycle cycle : {Cycle{0}, Cycle{7}, Cycle{1} << 52}) {
    CHECK(Stamp(cycle, StallReason::Wait).across(crossing) == Stamp(cycle, StallReason::Wait));
    CHECK(Stamp(cycle, StallReason::Wait, 1).across(crossing).cycle() == cycle + 3);
    CHECK(Stamp(cycle, StallReason::Wait, 2).across(crossing).cycle() == cycle + kMostCrossing);
    CHECK(Stamp(cycle, StallReason::Wait, 2).across(crossing).reason() == StallReason::Wait);
    CHECK(Stamp(cycle, StallReason::Wait, 2).across(Crossing()).cycle() == cycle);
    CHECK(Stamp(cycle, StallReason::Wait, 1).after(4).across(crossing).cycle() == cycle + 4 + 3);
  }
  CHECK(Stamp::pending(StallReason::LongScoreboard).across(crossing).is_pending());
}

TEST_CASE("a fresh stamp is before every other") {
  CHECK(Stamp().cycle() == 0);
  CHECK(Stamp() <= Stamp(0, StallReason::NotSelected));
}

}  // namespace
}  // namespace heddle::sim
