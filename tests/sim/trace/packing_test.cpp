// What is packed comes out as it was; what does not fit memory, too.
#include <fmt/format.h>

#include <random>

#include "sim/config/load.h"
#include "sim/trace/replay/packed_step.h"
#include "sim/trace/replay/packed_store.h"
#include "sim/trace/replay/replay_kernel.h"
#include "tests/support/both_modes.h"
#include "tests/support/seed.h"
#include "tests/support/written_trace.h"

namespace heddle::test {
namespace {

using trace::TraceStep;

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  TraceStep step(std::uint32_t before) {
    TraceStep step;
    step.op = below(4) != 0 ? before + 1 : static_cast<std::uint32_t>(below(trace::TraceOps::kMost));
    step.live = mask();
    step.active = step.live & mask();
    step.executed = step.active & mask();
    step.has_addresses = below(2) == 0;
    step.has_shared_addresses = step.has_addresses && below(4) == 0;
    if (below(8) == 0) step.nanoseconds = static_cast<std::uint32_t>(below(1'000'000));
    if (below(8) == 0)
      step.barrier = {static_cast<std::uint8_t>(below(16)), static_cast<std::uint16_t>(below(33)), true};
    step.has_async = below(4) == 0;
    if (step.has_async) step.async = async();
    if (step.has_addresses) step.addresses = addresses(step.executed);
    if (step.has_shared_addresses) step.shared_addresses = addresses(step.executed);
    return step;
  }

 private:
  std::uint32_t mask() { return below(3) != 0 ? ~0U : static_cast<std::uint32_t>(random_()); }

  stream::AsyncStep async() {
    stream::AsyncStep step;
    step.action = static_cast<stream::AsyncStep::Action>(below(7));
    step.knows_parity = below(2) == 0;
    step.parity = below(2) == 0;
    step.round = static_cast<std::uint32_t>(random_() >> 32 >> below(32));
    for (std::uint64_t i = below(4); i > 0; --i) {
      const auto bytes = static_cast<std::int64_t>(random_()) >> below(64);
      step.uses.push_back(
          {static_cast<std::uint32_t>(below(1U << 24)), static_cast<std::uint32_t>(random_()), bytes});
    }
    for (std::uint64_t i = below(6); i > 0; --i) step.addresses.push_back(random_() >> below(64));
    step.piece_bytes = static_cast<std::uint32_t>(below(1U << 20));
    step.bytes = random_() >> below(64);
    return step;
  }

  /// Steps of all sizes, equal or not.
  std::array<Addr, trace::kLanes> addresses(std::uint32_t lanes) {
    std::array<Addr, trace::kLanes> result{};
    const unsigned bits = static_cast<unsigned>(below(64)) + 1;
    const bool equal = below(2) == 0;
    const Addr stride = random_() >> (64 - bits);
    Addr address = random_() >> below(64);
    for_each_lane(lanes, [&](unsigned lane) {
      result[lane] = address;
      address += equal ? stride : (random_() >> (64 - bits)) - (Addr{1} << (bits - 1));
    });
    return result;
  }

