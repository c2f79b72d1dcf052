#include "sim/memory/dram_channel.h"

#include "sim/config/load.h"
#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

/// A channel with a sector a cycle, 10 cycles from activation to activation, 20 cycles to turn to writes and
/// back, writes in batches of 4 sectors, 2 banks.
DramTiming timing_with(const Overrides& more = {}) {
  Overrides overrides = {"dram.channels=1", "dram.activate_ns=10", "dram.turnaround_ns=20",
                         "dram.write_batch=128", "dram.banks=2"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return DramTiming(load_gpu("tiny", overrides));
}

struct Channel {
  explicit Channel(const DramTiming& its_timing = timing_with({}))
      : timing(its_timing), channel(its_timing) {}

  Cycle read(std::uint64_t row, Cycle arrival, unsigned sectors) {
    const Tick begin = channel.read(timing, row, to_ticks(arrival), sectors);
    CHECK(begin % kTicksPerCycle == 0);
    return begin / kTicksPerCycle;
  }
  void write(std::uint64_t row, Cycle arrival, unsigned sectors) {
    channel.write(timing, row, to_ticks(arrival), sectors);
  }
  [[nodiscard]] Cycle free_at() const { return channel.free_at() / kTicksPerCycle; }

  DramTiming timing;
  DramChannel channel;
};

TEST_CASE("reads of a row that is open follow one another on the bus") {
  Channel channel;
  for (unsigned i = 0; i < 20; ++i) CHECK(channel.read(7, 100, 3) == 100 + 3 * i);
  CHECK(channel.read(7, 1000, 3) == 1000);
}

TEST_CASE("reads of rows that are not open follow one another at the rate of activations") {
  Channel channel;
  for (unsigned i = 0; i < 20; ++i) CHECK(channel.read(i, 100, 4) == 100 + 10 * i);
  // After a pause the first is at once.
  CHECK(channel.read(100, 1000, 4) == 1000);
}

TEST_CASE("activations are hidden behind rows that are read long enough") {
  Channel channel;
  for (unsigned i = 0; i < 20; ++i) CHECK(channel.read(i, 0, 16) == 16 * i);
}

// Two rows of one bank by turns, 20 reads: with a queue they are served together, and both are open; without
// one each read closes the other's row, and 10 cycles pass from activation to activation.
TEST_CASE("the order of DRAM decides which rows of a bank need not be activated again") {
  const auto begin_of_last = [](const std::string& order, bool by_turns) {
    Channel channel(timing_with({"dram.banks=1", "dram.order=" + order}));
    Cycle begin = 0;
    for (unsigned i = 0; i < 20; ++i) begin = channel.read(by_turns ? i % 2 : 0, 0, 1);
    return begin;
  };
  CHECK(begin_of_last("fr_fcfs", true) == 10 + 18);  // two activations, then a read a cycle
  CHECK(begin_of_last("fcfs", true) == 19 * 10);
  CHECK(begin_of_last("closed_row", true) == 19 * 10);
  CHECK(begin_of_last("fr_fcfs", false) == 19);
  CHECK(begin_of_last("fcfs", false) == 19);
  CHECK(begin_of_last("closed_row", false) == 19 * 10);
}

TEST_CASE("a row is open while it is among the last four of its bank") {
  Channel channel(timing_with({"dram.banks=1"}));
  for (unsigned row = 0; row < 4; ++row) channel.read(row, 0, 1);
  for (unsigned row = 0; row < 4; ++row) CHECK(channel.read(row, 100, 1) == 100 + row);
  CHECK(channel.read(4, 200, 1) == 200);
  CHECK(channel.read(3, 200, 1) == 201);
  CHECK(channel.read(0, 200, 1) == 210);  // the oldest, thrown out by 4
  // Two banks hold twice as many: neighbouring rows are in both by turns.
  Channel two;
  for (unsigned row = 0; row < 8; ++row) two.read(row, 0, 1);
  for (unsigned row = 0; row < 8; ++row) CHECK(two.read(row, 500, 1) == 500 + row);
}

TEST_CASE("writes wait until a batch has come together, then reads wait for it and for the bus to turn") {
  Channel channel;
  CHECK(channel.read(0, 0, 1) == 0);
  channel.write(0, 10, 3);
  CHECK(channel.free_at() == 1);
  CHECK(channel.read(0, 20, 1) == 20);
  channel.write(0, 30, 1);
  CHECK(channel.free_at() == 30 + 4 + 20);
  CHECK(channel.read(0, 31, 2) == 54);
  CHECK(channel.read(0, 31, 1) == 56);
}

TEST_CASE("writes alone never turn the bus") {
  Channel channel;
  channel.write(0, 0, 4);
  for (unsigned i = 1; i < 10; ++i) {
    channel.write(0, 0, 4);
    CHECK(channel.free_at() == 4 * (i + 1));
  }
}

TEST_CASE("writes that are scattered over rows take the time of their activations") {
  Channel channel;
  for (unsigned row = 0; row < 4; ++row) channel.write(row, 0, 1);
  CHECK(channel.free_at() == 3 * 10 + 1);
}

TEST_CASE("a copy has the bus for all but a turnaround in each batch of reads and of writes") {
  Channel channel(timing_with({"dram.write_batch=2048", "dram.turnaround_ns=32"}));  // 64 sectors
  Cycle last = 0;
  constexpr unsigned kBatches = 50;
  for (unsigned i = 0; i < kBatches * 16; ++i) {
    last = channel.read(0, 0, 4);
    channel.write(1, 0, 4);
  }
  CHECK(channel.free_at() == kBatches * (64 + 64 + 32));
  CHECK(last == channel.free_at() - 32 - 64 - 4);
}

TEST_CASE("times of DRAM are nanoseconds, whatever the SM's clock") {
  for (const char* clock : {"clock_mhz=500", "clock_mhz=1000", "clock_mhz=2000"}) {
    const GpuSpec spec = load_gpu("tiny", {"dram.activate_ns=10", "dram.turnaround_ns=20", clock});
    const DramTiming timing(spec);
    CHECK(static_cast<double>(timing.activate) == 10e-3 * spec.clock_mhz * kTicksPerCycle);
    CHECK(static_cast<double>(timing.turnaround) == 20e-3 * spec.clock_mhz * kTicksPerCycle);
  }
}

}  // namespace
}  // namespace heddle::sim
