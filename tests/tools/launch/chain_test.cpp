#include "tools/launch/chain.h"

#include <array>

#include "tests/support/catch.h"

namespace heddle::launch {
namespace {

Chain chain_of(std::uint32_t places, std::uint32_t links, std::uint64_t seed) {
  Chain chain;
  chain.places = places;
  chain.links = links;
  chain.seed = seed;
  return chain;
}

TEST_CASE("The links of a chain that leaves places out are any of them, in any order") {
  constexpr std::uint32_t kPlaces = 20;
  constexpr std::uint32_t kLinks = 5;
  constexpr int kChains = 19000;
  std::array<int, kPlaces> links{};
  std::array<int, kPlaces> successors{};  // of the first link
  for (std::uint64_t seed = 0; seed < kChains; ++seed) {
    const std::vector<std::uint32_t> walk = chain_of(kPlaces, kLinks, seed).walk();
    REQUIRE(walk.size() == kLinks);
    REQUIRE(walk[0] == 0);
    for (const std::uint32_t place : walk) ++links[place];
    ++successors[walk[1]];
  }
  CHECK(links[0] == kChains);
  for (std::uint32_t place = 1; place < kPlaces; ++place) {
    INFO("place " << place);
    CHECK(links[place] == Approx(4000).margin(280));       // standard deviation 56
    CHECK(successors[place] == Approx(1000).margin(155));  // 31
  }
}

TEST_CASE("A chain is the same on every machine") {
  // By a Fisher-Yates shuffle, from place 1 on, in Python with draws of its own mt19937_64.
  CHECK(chain_of(10, 10, 3).walk() == std::vector<std::uint32_t>{0, 9, 1, 8, 5, 6, 4, 2, 3, 7});
  CHECK(chain_of(10, 4, 8).walk() == std::vector<std::uint32_t>{0, 5, 4, 8});
}

}  // namespace
}  // namespace heddle::launch