  std::mt19937_64 random_;
};

bool is_same(const stream::AsyncStep& a, const stream::AsyncStep& b) {
  return a.action == b.action && a.knows_parity == b.knows_parity && a.parity == b.parity &&
         a.round == b.round && a.uses == b.uses && a.addresses == b.addresses &&
         a.piece_bytes == b.piece_bytes && a.bytes == b.bytes;
}

TEST_CASE("packed steps come out as they were, whatever they are") {
  const std::uint32_t seed = test::drawn_seed();
  INFO("seed " << seed);
  Draw draw(seed);
  std::vector<TraceStep> steps;
  std::string bytes;
  trace::PackState state;
  for (unsigned i = 0; i < 20'000; ++i) {
    steps.push_back(draw.step(steps.empty() ? 0 : steps.back().op));
    trace::pack(steps.back(), state, bytes);
  }
  trace::Unpacker unpacker;
  unpacker.start(bytes.data());
  unsigned wrong = 0;
  TraceStep found;
  for (const TraceStep& step : steps) {
    found.addresses = {};
    found.shared_addresses = {};
    const std::uint32_t op = unpacker.read_op();
    unpacker.read_rest(found);
    const bool same = op == step.op && found.op == step.op && found.live == step.live &&
                      found.active == step.active && found.executed == step.executed &&
                      found.has_addresses == step.has_addresses && found.barrier == step.barrier &&
                      found.has_shared_addresses == step.has_shared_addresses &&
                      found.nanoseconds == step.nanoseconds && found.addresses == step.addresses &&
                      found.shared_addresses == step.shared_addresses && found.has_async == step.has_async &&
                      (!step.has_async || is_same(found.async, step.async));
    if (!same) ++wrong;
  }
  CHECK(wrong == 0);
  CHECK(unpacker.at() == bytes.data() + bytes.size());
}

TEST_CASE("an FFMA behind another is one byte, a load of neighbours a few") {
  trace::PackState state;
  std::string bytes;
  TraceStep step;
  step.op = 7;
  step.live = step.active = step.executed = ~0U;
  trace::pack(step, state, bytes);
  const std::size_t before = bytes.size();
  ++step.op;
  trace::pack(step, state, bytes);
  CHECK(bytes.size() == before + 1);
  step.has_addresses = true;
  for (unsigned i = 0; i < 2; ++i) {
    for (unsigned lane = 0; lane < trace::kLanes; ++lane)
      step.addresses[lane] = 0x7f0000000000 + 128 * i + 4 * lane;
    ++step.op;
    trace::pack(step, state, bytes);
  }
  CHECK(bytes.size() <= before + 1 + 11 + 6);  // the first names the place, the second where it is from there
}

TEST_CASE("pieces are taken in the order in which they were added, from memory and from the file") {
  for (const std::uint64_t most : {0U, 10'000U, 1'000'000U}) {
    trace::PackedStore store(most);
    std::vector<trace::PackedWarp> warps;
    for (unsigned warp = 0; warp < 8; ++warp) {
      warps.emplace_back(store);
      for (unsigned piece = 0; piece < 8; ++piece)
        warps.back().add_piece(std::string(1000 + piece, static_cast<char>('a' + warp)));
    }
    CHECK(store.is_full() == (most < 64'000));
    std::string bytes;
    for (unsigned piece = 0; piece < 8; ++piece) {
      for (unsigned warp = 0; warp < 7; ++warp) {
        REQUIRE(warps[warp].take_piece(bytes));
        CHECK(bytes == std::string(1000 + piece, static_cast<char>('a' + warp)));
      }
    }
    for (unsigned warp = 0; warp < 7; ++warp) CHECK_FALSE(warps[warp].take_piece(bytes));
    warps.clear();  // the last one with all that it has
    CHECK(store.is_full() == (most == 0));
  }
}

/// Blocks of two warps that load all over the place.
std::string scattered(std::uint64_t seed, unsigned blocks, unsigned instructions) {
  std::mt19937_64 random(seed);
  std::string body;
  for (unsigned block = 0; block < blocks; ++block) {
    body += fmt::format("block {},0,0\n", block);
    for (unsigned warp = 0; warp < 2; ++warp) {
      body += fmt::format("warp {}\n", warp);
      for (unsigned i = 0; i < instructions; ++i) {
        body += fmt::format("{:04x} ffffffff 1 R{} LDG.E 1 R2 4 0", 16 * (i % 64), 4 + i % 8);
        for (unsigned lane = 0; lane < 32; ++lane)
          body += fmt::format(" {:#x}", 0x7f0000000000 + random() % 65536 * 4);
        body += " 0\n";
      }
      body += "1000 ffffffff 0 EXIT 0 0\n";
    }
  }
  return body;
}

TEST_CASE("a run is the same whether its blocks lie in memory or in a file") {
  const sim::GpuSpec spec = sim::load_gpu("h100", {"sms=4"});
  const std::string body = scattered(1, 24, 150);
  std::vector<Timeline> runs;
  for (const std::uint64_t most : {0ULL, 20'000ULL, 128ULL << 20}) {
    trace::ReplayOptions options;
    options.most_packed_bytes = most;
    trace::ReplayKernel kernel(std::make_unique<WrittenTrace>(written_header({.x = 64}, {.x = 24}), body),
                               options);
    runs.push_back(simulate(kernel, spec));
    CHECK(broken_laws(runs.back().result, spec) == std::vector<std::string>{});
  }
  for (const Timeline& run : runs) {
    CHECK(differences(run.result, runs.back().result) == std::vector<std::string>{});
    CHECK((issues_of(run) == issues_of(runs.back())));
  }
}

}  // namespace
}  // namespace heddle::test
