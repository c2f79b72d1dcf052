// Hashes of lines to slices of L2: each spreads lines over all slices, and none loses or doubles a line.
#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "isa/base/diagnostic.h"
#include "sim/config/load.h"
#include "sim/memory/address_map.h"
#include "tests/support/catch.h"
#include "tests/support/seed.h"

namespace heddle::sim {
namespace {

GpuSpec spec_of(std::string_view hash, std::uint32_t slices) {
  GpuSpec spec = load_gpu("tiny");
  spec.l2.slices = slices;
  spec.l2.address_hash = hash;
  return spec;
}

TEST_CASE("every hash gives each slice one line of each group, and is undone by its inverse") {
  const std::uint64_t seed = test::drawn_seed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (const AddressHash& hash : address_hashes()) {
    for (const std::uint32_t slices : {1U, 2U, 3U, 7U, 32U, 48U, 80U, 96U, 120U}) {
      CAPTURE(hash.name, slices);
      const AddressMap map(spec_of(hash.name, slices));
      for (int i = 0; i < 50; ++i) {
        const std::uint64_t group = (random() >> 7) / slices >> random() % 50;
        CAPTURE(group);
        std::set<std::size_t> taken;
        for (std::uint64_t line = group * slices; line < (group + 1) * slices; ++line) {
          const AddressMap::Home home = map.home_of(line);
          REQUIRE(home.slice < slices);
          REQUIRE(home.tag == group);
          REQUIRE(map.line_at(home) == line);
          taken.insert(home.slice);
        }
        REQUIRE(taken.size() == slices);
      }
    }
  }
}

// The map has the first one built in: a row that said something else would lie.
TEST_CASE("the first hash of the table is the one that the map has built in") {
  const AddressHash& first = address_hashes().front();
  CHECK(first.name == GpuSpec().l2.address_hash);
  std::mt19937_64 random(1);
  for (const std::uint32_t slices : {1U, 3U, 80U, 96U}) {
    const AddressMap map(spec_of(first.name, slices));
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t line = random() >> 10 >> random() % 40;
      REQUIRE(map.home_of(line).slice == first.slice_of(line % slices, line / slices, slices));
    }
  }
}

TEST_CASE("modulo is the remainder, xor folds the bits above over those below") {
  const AddressMap modulo(spec_of("modulo", 48));
  const AddressMap exclusive(spec_of("xor", 16));
  for (std::uint64_t line = 0; line < 100'000; line += 7) {
    CHECK(modulo.home_of(line).slice == line % 48);
    std::uint64_t expected = 0;
    for (std::uint64_t rest = line; rest != 0; rest >>= 4) expected ^= rest & 15;
    CHECK(exclusive.home_of(line).slice == expected);
  }
}

/// How many slices a walk by equal steps comes to.
std::size_t slices_found(std::string_view hash, std::uint64_t stride) {
  const AddressMap map(spec_of(hash, 32));
  std::set<std::size_t> found;
  for (std::uint64_t i = 0; i < 1024; ++i) found.insert(map.home_of(i * stride).slice);
  return found.size();
}

// Steps of as many lines as there are slices: the reason why addresses are hashed.
TEST_CASE("a stride of all slices finds one slice by modulo, and all of them by the others") {
  CHECK(slices_found("modulo", 32) == 1);
  CHECK(slices_found("modulo", 33) == 32);
  CHECK(slices_found("xor", 32) == 32);
  CHECK(slices_found("murmur", 32) == 32);
}

TEST_CASE("a hash that does not exist is refused") {
  CHECK_THROWS_AS(AddressMap(spec_of("md5", 2)), InputError);
}

}  // namespace
}  // namespace heddle::sim
