#include "tools/report/timeline.h"

#include "tests/support/catch.h"
#include "tests/tools/heddle/command_line.h"

namespace heddle::report {

using command::lines_of;

TEST_CASE("The timeline shows a row for each warp by scheduler, and a legend of what it saw") {
  using State = sim::WarpSampled::State;
  Timeline timeline(0, {18, 23}, 2);
  timeline.warp_sampled({18, 0, 1, 7, 1, State::Stalled, ir::StallReason::LongScoreboard});
  timeline.warp_issued({18, 0, 0, 7, 0, 3, 0xff, 0xf, 0x3});
  timeline.warp_sampled({19, 0, 0, 7, 0, State::Stalled, ir::StallReason::Wait});
  timeline.warp_sampled({22, 0, 0, 7, 0, State::Finished, {}});
  timeline.warp_issued({17, 0, 0, 7, 0, 2, 0xff, 0xff, 0xff});  // before the range
  timeline.warp_issued({20, 1, 0, 8, 0, 2, 0xff, 0xff, 0xff});  // another SM
  CHECK(timeline.text(80) ==
        "SM 0, cycles 18 to 22\n"
        "                          20\n"
        "                          |  \n"
        "scheduler 0\n"
        "  block 7 warp 0        #w  .\n"
        "scheduler 1\n"
        "  block 7 warp 1        L    \n"
        "# issued\n"
        "w wait: an earlier fixed-latency result\n"
        "L long_scoreboard: data from global or local memory\n"
        ". finished, the block is not; blank: not resident\n");
  CHECK(timeline.issues_text(
            8, [](Pc) { return std::string("NOP"); }, 80) ==
        "cycle  warp            lanes  active, lane 0 first  instruction\n"
        "   18  block 7 warp 0      4  1111....              NOP\n");
}

TEST_CASE("A timeline ends where the run does") {
  Timeline timeline(0, {0, 2000}, 1);
  timeline.warp_issued({1, 0, 0, 7, 0, 3, 0xff, 0xf, 0x3});
  timeline.end_at(4);
  CHECK(timeline.text(80) ==
        "SM 0, cycles 0 to 3\n"
        "                        0\n"
        "                        |   \n"
        "scheduler 0\n"
        "  block 7 warp 0         #  \n"
        "# issued\n"
        ". finished, the block is not; blank: not resident\n");
  Timeline late(0, {100, 200}, 1);
  late.end_at(50);
  CHECK(late.text(80) == "SM 0, cycles 100 to 199\nno warp is resident: the SM gets no block\n");
}

TEST_CASE("A timeline folds to the width, with the cycles again above each piece") {
  using State = sim::WarpSampled::State;
  Timeline timeline(0, {5, 48}, 2);
  for (Cycle cycle = 5; cycle < 48; ++cycle)
    timeline.warp_sampled({cycle, 0, 0, 7, 0, State::Stalled, ir::StallReason::Wait});
  timeline.warp_issued({31, 0, 1, 7, 1, 3, 0xff, 0xf, 0x3});  // resident in no other piece
  const auto lines = lines_of(timeline.text(45));
  // 21 columns beside the names: pieces of two ticks, the first one up to a tick.
  REQUIRE(lines.size() == 1 + 3 * 4 + 2 + 3);
  CHECK(lines[1] == "                             10");
  CHECK(lines[2] == "                             |         ");
  CHECK(lines[4] == "  block 7 warp 0        " + std::string(15, 'w'));
  CHECK(lines[5] == "                        20        30");
  CHECK(lines[6] == "                        |         |         ");
  CHECK(lines[8] == "  block 7 warp 0        " + std::string(20, 'w'));
  CHECK(lines[9] == "scheduler 1");
  CHECK(lines[10] == "  block 7 warp 1                   #        ");
  CHECK(lines[11] == "                        40");
  CHECK(lines[14] == "  block 7 warp 0        " + std::string(8, 'w'));
  for (std::size_t i = 0; i < 15; ++i) CHECK(lines[i].size() <= 45);
}

TEST_CASE(
    "Issues fold to the width: a long instruction below itself, the mask of a wide warp below its line") {
  Timeline timeline(0, {0, 10}, 1);
  timeline.warp_issued({3, 0, 0, 7, 0, 3, ~LaneMask{0}, 0xf, 0xf});
  const auto instruction = [](Pc) { return std::string("LDG.E R4, [R2+0x10]"); };
  CHECK(timeline.issues_text(32, instruction, 78) ==
        "cycle  warp            lanes  active, lane 0 first              instruction\n"
        "    3  block 7 warp 0      4  1111............................  LDG.E R4,\n"
        "                                                                [R2+0x10]\n");
  CHECK(timeline.issues_text(64, instruction, 80) ==
        "cycle  warp            lanes  instruction\n"
        "       active, lane 0 first\n"
        "    3  block 7 warp 0      4  LDG.E R4, [R2+0x10]\n"
        "       1111" +
            std::string(60, '.') + "\n");
}

TEST_CASE("A timeline of cycles in which nobody is there says so, and where to look") {
  Timeline timeline(3, {0, 10}, 4);
  CHECK(timeline.text(80) == "SM 3, cycles 0 to 9\nno warp is resident: the SM gets no block\n");
  timeline.warp_issued({1500, 3, 0, 7, 0, 3, 0xff, 0xf, 0x3});
  timeline.warp_issued({1720, 3, 0, 7, 0, 4, 0xff, 0xf, 0x3});
  timeline.warp_issued({9000, 2, 0, 8, 0, 4, 0xff, 0xf, 0x3});  // another SM
  CHECK(timeline.text(80) ==
        "SM 3, cycles 0 to 9\nno warp is resident: those of this SM issue from cycle 1500 to 1720\n");
}

}  // namespace heddle::report
