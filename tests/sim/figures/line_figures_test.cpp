// Folding of counters by instruction into counters by line.
#include "sim/figures/line_figures.h"

#include "tests/support/catch.h"

namespace heddle::sim {

namespace {

PcCounters counted(std::uint64_t issued, std::uint64_t barrier, std::uint64_t wait) {
  PcCounters counters;
  counters.issued = issued;
  counters.lost_slots[ir::StallReason::Barrier] = barrier;
  counters.lost_slots[ir::StallReason::Wait] = wait;
  return counters;
}

}  // namespace

TEST_CASE("Instructions of one line are counted together, in the order of files and lines") {
  const std::vector<PcCounters> by_pc = {counted(1, 2, 3), counted(10, 20, 30), counted(100, 200, 300),
                                         counted(1000, 2000, 3000)};
  const std::vector<LinePlace> places = {{1, 5}, {0, 7}, {1, 5}};  // nothing is known of the last one
  const std::vector<Cost> costs = {{{}, 7}, {{}, 5}, {{}, 30}};    // and nothing for the last one
  const std::vector<LineFigures> lines = figures_by_line(by_pc, costs, places);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].place == LinePlace{0, 0});
  CHECK(lines[0].counters == by_pc[3]);
  CHECK(lines[1].place == LinePlace{0, 7});
  CHECK(lines[1].counters == by_pc[1]);
  CHECK(lines[2].place == LinePlace{1, 5});
  CHECK(lines[2].counters == counted(101, 202, 303));
  CHECK(lines[0].cost == Cost{});
  CHECK(lines[1].cost.lanes == 5);
  CHECK(lines[2].cost.lanes == 37);
}

TEST_CASE("The first reason is the one that most slots were lost to") {
  CHECK_FALSE(first_reason({}));
  const auto first = first_reason(counted(0, 4, 5).lost_slots);
  REQUIRE(first);
  CHECK(first->key == "wait");
  CHECK(first->slots == 5);
  CHECK(first_reason(counted(0, 6, 5).lost_slots)->key == "barrier");
}

TEST_CASE("The worst lines come first, if their numbers are known") {
  std::vector<Cost> costs(4);
  costs[0].slots[ir::StallReason::Wait] = 900;
  costs[1].slots[ir::StallReason::Barrier] = 2;
  costs[2].lanes = 65;
  const std::vector<LinePlace> places = {{0, 0}, {0, 3}, {0, 9}, {0, 10}};
  const auto lines = figures_by_line(std::vector<PcCounters>(4), costs, places);
  const auto worst = worst_first(lines, 32);  // a lost slot is 32 lost lanes
  REQUIRE(worst.size() == 2);
  CHECK(worst[0]->place.line == 9);
  CHECK(worst[1]->place.line == 3);
  CHECK(worst_first(lines, 64).front()->place.line == 3);
}

}  // namespace heddle::sim
