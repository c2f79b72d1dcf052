// Files for Perfetto, read by a reader of the test's own.
#include "tools/perfetto/perfetto_file.h"

#include "tests/support/catch.h"
#include "tests/tools/perfetto/track_reader.h"
#include "tools/perfetto/proto_writer.h"

namespace heddle::test {

namespace {

using Kind = history::Slice::Kind;

perfetto::Labels labels() {
  return {"k on tiny", [](Pc pc) { return "op" + std::to_string(pc); }, 2, 4, 32, 1000};
}

/// One SM, two warps, 10 cycles in buckets of 4.
history::RunHistory small_history() {
  history::RunHistory history;
  history.cycles = 10;
  history.bucket = 4;
  history.gpu.resize(3);
  history.gpu[0].issued = 3;
  history.gpu[0].active_lanes = 96;
  history.gpu[0].resident_cycles = 8;
  history.gpu[0].sm_cycles = 4;
  history.gpu[1] = history.gpu[0];
  history.gpu[2].l2_load_sectors = 2;
  history.sms = {{{3, 8}, {3, 8}, {0, 0}}};
  history.stays = {{0, 7, 0, 0, 8}, {1, 7, 1, 0, 8}};
  history.slices = {{0, 1, 2, Kind::Issued, {}, 32, 0},
                    {0, 2, 7, Kind::Stalled, ir::StallReason::LongScoreboard, 0, 1},
                    {0, 7, 8, Kind::Issued, {}, 16, 1},
                    {1, 2, 3, Kind::Issued, {}, 32, 0}};
  return history;
}

}  // namespace

// From https://protobuf.dev/programming-guides/encoding/: field 1 as 150 is 08 96 01, field 2 as "testing" is
// 12 07 and the text, field 3 as the first message is 1a 03 08 96 01.
TEST_CASE("Messages are encoded as the manual of Protocol Buffers has it") {
  using perfetto::Message;
  CHECK(Message().number(1, 150).bytes() == "\x08\x96\x01");
  CHECK(Message().text(2, "testing").bytes() == "\x12\x07testing");
  CHECK(Message().inner(3, Message().number(1, 150)).bytes() == "\x1a\x03\x08\x96\x01");
  CHECK(Message().number(1, ~std::uint64_t{0}).bytes() == "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
  CHECK(Message().real(1, 1.0).bytes() == std::string("\x09\0\0\0\0\0\0\xf0\x3f", 9));
}

TEST_CASE("A file for Perfetto has warps in their slots, what they did inside, and each issue once more") {
  const ReadFile file = read_tracks(perfetto::perfetto_file(small_history(), labels()));
  CHECK(file.mistakes.empty());
  const ReadTrack& slot = file.track("slot 0 (scheduler 0)");
  REQUIRE(slot.slices.size() == 4);
  CHECK(slot.slices[0].name == "op0");
  CHECK(slot.slices[1].name == "long_scoreboard");
  CHECK(slot.slices[1].from == 2);
  CHECK(slot.slices[1].until == 7);
  CHECK(slot.slices[1].depth == 1);
  CHECK(slot.slices[3].name == "block 7 warp 0");
  CHECK(slot.slices[3].depth == 0);
  CHECK(slot.slices[3].until == 8);
  CHECK(file.track("scheduler 0").slices.size() == 2);
  CHECK(file.track("scheduler 1").slices.size() == 1);
  CHECK(file.track("scheduler 1").slices[0].name == "op0");
  CHECK(file.track("k on tiny (1 ns is 1 cycle)").is_process);
  CHECK(file.track("SM 0").marks.empty());
}

TEST_CASE("Counters of a file for Perfetto are means of each bucket, of the part in the run of the last") {
  const ReadFile file = read_tracks(perfetto::perfetto_file(small_history(), labels()));
  using Values = std::vector<std::pair<std::uint64_t, double>>;
  // 3 instructions in 4 cycles of 2 schedulers; 8 warp-cycles in 4 cycles of 4 places.
  CHECK(file.track("issue slots used").values == Values{{0, 37.5}, {8, 0}, {10, 0}});
  CHECK(file.track("occupancy: resident warps").values == Values{{0, 50}, {8, 0}, {10, 0}});
  CHECK(file.track("active lanes of a warp instruction").values == Values{{0, 32}, {8, 0}, {10, 0}});
  CHECK(file.track("SMs with a block").values == Values{{0, 1}, {8, 0}, {10, 0}});
  // 64 bytes in 2 cycles of a nanosecond.
  CHECK(file.track("L2: loads").values == Values{{0, 0}, {8, 32}, {10, 0}});
  CHECK(file.track("L2: loads").unit == "GB/s");
  CHECK(file.track("SM 0: warp instructions").values == Values{{0, 0.75}, {8, 0}, {10, 0}});
}

TEST_CASE("A file for Perfetto says which stretches of time it leaves out") {
  history::RunHistory history = small_history();
  history.every = 4;
  history.cycles = 5000;
  history.stays_left_out = 3;
  const ReadFile file = read_tracks(perfetto::perfetto_file(history, labels()));
  CHECK(file.mistakes.empty());
  const ReadTrack& sm = file.track("SM 0");
  REQUIRE(sm.slices.size() == 2);
  CHECK(sm.slices[0].name == "told: 1024 cycles of each 4096");
  CHECK(sm.slices[1].from == 4096);
  CHECK(sm.slices[1].until == 5000);
  REQUIRE(sm.marks.size() == 1);
  CHECK(sm.marks[0].second == "3 warps are left out");
}

}  // namespace heddle::test
