// A launch's result from two shorter ones, against closed forms.
#include "sim/device/extrapolated.h"

#include "sim/ledger/visit_counters.h"
#include "tests/support/catch.h"

namespace heddle::sim {

namespace {

/// Each counter is a + b x waves, with other a and b for each.
SmCounters linear(std::uint64_t waves) {
  SmCounters counters;
  counters.pipe_busy.resize(3);
  std::uint64_t place = 0;
  visit_counters(counters, [&](std::string_view, std::string_view, std::uint64_t& value) {
    value = 100 + 7 * place + (3 + place % 5) * waves;
    ++place;
  });
  return counters;
}

RunResult result_of(std::uint64_t waves) {
  RunResult result;
  result.cycles = 1500 + 400 * waves;
  result.blocks_end = 1400 + 400 * waves;
  result.total = linear(waves);
  result.sms = {linear(waves)};
  return result;
}

}  // namespace

TEST_CASE("What is linear in the number of waves is found exactly") {
  const RunResult found = extrapolated(result_of(3), result_of(5), 20);
  CHECK(found.cycles == result_of(45).cycles);
  CHECK(found.blocks_end == result_of(45).blocks_end);
  CHECK(found.total == linear(45));
  CHECK(found.sms[0] == linear(5));
  CHECK(extrapolated(result_of(3), result_of(5), 0).total == linear(5));
}

TEST_CASE("A part that would be negative is 0, and its ledger has the sum that it would have") {
  RunResult first = result_of(3);
  RunResult second = result_of(5);
  first.total.warp_slots[WarpSlotPart::Tail] = 60;
  second.total.warp_slots[WarpSlotPart::Tail] = 50;
  first.total.divergent_branches = 60;
  second.total.divergent_branches = 50;
  const std::uint64_t sum =
      second.total.warp_slots.sum() + 20 * (second.total.warp_slots.sum() - first.total.warp_slots.sum());
  const RunResult found = extrapolated(first, second, 20);
  CHECK(found.total.warp_slots[WarpSlotPart::Tail] == 0);
  CHECK(found.total.warp_slots.sum() == sum);
  CHECK(found.total.divergent_branches == 0);
  CHECK(found.total.lane_slots == linear(45).lane_slots);
}

}  // namespace heddle::sim
