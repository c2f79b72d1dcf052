// When a run whose warps all go round counts as a deadlock, and what keeps it from being one.
#include "isa/stream/deadlock_watch.h"

#include <vector>

#include "isa/stream/spin_watchable.h"
#include "tests/support/catch.h"
#include "tests/support/plain_source.h"

namespace heddle::stream {
namespace {

/// Says of its warps what it is told to.
class ToldSource final : public WarpSource, public SpinWatchable {
 public:
  explicit ToldSource(std::size_t warps) : seems(warps, true), answers(warps, true), watched(warps, 0) {}

  void start_block(BlockId, std::span<const WarpSlot>, std::span<const StaticOp*>) override {}
  const WarpStep& issue(WarpSlot, Cycle) override { return step_; }
  void end_block(std::span<const WarpSlot>) override {}
  [[nodiscard]] std::string describe(WarpSlot) const override { return ""; }
  [[nodiscard]] SpinWatchable* spin_watch() override { return this; }
  [[nodiscard]] bool seems_to_spin(WarpSlot slot) const override { return seems[slot]; }
  void watch_spin(WarpSlot slot) override {
    is_watched = true;
    ++watched[slot];
  }
  void end_watch() override { is_watched = false; }
  [[nodiscard]] std::optional<bool> spins(WarpSlot slot) const override { return answers[slot]; }
  [[nodiscard]] std::uint64_t barrier_arrivals() const override { return arrivals; }
  [[nodiscard]] std::uint64_t changes() const override { return stores; }
  [[nodiscard]] std::string describe_spin(WarpSlot) const override { return ""; }

  std::vector<bool> seems;
  std::vector<std::optional<bool>> answers;
  std::vector<unsigned> watched;
  bool is_watched = false;
  std::uint64_t arrivals = 0;
  std::uint64_t stores = 0;

 private:
  WarpStep step_;
};

/// Warps 0 and 1 go, warp 2 waits at a barrier.
std::vector<LiveWarp> three(ToldSource& source) {
  return {{&source, 0, false}, {&source, 1, false}, {&source, 2, true}};
}

TEST_CASE("warps that spin and have come back are a deadlock at the second look, which names them") {
  ToldSource source(3);
  source.seems[2] = false;
  source.answers[2] = std::nullopt;
  DeadlockWatch watch;
  CHECK(watch.spinning(three(source)).empty());
  CHECK(source.watched == std::vector<unsigned>{1, 1, 1});
  const std::vector<LiveWarp> spinning = watch.spinning(three(source));
  REQUIRE(spinning.size() == 2);
  CHECK(spinning[0].slot == 0);
  CHECK(spinning[1].slot == 1);
  CHECK(DeadlockWatch::text(2) ==
        "2 warps spin; all others that have started have ended or wait at barriers");
}

TEST_CASE("nobody is watched while one that goes does not seem to spin, or something else can happen") {
  ToldSource source(3);
  source.seems[1] = false;
  DeadlockWatch watch;
  for (int look = 0; look < 4; ++look) {
    CHECK(watch.spinning(three(source)).empty());
    CHECK(watch.spinning({}).empty());
  }
  CHECK(source.watched == std::vector<unsigned>{0, 0, 0});
}

TEST_CASE("a warp that cannot be watched is in no deadlock of warps that spin, whether it goes or waits") {
  for (const bool waits : {false, true}) {
    ToldSource source(3);
    PlainSource plain;
    std::vector<LiveWarp> live = three(source);
    live.push_back({&plain, 0, waits});
    DeadlockWatch watch;
    source.arrivals = 0;
    for (int look = 0; look < 4; ++look) {
      ++source.arrivals;  // so that also those that wait must be known to have come back
      CHECK(watch.spinning(live).empty());
    }
    CHECK((source.watched[0] != 0) == waits);
  }
}

TEST_CASE("it is not known to be a deadlock while a warp has not come round") {
  ToldSource source(3);
  source.answers[1] = std::nullopt;
  DeadlockWatch watch;
  for (int look = 0; look < 1000; ++look) CHECK(watch.spinning(three(source)).empty());
  source.answers[1] = true;
  CHECK(watch.spinning(three(source)).size() == 2);
  CHECK(source.watched[0] == 1);
}

TEST_CASE("a watch of one that may have come to wait for good gives way to another, which lasts longer") {
  ToldSource source(3);
  source.answers[2] = std::nullopt;
  DeadlockWatch watch;
  std::vector<unsigned> lengths;  // of the watches, in looks
  for (unsigned look = 0, begun = 0; lengths.size() < 7; ++look) {
    REQUIRE(look < 10'000);
    const bool was_watched = source.is_watched;
    CHECK(watch.spinning(three(source)).empty());
    if (!was_watched && source.is_watched) {
      begun = look;
      ++source.arrivals;
    }
    if (was_watched && !source.is_watched) lengths.push_back(look - begun);
  }
  CHECK(lengths == std::vector<unsigned>{9, 9, 9, 9, 17, 33, 65});
  while (!source.is_watched) watch.spinning(three(source));
  CHECK(watch.spinning(three(source)).size() == 2);
}

TEST_CASE("if somebody came to a barrier, those that wait at barriers must have come back as well") {
  ToldSource source(3);
  source.answers[2] = std::nullopt;
  DeadlockWatch watch;
  watch.spinning(three(source));
  source.arrivals = 1;
  CHECK(watch.spinning(three(source)).empty());
  source.answers[2] = true;
  CHECK(watch.spinning(three(source)).size() == 3);
}

TEST_CASE("what gets on ends the watch, and the next one comes the later, the more there were") {
  enum class Cause { GetsOn, Stores, Starts };
  for (const Cause cause : {Cause::GetsOn, Cause::Stores, Cause::Starts}) {
    ToldSource source(4);
    DeadlockWatch watch;
    std::vector<LiveWarp> live = three(source);
    std::vector<unsigned> looks;  // until each watch began
    for (unsigned look = 1, watches = 0; looks.size() < 5; ++look) {
      if (cause == Cause::GetsOn) source.answers[1] = false;
      if (cause == Cause::Stores) ++source.stores;
      if (cause == Cause::Starts) live[1].slot = live[1].slot == 1 ? 3 : 1;
      CHECK(watch.spinning(live).empty());
      if (source.watched[0] != watches) {
        watches = source.watched[0];
        looks.push_back(look);
      }
    }
    // A watch, the look that ends it, and 1, 2, 4, 8 looks from there.
    CHECK(looks == std::vector<unsigned>{1, 3, 6, 11, 20});
  }
}

}  // namespace
}  // namespace heddle::stream
