// What SMs write apart from one another, against a memory that does one thing after the other.
#include "isa/exec/pending_writes.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "isa/exec/write_commit.h"
#include "tests/support/catch.h"
#include "tests/support/seed.h"

namespace heddle::exec {
namespace {

constexpr unsigned kSms = 3;
constexpr Addr kBase = 0x1000;

std::uint64_t sum(std::uint64_t old, std::uint64_t a, std::uint64_t) { return static_cast<std::uint32_t>(old + a); }

/// One lane's store or addition, as the reference keeps it.
struct Write {
  Cycle time;
  unsigned sm;
  std::size_t offset;
  std::uint32_t value;
  bool adds;
};

using Memory = std::vector<std::byte>;

void act(const Write& write, Memory& memory) {
  std::uint32_t word = 0;
  std::memcpy(&word, &memory[write.offset], 4);
  word = write.adds ? word + write.value : write.value;
  std::memcpy(&memory[write.offset], &word, 4);
}

/// Memory and what three SMs have written to it.
class World {
 public:
  World(std::size_t bytes, unsigned threads) : memory_(bytes), reference_(bytes), team_(threads) {
    for (unsigned i = 0; i < kSms; ++i) sms_.push_back(std::make_unique<PendingWrites>());
  }

  void store_row(unsigned sm, Cycle time, std::size_t offset, const std::vector<std::uint32_t>& words) {
    sms_[sm]->store(time, memory_.data() + offset, words.data(), 4 * words.size());
    for (std::size_t i = 0; i < words.size(); ++i) writes_.push_back({time, sm, offset + 4 * i, words[i], false});
  }

  /// Each lane i of eight at offsets[i].
  void write_lanes(unsigned sm, Cycle time, LaneMask lanes, const std::vector<std::size_t>& offsets,
                   std::uint32_t value, bool adds) {
    std::array<Addr, kMaxWarpSize> addresses{};
    std::array<std::uint32_t, 2 * kMaxWarpSize> values{};
    for_each_lane(lanes, [&](unsigned lane) {
      addresses[lane] = kBase + offsets[lane];
      values[lane] = value + lane;
      writes_.push_back({time, sm, offsets[lane], value + lane, adds});
    });
    if (!adds) {
      return sms_[sm]->store_lanes(time, lanes, addresses.data(), values.data(), 32, 4, memory_.data(), kBase);
    }
    WarpAtomic atomic;
    atomic.function = sum;
    atomic.lanes = lanes;
    atomic.addresses = addresses.data();
    atomic.a = values.data();
    sms_[sm]->update(time, atomic, memory_.data(), kBase);
  }

  /// What the SM's load finds: memory as it was, with this SM's writes in their order.
  void check_load(unsigned sm, std::size_t offset, std::size_t bytes) {
    Memory expected = reference_;
    for (const Write& write : writes_) {
      if (write.sm == sm) act(write, expected);
    }
    Memory found(memory_.begin() + static_cast<std::ptrdiff_t>(offset),
                 memory_.begin() + static_cast<std::ptrdiff_t>(offset + bytes));
    const std::byte* first = memory_.data() + offset;
    if (sms_[sm]->may_hold(first, first + bytes - 1)) sms_[sm]->patch(found.data(), first, bytes);
    CHECK(std::equal(found.begin(), found.end(), expected.begin() + static_cast<std::ptrdiff_t>(offset)));
  }

  void meet() {
    std::stable_sort(writes_.begin(), writes_.end(), [](const Write& a, const Write& b) {
      return std::pair(a.time, a.sm) < std::pair(b.time, b.sm);
    });
    for (const Write& write : writes_) act(write, reference_);
    writes_.clear();
    write_commit_.commit(sms_, team_);
    CHECK((memory_ == reference_));
  }

