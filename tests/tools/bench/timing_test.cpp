#include "tools/bench/timing.h"

#include "tests/support/catch.h"
#include "tests/tools/bench/made_up_run.h"

namespace heddle::bench {

TEST_CASE("The median of repeated times is the one in the middle, of an even number the middle of two") {
  CHECK(Timing({3, 1, 2}).median() == 2);
  CHECK(Timing({4, 1, 3, 100}).median() == 3.5);
  CHECK(Timing({7}).median() == 7);
  CHECK(Timing().median() == 0);
}

TEST_CASE("Noise is the median distance from the median, as a share of it") {
  CHECK(Timing({10, 11, 9, 12, 8}).noise() == Approx(0.1));
  CHECK(Timing({10, 10, 10, 1000}).noise() == 0);  // one that somebody else's work has spoilt
  CHECK(Timing({5}).noise() == 0);
  CHECK(Timing().noise() == 0);
}

TEST_CASE("A row's figures are those of its median times") {
  const Row row = made_up_run().rows[0];
  CHECK(row.functional->per_second() == Approx(80e6));
  CHECK(row.timed.per_second() == Approx(20e6));
  CHECK(row.threaded->per_second() == Approx(32e6));
  CHECK(row.timed_per_functional().value() == Approx(4));
  CHECK(row.cycles_per_second() == Approx(2.5e6));
  CHECK(row.bytes_per_resident_warp() == Approx(2500));
  CHECK(row.noise() == Approx(0.01));
}

TEST_CASE("A row without functional execution has no ratio to it") {
  CHECK_FALSE(made_up_run().rows[1].timed_per_functional());
}

}  // namespace heddle::bench
