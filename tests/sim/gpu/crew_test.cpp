#include "sim/gpu/crew.h"

#include <numeric>
#include <stdexcept>

#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

TEST_CASE("a crew does each piece of work once, round after round") {
  for (const unsigned threads : {1U, 2U, 7U}) {
    Crew crew(threads);
    CHECK(crew.threads() == threads);
    std::vector<unsigned> done(100);
    for (unsigned round = 1; round <= 200; ++round) {
      const std::size_t count = round % 3 == 0 ? 1 : 100;
      crew.run(count, [&done](std::size_t i) { ++done[i]; });
    }
    CHECK(done[0] == 200);
    CHECK(std::accumulate(done.begin() + 1, done.end(), 0U) == 99U * (200 - 66));
  }
}

TEST_CASE("of several failures of a crew the first piece's is told, when all are done") {
  for (const unsigned threads : {1U, 4U}) {
    Crew crew(threads);
    std::vector<unsigned> done(50);
    const auto work = [&done](std::size_t i) {
      ++done[i];
      if (i % 10 == 3) throw std::runtime_error(std::to_string(i));
    };
    CHECK_THROWS_WITH(crew.run(done.size(), work), "3");
    CHECK(std::accumulate(done.begin(), done.end(), 0U) == 50);
    crew.run(3, work);  // and is good for more
  }
}

}  // namespace
}  // namespace heddle::sim
