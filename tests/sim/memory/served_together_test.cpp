// Requests that are served together, by slices that are asked side by side, come to what they come to one by
// one.
#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/memory_harness.h"
#include "tests/support/seed.h"

namespace heddle::sim {
namespace {

/// So few lines that they meet in every way: on their way, thrown out, copied, written.
std::vector<MemoryRequest> random_requests(std::mt19937_64& random, const GpuSpec& spec) {
  std::vector<MemoryRequest> requests(600);
  const auto number = [&random](std::uint64_t below) { return random() % below; };
  Cycle time = 0;
  for (MemoryRequest& request : requests) {
    time += number(3);
    request.time = time;
    request.sm = static_cast<SmId>(number(spec.sms));
    request.tag = static_cast<std::uint32_t>(number(1000));
    request.line = number(200) * spec.l1.line_bytes;
    request.sectors = 1 + static_cast<std::uint32_t>(number(15));
    request.is_store = number(3) == 0;
    request.atomic_lanes = static_cast<std::uint16_t>(number(4) == 0 ? 1 + number(32) : 0);
    request.atomic_addresses = static_cast<std::uint16_t>(request.atomic_lanes == 0 ? 0 : 1 + number(32));
  }
  return requests;
}

using Answers = std::vector<std::tuple<SmId, std::uint32_t, Cycle, std::uint32_t>>;

Answers serve_together(L2AndDram& system, const std::vector<MemoryRequest>& requests, std::size_t at_once) {
  Answers answers;
  for (std::size_t first = 0; first < requests.size(); first += at_once) {
    for (std::size_t i = first; i < std::min(first + at_once, requests.size()); ++i) system.add(requests[i]);
    for (std::size_t piece = system.pieces(); piece-- != 0;) system.visit_slices(piece);
    system.answer(
        [&](SmId sm, const MemoryReply& reply) {
          answers.emplace_back(sm, reply.tag, reply.time, reply.sectors);
        },
        [](SmId, Cycle) {});
  }
  return answers;
}

TEST_CASE("requests that are served together are served as they are one by one") {
  const std::uint32_t seed = test::drawn_seed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const std::vector<Overrides> gpus = {
      {},
      {"l2.bytes=4096", "l2.slices=4"},
      {"l2.bytes=8192", "l2.slices=4", "l2.partitions=2", "l2.far_latency=20",
       "l2.far_sectors_per_cycle=0.3"},
      {"l2.enabled=false"},
      {"l2.bytes=4096", "l2.line_bytes=64", "l2.fetch_bytes=64"},
  };
  for (const Overrides& changes : gpus) {
    CAPTURE(changes);
    const GpuSpec spec = load_gpu("tiny", changes);
    for (int round = 0; round < 20; ++round) {
      const std::vector<MemoryRequest> requests = random_requests(random, spec);
      L2AndDram one(spec, 1);
      const Answers expected = serve_together(one, requests, 1);
      for (const unsigned pieces : {1U, 2U, 3U}) {
        L2AndDram many(spec, pieces);
        CHECK(serve_together(many, requests, 100) == expected);
        CHECK(many.counters() == one.counters());
      }
    }
  }
}

TEST_CASE("there are no more pieces than pairs of slices") {
  CHECK(L2AndDram(load_gpu("tiny"), 8).pieces() == 2);
  CHECK(L2AndDram(load_gpu("tiny", {"l2.slices=4", "l2.partitions=2"}), 8).pieces() == 2);
  CHECK(L2AndDram(load_gpu("tiny"), 0).pieces() == 1);
}

}  // namespace
}  // namespace heddle::sim
