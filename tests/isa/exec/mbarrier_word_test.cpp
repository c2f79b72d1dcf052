// The bits of an mbarrier, by what PTX ISA says of arrivals, bytes and phases.
#include "isa/exec/mbarrier_word.h"

#include "tests/support/catch.h"
#include "tests/support/lane_values.h"
#include "tests/support/seed.h"

namespace heddle::exec {
namespace {

/// As ptxas 13.0 computes what mbarrier.init stores: (2^20 - n) << 1 in the low word, << 11 in the high one.
std::uint64_t initial(std::uint32_t arrivals) {
  const std::uint32_t complement = (1U << 20) - arrivals;
  return std::uint64_t{complement << 11} << 32 | complement << 1;
}

/// As it computes mbarrier.pending_count of a state.
std::uint32_t pending_count(std::uint64_t state) {
  return (1U << 20) - (static_cast<std::uint32_t>(state >> 32) >> 11 & 0xfffff);
}

TEST_CASE("a new mbarrier expects as many arrivals as it is told, in a phase of parity 0") {
  for (const std::uint32_t arrivals : {1U, 2U, 32U, 1024U, (1U << 20) - 1}) {
    CAPTURE(arrivals);
    CHECK(expected_arrivals(initial(arrivals)) == arrivals);
    CHECK(pending_count(initial(arrivals)) == arrivals);
    CHECK_FALSE(is_phase_over(initial(arrivals), false));
    CHECK(is_phase_over(initial(arrivals), true));  // the one before
  }
}

TEST_CASE("a phase ends with its last arrival, and the next one expects as many") {
  std::uint64_t word = initial(3);
  for (unsigned phase = 0; phase < 4; ++phase) {
    const bool parity = phase % 2 == 1;
    word = changed_mbarrier(word, {1});
    CHECK(pending_count(word) == 2);
    word = changed_mbarrier(word, {1});
    CHECK_FALSE(is_phase_over(word, parity));
    word = changed_mbarrier(word, {1});
    CHECK(is_phase_over(word, parity));
    CHECK(pending_count(word) == 3);
  }
  CHECK(word == initial(3));
}

TEST_CASE("a phase waits for bytes that are announced, whether they come before or after") {
  std::uint64_t word = changed_mbarrier(initial(1), {1, false, 4096});
  CHECK_FALSE(is_phase_over(word, false));
  word = changed_mbarrier(word, {0, false, -4080});
  CHECK_FALSE(is_phase_over(word, false));
  word = changed_mbarrier(word, {0, false, -16});
  CHECK(is_phase_over(word, false));
  word = changed_mbarrier(word, {0, false, -64});
  CHECK_FALSE(is_phase_over(word, true));
  word = changed_mbarrier(word, {1, false, 64});
  CHECK(is_phase_over(word, true));
  CHECK(word == initial(1));
}

TEST_CASE("who departs is expected no longer") {
  std::uint64_t word = changed_mbarrier(initial(3), {1, true});
  CHECK(expected_arrivals(word) == 2);
  CHECK(pending_count(word) == 2);
  word = changed_mbarrier(word, {2});
  CHECK(is_phase_over(word, false));
  CHECK(pending_count(word) == 2);
  word = changed_mbarrier(word, {2, true});
  CHECK(is_phase_over(word, true));
  CHECK(expected_arrivals(word) == 0);
}

/// The same by fields of their own.
struct Plain {
  std::int64_t expected = 0;
  std::int64_t pending = 0;
  std::int64_t bytes = 0;
  bool parity = false;

  void change(const MbarrierChange& change) {
    pending -= change.arrivals;
    bytes += change.bytes;
    if (change.departs) expected -= change.arrivals;
    if (pending != 0 || bytes != 0) return;
    pending = expected;
    parity = !parity;
  }
};

TEST_CASE("random arrivals and bytes leave what fields of their own would") {
  const std::uint32_t seed = test::drawn_seed();
  INFO("seed " << seed);
  test::LaneValues values(seed);
  for (unsigned run = 0; run < 200; ++run) {
    const std::uint32_t arrivals = 1 + values.below(2000);
    Plain plain{arrivals, arrivals, 0, false};
    std::uint64_t word = initial(arrivals);
    for (unsigned step = 0; step < 100 && plain.expected > 1; ++step) {
      const auto most = static_cast<std::uint32_t>(plain.pending);
      const std::uint32_t count = most == 0 ? 0 : values.below(most + 1);
      const bool departs = values.below(8) == 0 && count < plain.expected;
      // Also enough to bring the sum to zero.
      const std::int64_t bytes = values.below(3) == 0 ? -plain.bytes : std::int64_t{values.below(4096)} - 2048;
      const MbarrierChange change{count, departs, bytes};
      plain.change(change);
      word = changed_mbarrier(word, change);
      CAPTURE(run, step, count, departs, bytes);
      REQUIRE(expected_arrivals(word) == plain.expected);
      REQUIRE(is_phase_over(word, false) == plain.parity);
      if (plain.pending != 0) REQUIRE(pending_count(word) == plain.pending);
    }
  }
}

}  // namespace
}  // namespace heddle::exec
