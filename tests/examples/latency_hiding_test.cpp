// How many warps hide the wait for memory: the lecture's formula against a run of the lecture's GPU.
//
// A warp that waits L cycles for a load and then keeps the unit busy for b uses it b / (L + b) of the time; W
// warps use it W times as much, until it is always busy: min(1, b W / (L + b)).
#include <fmt/format.h>

#include <algorithm>

#include "isa/base/diagnostic.h"
#include "sim/config/load.h"
#include "tests/examples/example_runs.h"
#include "tests/support/catch.h"

namespace heddle::examples {
namespace {

/// The unit's numbers, and how long a warp takes from one load to the next.
struct Unit {
  Cycle interval = 4;
  Cycle latency = 4;
  Cycle load = 400;
  const char* scheduler = "gto";

  [[nodiscard]] Cycle period(unsigned warps) const { return std::max(load + latency, interval * warps); }
};

sim::GpuSpec textbook(const Unit& unit) {
  return sim::load_gpu("textbook",
                       {fmt::format("sm.instructions.alu.interval={}", unit.interval),
                        fmt::format("sm.instructions.alu.latency={}", unit.latency),
                        fmt::format("dram.latency={}", unit.load),
                        fmt::format("sm.scheduler={}", unit.scheduler), "occupancy.max_warps=128",
                        "occupancy.max_blocks=128", "occupancy.registers=131072"});
}

/// Cycles for which the unit was busy in twenty periods of the steady state, in which no warp has finished.
Cycle steady_busy(const Unit& unit, unsigned warps) {
  // A warp a block: any number of them can be had.
  launch::LaunchFile file =
      load_example("latency", {fmt::format("warps={}", warps), fmt::format("blocks={}", warps)});
  const test::Timeline run = trace_example(file, textbook(unit));
  const Pc first = pc_of(file, "pairs");
  const Pc last = pc_of(file, "pairs_end");
  const Cycle from = 20 * unit.period(warps);
  const Cycle until = 40 * unit.period(warps);
  Cycle busy = 0;
  for (const sim::WarpIssued& event : run.issued) {
    if (event.pc >= last) REQUIRE(event.cycle >= until);
    const bool is_use = event.pc >= first && event.pc < last && (event.pc - first) % 2 == 1;
    if (is_use && event.cycle >= from && event.cycle < until) busy += unit.interval;
  }
  return busy;
}

/// One row: the formula and the simulation. They agree in integers, until the unit has hardly a slot to spare.
std::string check_row(const Unit& unit, unsigned warps) {
  const Cycle busy = steady_busy(unit, warps);
  const Cycle period = unit.period(warps);
  const Cycle of_period = unit.interval * warps;
  const auto percent = [](Cycle part, Cycle whole) {
    return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  };
  const std::string row = fmt::format("{:5}  {:3} / {:3} {:6.2f} %  {:8.2f} %\n", warps, of_period, period,
                                      percent(of_period, period), percent(busy, 20 * period));
  INFO("warps   formula            simulation\n" << row);
  // Where nearly every issue slot of the unit is taken, now and then a load takes one: at most one use in 160.
  const Cycle lost = 10 * of_period > 9 * period && unit.interval < unit.latency ? 20 * of_period / 160 : 0;
  CHECK(busy <= 20 * of_period);
  CHECK(busy + lost >= 20 * of_period);
  return row;
}

std::string check_table(const Unit& unit, std::initializer_list<unsigned> numbers_of_warps) {
  std::string table = "warps   formula            simulation\n";
  for (const unsigned warps : numbers_of_warps) table += check_row(unit, warps);
  return table;
}

TEST_CASE("W warps keep the unit busy 4 W / 404 of the time, as many as a real SM has") {
  SUCCEED(check_table({}, {1, 2, 3, 4, 7, 8, 16, 31, 32, 33, 48, 63, 64}));  // -s prints it
}

TEST_CASE("W warps keep the unit busy min(1, 4 W / 404) of the time") {
  // The same 404 cycles from load to load, but the result comes a cycle after the unit is free: see below.
  SUCCEED(check_table({.latency = 5, .load = 399}, {1, 2, 3, 32, 63, 64, 65, 99, 100, 101, 102, 110, 127, 128}));
}

TEST_CASE("more warps than hide the wait do not help") {
  // A unit that is busy for 8 cycles is full with 51 warps: 8 x 51 = 408, above the 405 from load to load.
  for (const char* scheduler : {"gto", "lrr"}) {
    SUCCEED(check_table({.interval = 8, .latency = 5, .scheduler = scheduler},
                        {1, 2, 25, 32, 49, 50, 51, 52, 56, 64}));
  }
}

TEST_CASE("a load that takes the issue slot at which the unit becomes free costs the unit a cycle") {
  // Where the result is ready in the cycle in which the unit is free again, a greedy scheduler issues the
  // same warp's load first: 8 busy cycles of 9 instead of all, though 64 warps are there to fill them.
  const Unit unit{.interval = 8, .latency = 8};
  const Cycle window = 20 * unit.period(64);
  const Cycle busy = steady_busy(unit, 64);
  CHECK(busy >= window * 8 / 9 - 16);
  CHECK(busy <= window * 8 / 9 + 16);
}

TEST_CASE("a scheduler with more than 128 warps is refused, not mistaken") {
  CHECK_THROWS_AS(sim::load_gpu("textbook", {"occupancy.max_warps=129"}), InputError);
  CHECK_THROWS_AS(sim::load_gpu("tiny", {"occupancy.max_warps=256", "sm.sub_partitions=1"}), InputError);
  CHECK_NOTHROW(sim::load_gpu("tiny", {"occupancy.max_warps=256"}));
}

}  // namespace
}  // namespace heddle::examples