 private:
  Memory memory_;
  Memory reference_;
  std::vector<std::unique_ptr<PendingWrites>> sms_;
  std::vector<Write> writes_;  // since the last meeting
  ThreadTeam team_;
  WriteCommit write_commit_;
};

TEST_CASE("what SMs wrote acts by time, then SM, then sequence, till then each sees its own") {
  const std::uint32_t seed = test::drawn_seed();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const auto below = [&random](std::size_t most) { return static_cast<std::size_t>(random() % most); };
  constexpr std::size_t kBytes = 512;
  World world(kBytes, 1);
  Cycle now = 0;
  for (int step = 0; step < 20000; ++step) {
    now += below(3);
    const auto sm = static_cast<unsigned>(below(kSms));
    switch (below(8)) {
      case 0:
      case 1: {
        std::vector<std::uint32_t> words(1 + below(32));
        for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
        world.store_row(sm, now, 4 * below(kBytes / 4 - 32), words);
        break;
      }
      case 2:
      case 3: {
        std::vector<std::size_t> offsets(8);
        for (std::size_t& offset : offsets) offset = 4 * below(kBytes / 4);
        world.write_lanes(sm, now, below(256), offsets, static_cast<std::uint32_t>(random()), below(2) == 0);
        break;
      }
      case 4:
        if (below(4) == 0) world.meet();
        break;
      default:
        world.check_load(sm, below(kBytes - 64), 1 + below(64));
    }
  }
  world.meet();
}

// Rows begin anywhere, so that many lie across the regions of host memory that threads share out, and
// overlap.
TEST_CASE("what many stores of several SMs leave is the same with any number of threads") {
  const std::uint32_t seed = test::drawn_seed();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const auto below = [&random](std::size_t most) { return static_cast<std::size_t>(random() % most); };
  constexpr std::size_t kBytes = 40000;
  for (const unsigned threads : {1U, 2U, 3U}) {
    World world(kBytes, threads);
    for (int meeting = 0; meeting < 8; ++meeting) {
      Cycle now = 100 * below(100);
      const std::size_t stores = 1 + below(2000);
      for (std::size_t i = 0; i < stores; ++i, now += below(2)) {
        std::vector<std::uint32_t> words(1 + below(64));
        for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
        world.store_row(static_cast<unsigned>(below(kSms)), now, below(kBytes - 256), words);
      }
      if (meeting % 4 == 3)
        world.write_lanes(0, now, 0xff, {0, 4, 4096, 8192, 8192, 9000, 39996, 4}, 7, true);
      world.meet();
    }
  }
}

TEST_CASE("an atomic returns what was there when its turn came") {
  std::vector<std::byte> memory(64);
  std::vector<std::unique_ptr<PendingWrites>> sms;
  sms.push_back(std::make_unique<PendingWrites>());
  sms.push_back(std::make_unique<PendingWrites>());
  std::array<Addr, kMaxWarpSize> addresses{};
  std::array<std::uint32_t, 2 * kMaxWarpSize> one{};
  one.fill(1);
  std::array<std::array<std::uint32_t, 2 * kMaxWarpSize>, 2> old{};
  for (unsigned sm = 0; sm < 2; ++sm) {
    WarpAtomic atomic;
    atomic.function = sum;
    atomic.lanes = 7;
    atomic.addresses = addresses.data();
    atomic.a = one.data();
    atomic.old = old[sm].data();
    sms[sm]->update(10 - sm, atomic, memory.data(), 0);  // the second SM comes first
    CHECK(old[sm][0] == 0);
    CHECK(sms[sm]->owes(old[sm].data(), 32));
    CHECK_FALSE(sms[sm]->owes(old[sm].data() + 1, 31));
  }
  CHECK_FALSE(sms[0]->owes(old[1].data(), 32));
  ThreadTeam team(2);
  WriteCommit().commit(sms, team);
  CHECK_FALSE(sms[0]->owes(old[0].data(), 32));
  for (std::uint32_t lane = 0; lane < 3; ++lane) {
    CHECK(old[1][lane] == lane);
    CHECK(old[0][lane] == 3 + lane);
  }
}

}  // namespace
}  // namespace heddle::exec
