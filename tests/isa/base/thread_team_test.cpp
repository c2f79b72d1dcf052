#include "isa/base/thread_team.h"

#include <pthread.h>

#include <atomic>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "tests/support/catch.h"

namespace heddle {
namespace {

TEST_CASE("a team does each piece of work once, round after round") {
  for (const unsigned threads : {1U, 2U, 7U}) {
    ThreadTeam team(threads);
    CHECK(team.threads() == threads);
    std::vector<unsigned> done(100);
    for (unsigned round = 1; round <= 200; ++round) {
      const std::size_t count = round % 3 == 0 ? 1 : 100;
      team.run(count, [&done](std::size_t i, std::size_t) { ++done[i]; });
    }
    CHECK(done[0] == 200);
    CHECK(std::accumulate(done.begin() + 1, done.end(), 0U) == 99U * (200 - 66));
  }
}

TEST_CASE("a team's hands know what they do next, each for itself") {
  for (const unsigned threads : {1U, 3U}) {
    ThreadTeam team(threads);
    constexpr std::size_t kPieces = 100;
    std::vector<std::size_t> told(kPieces);  // to whom, and by whom
    std::vector<std::thread::id> by(kPieces);
    team.run(kPieces, [&](std::size_t i, std::size_t following) {
      told[i] = following;
      by[i] = std::this_thread::get_id();
    });
    std::vector<unsigned> named(kPieces);
    for (std::size_t i = 0; i < kPieces; ++i) {
      if (told[i] >= kPieces) continue;
      CHECK(by[told[i]] == by[i]);
      ++named[told[i]];
    }
    for (const unsigned times : named) CHECK(times <= 1);
    CHECK(std::accumulate(named.begin(), named.end(), std::size_t{0}) >= kPieces - threads);
  }
}

TEST_CASE("of several failures of a team the first piece's is told, when all are done") {
  for (const unsigned threads : {1U, 4U}) {
    ThreadTeam team(threads);
    std::vector<unsigned> done(50);
    const auto work = [&done](std::size_t i, std::size_t) {
      ++done[i];
      if (i % 10 == 3) throw std::runtime_error(std::to_string(i));
    };
    CHECK_THROWS_WITH(team.run(done.size(), work), "3");
    CHECK(std::accumulate(done.begin(), done.end(), 0U) == 50);
    team.run(3, work);  // and is good for more
  }
}

TEST_CASE("of pieces that take long none waits for a thread that is at another one") {
  ThreadTeam team(2);
  if (team.threads() < 2) return;
  std::atomic<bool> is_second_there = false;
  std::atomic<std::size_t> least_following = 2;  // Catch2's checks are for one thread
  team.run_long(2, [&](std::size_t i, std::size_t following) {
    if (following < 2) least_following = following;
    if (i == 1) {
      is_second_there = true;
      is_second_there.notify_all();
    }
    is_second_there.wait(false);
  });
  CHECK(least_following == 2);
  std::atomic<unsigned> done = 0;
  team.run(100, [&](std::size_t, std::size_t) { ++done; });
  CHECK(done == 100);
}

/// Stacks that no host has room for, so that no thread can be started.
class ImpossibleStacks {
 public:
  ImpossibleStacks() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t huge;
    pthread_attr_init(&huge);
    pthread_attr_setstacksize(&huge, std::size_t{1} << 50);
    pthread_setattr_default_np(&huge);
    pthread_attr_destroy(&huge);
  }
  ~ImpossibleStacks() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  ImpossibleStacks(const ImpossibleStacks&) = delete;
  ImpossibleStacks& operator=(const ImpossibleStacks&) = delete;

 private:
  pthread_attr_t before_;
};

TEST_CASE("a team for which the host starts no threads is its caller alone") {
  const auto team = [] {
    const ImpossibleStacks stacks;
    return std::make_unique<ThreadTeam>(4);
  }();
  CHECK(team->threads() == 1);
  std::vector<unsigned> done(50);
  team->run(done.size(), [&done](std::size_t i, std::size_t) { ++done[i]; });
  CHECK(std::accumulate(done.begin(), done.end(), 0U) == 50);
}

}  // namespace
TEST_CASE("A team without its threads does its work again afterwards") {
  ThreadTeam team(4);
  for (int time = 0; time < 50; ++time) {
    std::atomic<int> pieces = 0;
    team.run(100, [&](std::size_t, std::size_t) { ++pieces; });
    CHECK(pieces == 100);
    bool is_done = false;
    team.without_threads([&] { is_done = true; });
    CHECK(is_done);
    CHECK(team.threads() == 4);
  }
}

}  // namespace heddle
