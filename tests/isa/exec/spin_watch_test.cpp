// Which loops seem to wait: by what their lanes hold each time they jump back.
#include "isa/exec/spin_watch.h"

#include <algorithm>

#include "isa/exec/warp.h"
#include "tests/support/catch.h"

namespace heddle::exec {
namespace {

constexpr RegisterRows kRows{64, 32};
constexpr JumpBack kLoop{9, 4};
constexpr JumpBack kInner{7, 6};

/// A warp of two registers.
Warp warp_of(LaneMask running) {
  Warp warp;
  warp.registers = hwy::AllocateAligned<std::uint32_t>(kRows.words);
  std::fill_n(warp.registers.get(), kRows.words, 0U);
  warp.paths = Paths(Divergence::Stack);
  warp.paths.start(0xffffffff, 0);
  if (running != 0xffffffff) warp.paths.diverge(static_cast<LaneMask>(~running) & 0xffffffffU, 20, 1, 30);
  return warp;
}

/// In how many of so many rounds the lanes are found to repeat; `change` comes before each, with its number.
template <typename Change>
unsigned repeats(LaneSpin& spin, Warp& warp, unsigned rounds, Change change) {
  unsigned found = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    change(round);
    found += spin.repeats(warp, kLoop, kRows) ? 1 : 0;
  }
  return found;
}

TEST_CASE("running lanes repeat where they hold the same twice in a row, whatever the others hold") {
  Warp warp = warp_of(0xff);
  REQUIRE(warp.paths.active() == 0xff);
  LaneSpin spin;
  // One round begins the watch, three pass, the fourth is remembered; the next is the first that is the same.
  CHECK(repeats(spin, warp, 6, [](unsigned) {}) == 0);
  CHECK(repeats(spin, warp, 5, [&](unsigned round) { warp.registers[32 + 8] = round; }) == 5);
  CHECK(repeats(spin, warp, 5, [&](unsigned round) { warp.registers[32 + 7] = round + 1; }) == 0);
}

TEST_CASE("running lanes whose state comes back after several rounds repeat when that was often enough") {
  Warp warp = warp_of(0xff);
  LaneSpin spin;
  const auto three_in_turn = [&](unsigned round) { warp.registers[0] = round % 3; };
  CHECK(repeats(spin, warp, 40, three_in_turn) == 0);
  CHECK(repeats(spin, warp, 300, three_in_turn) > 50);
}

TEST_CASE("running lanes that count never repeat, nor do those whose predicates change") {
  Warp warp = warp_of(0xff);
  LaneSpin spin;
  CHECK(repeats(spin, warp, 1000, [&](unsigned round) { warp.registers[3] = round; }) == 0);
  unsigned lanes = 1;
  CHECK(repeats(spin, warp, 1000, [&](unsigned) { warp.predicates[2] = lanes++ & 0xffU; }) < 8);
}

TEST_CASE("a loop within the loop does not end the watch of lanes, 64 of its rounds do") {
  for (const unsigned inner : {1U, 63U, 64U}) {
    Warp warp = warp_of(0xff);
    LaneSpin spin;
    spin.repeats(warp, kLoop, kRows);
    const unsigned found = repeats(spin, warp, 50, [&](unsigned) {
      for (unsigned i = 0; i < inner; ++i) {
        warp.registers[0] = i + 1;
        spin.repeats(warp, kInner, kRows);
      }
      warp.registers[0] = 0;
    });
    CHECK((found > 0) == (inner < 64));
  }
}

TEST_CASE("a warp seems endless after its state came back 16 times, and not before") {
  Warp warp = warp_of(0xffffffff);
  WarpSpin spin;
  for (unsigned round = 0; round < 5 + 15; ++round) spin.see(warp, kLoop, kRows, false);
  CHECK_FALSE(spin.seems_endless());
  spin.see(warp, kLoop, kRows, false);
  CHECK(spin.seems_endless());
  CHECK(spin.answer() == false);  // nobody has asked
  CHECK(spin.round().jump().to == kLoop.to);
  CHECK(spin.round().lanes() == 0xffffffff);
}

TEST_CASE("a warp that returns to other places is in another state, whatever its registers hold") {
  Warp warp = warp_of(0xffffffff);
  WarpSpin spin;
  for (unsigned round = 0; round < 10'000; ++round) {
    if (round % 10 == 0) warp.calls.push(0, round);
    spin.see(warp, kLoop, kRows, false);
    REQUIRE_FALSE(spin.seems_endless());
  }
}

TEST_CASE("a warp under convergence barriers is back when all paths that can run have had their turns") {
  for (const bool gives_way : {false, true}) {
    Warp warp = warp_of(0xffffffff);
    warp.paths = Paths(Divergence::Barriers);
    warp.paths.start(0xffffffff, 0);
    warp.paths.diverge(0xffffff00, 20, 1, kNowhere);
    REQUIRE(warp.paths.active() == 0xff);
    WarpSpin spin;
    for (unsigned round = 0; round < 1000; ++round) {
      spin.see(warp, kLoop, kRows, false);
      if (!gives_way) continue;
      warp.paths.yield();
      REQUIRE(warp.paths.active() == 0xffffff00);
      spin.see(warp, kInner, kRows, false);
      warp.paths.yield();
    }
    CHECK(spin.seems_endless() == gives_way);
  }
}

TEST_CASE("a warp whose other path gets on is in another state, whatever its registers hold") {
  Warp warp = warp_of(0xffffffff);
  warp.paths = Paths(Divergence::Barriers);
  warp.paths.start(0xffffffff, 0);
  warp.paths.diverge(0xffffff00, 20, 1, kNowhere);
  WarpSpin spin;
  for (Pc round = 0; round < 10'000; ++round) {
    spin.see(warp, kLoop, kRows, false);
    warp.paths.yield();
    warp.paths.advance(20 + round);
    warp.paths.yield();
    REQUIRE_FALSE(spin.seems_endless());
  }
}

TEST_CASE("a warp that counts never seems endless, however often it has done so before") {
  Warp warp = warp_of(0xffffffff);
  WarpSpin spin;
  for (unsigned round = 0; round < 100'000; ++round) {
    warp.registers[5] = round;
    spin.see(warp, kLoop, kRows, false);
    REQUIRE_FALSE(spin.seems_endless());
  }
}

TEST_CASE("whether a warp spins is known two rounds after the one that follows the question") {
  Warp warp = warp_of(0xffffffff);
  WarpSpin spin;
  for (unsigned round = 0; round < 300; ++round) spin.see(warp, kLoop, kRows, false);
  spin.ask();
  CHECK_FALSE(spin.answer().has_value());
  spin.see(warp, kLoop, kRows, false);  // is remembered
  spin.see(warp, kLoop, kRows, false);
  CHECK_FALSE(spin.answer().has_value());
  spin.see(warp, kLoop, kRows, false);
  CHECK(spin.answer() == true);
}

TEST_CASE("a warp that gets on after the question is told to") {
  Warp warp = warp_of(0xffffffff);
  WarpSpin spin;
  for (unsigned round = 0; round < 300; ++round) spin.see(warp, kLoop, kRows, false);
  spin.ask();
  spin.see(warp, kLoop, kRows, false);
  for (unsigned round = 0; round < 64 && spin.answer() != false; ++round) {
    warp.registers[40] = round + 1;
    spin.see(warp, kLoop, kRows, false);
    CHECK(spin.answer() != true);
  }
  CHECK(spin.answer() == false);
}

TEST_CASE("another loop ends the watch of a warp after 4096 of its rounds") {
  for (const unsigned others : {4095U, 4096U}) {
    Warp warp = warp_of(0xffffffff);
    WarpSpin spin;
    for (unsigned round = 0; round < 300; ++round) spin.see(warp, kLoop, kRows, false);
    for (unsigned round = 0; round < others; ++round) {
      warp.registers[0] = round;
      spin.see(warp, kInner, kRows, false);
    }
    CHECK(spin.seems_endless() == (others < 4096));
  }
}

}  // namespace
}  // namespace heddle::exec
