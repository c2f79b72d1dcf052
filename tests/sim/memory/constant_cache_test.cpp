// The constant cache by itself, asked in an order that is not that of time.
#include "sim/memory/constant_cache.h"

#include "sim/config/load.h"
#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

// tiny: 8 sets of 2 lines of 64 bytes, so that lines 512 bytes apart share a set; 20 cycles from behind the
// cache.
constexpr Cycle kMiss = 20;
constexpr Cycle kFromL2 = 300;

/// A cache that has had the line at 0, and has thrown it out.
ConstantCache without_line(const char* cold) {
  ConstantCache cache(load_gpu("tiny", {cold, "cold.constant_latency=300"}));
  cache.add_grid(0);
  for (const std::uint64_t offset : {0U, 512U, 1024U}) cache.ready(0, offset, 0);
  return cache;
}

TEST_CASE("who asks for a constant earlier than the first who asked gets it as soon as if alone") {
  ConstantCache warm = without_line("cold.enabled=false");
  CHECK(warm.ready(0, 0, 1050) == 1050 + kMiss);
  CHECK(warm.ready(0, 0, 1040) == 1040 + kMiss);
  CHECK(warm.ready(0, 0, 1059) == 1060);

  ConstantCache cold(load_gpu("tiny", {"cold.enabled=true", "cold.constant_latency=300"}));
  cold.add_grid(0);
  CHECK(cold.ready(0, 0, 1050) == 1050 + kFromL2);
  CHECK(cold.ready(0, 0, 1040) == 1040 + kFromL2);

  // What has come from L2 once is behind the cache.
  ConstantCache again = without_line("cold.enabled=true");
  CHECK(again.ready(0, 0, 1050) == 1050 + kMiss);
  CHECK(again.ready(0, 0, 1040) == 1040 + kMiss);
}

TEST_CASE("each grid has constants of its own, and a grid in another's slot finds none") {
  for (const char* temperature : {"cold.enabled=false", "cold.enabled=true"}) {
    ConstantCache cache(load_gpu("tiny", {temperature, "cold.constant_latency=300"}));
    cache.add_grid(0);
    cache.add_grid(5);
    const Cycle first = cache.ready(0, 64, 100);
    CHECK(first > 100);
    CHECK(cache.ready(5, 64, 100) == first);
    CHECK(cache.ready(0, 64, first) == first);
    CHECK(cache.ready(5, 64, first) == first);
    cache.add_grid(5);
    CHECK(cache.ready(5, 64, 100 + first) == first + first);
  }
}

}  // namespace
}  // namespace heddle::sim
