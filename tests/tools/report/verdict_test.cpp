// The one sentence: each kind of loss is recognised where it is the greatest.
#include "tools/report/verdict.h"

#include "tests/support/catch.h"
#include "tests/tools/launch/messages.h"

namespace heddle::report {

namespace {

using ir::StallReason;
using launch::check_says;

/// 10 SMs of 4 schedulers for 1000 cycles, of which each SM is active for `active`: 4 x active slots an SM.
class Run {
 public:
  explicit Run(std::uint64_t active = 1000) {
    spec_.name = "made_up";
    spec_.sms = 10;
    spec_.occupancy.warp_size = 32;
    spec_.occupancy.max_warps = 64;
    spec_.sm.sub_partitions = 4;
    spec_.sm.pipes = {{"first"}, {"second"}};
    spec_.clock_mhz = 1000;
    spec_.sm.shared = {32, 4, 2};
    spec_.l1.enabled = spec_.l2.enabled = true;
    spec_.l1.sector_bytes = 32;
    spec_.l2.slices = 96;
    spec_.l2.sectors_per_cycle = 2;
    spec_.l2.efficiency = 1;
    spec_.l2.far_sectors_per_cycle = 2;
    spec_.dram.bandwidth_gbps = 100;
    spec_.dram.efficiency = 0.9;
    spec_.dispatch.kernel_launch = 50;
    result_.cycles = result_.blocks_end = 1000;
    result_.launch.grid = {80, 1, 1};
    result_.launch.block = {64, 1, 1};
    result_.occupancy = {8, 16, 0.25, {/*warps*/ 32, /*blocks*/ 8, 32, 32, 32, 32}, {}, 0, 0, false};
    result_.sms.resize(spec_.sms);
    for (sim::SmCounters& sm : result_.sms) sm.active_cycles = active;
    total().active_cycles = active * spec_.sms;
    total().resident_warp_cycles = total().active_cycles * 8;
    total().pipe_busy = {0, 0};
  }

  sim::GpuSpec& spec() { return spec_; }
  sim::SmCounters& total() { return result_.total; }
  sim::RunResult& result() { return result_; }

  /// On average, on each SM that holds a block.
  void hold_warps(unsigned warps) { total().resident_warp_cycles = total().active_cycles * warps; }
  /// What warp slots without a warp are lost to.
  void free_for(sim::WarpSlotPart part) { free_ = part; }

  /// `instructions` issue and `executed` of their lanes work; the issue slots that are left wait for
  /// `reason`.
  Verdict judge(std::uint64_t instructions, StallReason reason, std::uint64_t executed,
                sim::LaneSlotPart lost = sim::LaneSlotPart::Diverged) {
    const std::uint64_t slots = total().active_cycles * 4;
    total().warp_instructions = instructions;
    total().issue_slots.issued = instructions;
    total().issue_slots.stalled[reason] = 0;
    std::uint64_t others = total().issue_slots.no_warp;
    for (std::size_t i = 0; i < ir::kStallReasons; ++i)
      others += total().issue_slots.stalled[static_cast<StallReason>(i)];
    total().issue_slots.stalled[reason] = slots - instructions - others;
    total().lane_slots[sim::LaneSlotPart::Executed] = executed;
    total().lane_slots[lost] = instructions * 32 - executed;
    total().thread_instructions = executed;
    total().active_lanes = executed;
    total().warp_slots[sim::WarpSlotPart::Resident] = total().resident_warp_cycles;
    total().warp_slots[free_] = std::uint64_t{64} * result_.cycles * spec_.sms - total().resident_warp_cycles;
    return report::judge(summary());
  }

  Summary summary() const { return summarize(result_, spec_, {}); }

  /// The summary of this launch and the same again.
  Summary twice() const {
    std::vector<sim::SmCounters> sms = result_.sms;
    for (sim::SmCounters& sm : sms) sm += sm;
    const std::vector<Summary> both(2, summary());
    return summarize_all(both, sms, spec_, {});
  }

 private:
  sim::WarpSlotPart free_ = sim::WarpSlotPart::SmallGrid;
  sim::GpuSpec spec_;
  sim::RunResult result_;
};

}  // namespace

TEST_CASE("A kernel that uses most lanes of most slots is told so") {
  const Verdict verdict = Run().judge(36000, StallReason::Wait, 36000 * 30);
  CHECK(verdict.kind == "well_used");
  CHECK(verdict.share == Approx(0.9 * 30 / 32));
  check_says(verdict.text, "schedulers issue in 90 % of their turns, with 30.0 of 32 lanes at work");
  CHECK_FALSE(verdict.gain.has_value());
}

TEST_CASE("The greatest stall is named with its share as the ledger shows it, and what would help") {
  Run run;
  run.hold_warps(15);
  const Verdict verdict = run.judge(10000, StallReason::LongScoreboard, 320000);
  CHECK(verdict.kind == "long_scoreboard");
  CHECK(verdict.share == Approx(0.75));
  check_says(verdict.text, "Waiting for data from global or local memory: 75 % of issue slots are");
  check_says(verdict.text, "more warps would hide it, but the SM holds only 16 of 64 (blocks limit)");
  // A twentieth of the time is the launch; of the rest a quarter is left.
  CHECK(verdict.gain == Approx(1 / (0.05 + 0.95 * 0.25)));
  check_says(verdict.text, "; without it, at most 3.5 times as fast.");
}

TEST_CASE("Where warps that fit are not there, what their places are free for says what would bring them") {
  const auto text = [](unsigned warps, sim::WarpSlotPart free) {
    Run run;
    run.hold_warps(warps);
    run.free_for(free);
    return run.judge(10000, StallReason::LongScoreboard, 320000).text;
  };
  using sim::WarpSlotPart;
  check_says(text(8, WarpSlotPart::SmallGrid),
             "with 2.0 warps a scheduler there is too little else to do: a larger");
  check_says(text(8, WarpSlotPart::LaunchRamp), "blocks end before others start");
  check_says(text(8, WarpSlotPart::Tail), "the last blocks run among few");
  check_says(text(8, WarpSlotPart::Finished), "ended warps wait for others of their block");
  // The 48 of 64 that the limit takes are no reason while the 16 below it are not there.
  check_says(text(8, WarpSlotPart::ResourceLimit), "too little else to do");
  check_says(text(13, WarpSlotPart::LaunchRamp), "the SM holds only 16 of 64");
}

TEST_CASE("More warps hardly fit where all that the kernel's resources allow are there") {
  Run run;
  run.result().occupancy.warps_per_sm = 48;
  run.result().occupancy.occupancy = 0.75;
  run.hold_warps(44);
  check_says(run.judge(10000, StallReason::LongScoreboard, 320000).text,
             "11.0 warps a scheduler do not hide it, and more hardly fit");
}

TEST_CASE("More warps do fit where a third of those that the resources allow are not there") {
  Run run;
  run.result().occupancy.warps_per_sm = 64;
  run.result().occupancy.occupancy = 1;
  run.hold_warps(42);
  run.free_for(sim::WarpSlotPart::LaunchRamp);
  check_says(run.judge(10000, StallReason::LongScoreboard, 320000).text, "more work in each would bring more");
}

TEST_CASE("Memory that goes on after the last block is told from blocks that end at different times") {
  const auto judged = [](Cycle blocks_end, std::uint64_t atomics) {
    Run run(400);
    run.result().blocks_end = blocks_end;
    run.total().memory.l2_atomic_sectors = atomics;
    return run.judge(10000, StallReason::LongScoreboard, 320000);
  };
  CHECK(judged(500, 9).kind == "idle_sm");
  check_says(judged(500, 9).text, "Memory: for 50 % of the time all blocks have ended");
  check_says(judged(500, 9).text, "atomics on one address take turns");
  CHECK(judged(500, 0).text.find("atomics") == std::string::npos);
  check_says(judged(900, 9).text, "The blocks do not fill the GPU evenly");
}

TEST_CASE("Several launches are judged by what adds up, and no figure of one launch is named") {
  Run idle(400);
  const Verdict once = idle.judge(10000, StallReason::LongScoreboard, 320000);
  const Summary both = idle.twice();
  CHECK(both.cycles == 2000);
  CHECK(both.kernel_launch_cycles == 100);
  CHECK_FALSE(both.launch.has_value());
  const Verdict twice = judge(both);
  CHECK(twice.kind == once.kind);
  CHECK(twice.share == Approx(once.share));
  check_says(once.text, "The blocks do not fill the GPU evenly");
  check_says(once.text, "waves of blocks");
  check_says(twice.text, "The blocks do not fill the GPU evenly");
  CHECK(twice.text.find("waves") == std::string::npos);

  Run late(400);
  late.result().blocks_end = 500;
  late.judge(10000, StallReason::LongScoreboard, 320000);
  check_says(judge(late.twice()).text, "Memory: for 50 % of the time all blocks have ended");

  Run few;
  few.hold_warps(15);
  few.judge(10000, StallReason::LongScoreboard, 320000);
  const std::string text = judge(few.twice()).text;
  check_says(text, "more warps would hide it, but the kernels' theoretical occupancy is only 25 %");
}

TEST_CASE(
    "Where most of a warp's time goes to another stall than most slots, it comes first and both are named") {
  const auto judged = [](StallReason spent, std::uint64_t of_80000) {
    Run run;
    run.total().stalls[spent] = of_80000;
    return run.judge(10000, StallReason::Wait, 320000).text;
  };
  check_says(
      judged(StallReason::LongScoreboard, 48000),
      "Waiting for data from global or local memory: warps spend 60 % of their time on it, while 75 % of "
      "issue slots are lost to wait;");
  for (const auto& [spent, cycles] : {std::pair{StallReason::LongScoreboard, 39000U},
                                      {StallReason::Wait, 48000U},
                                      {StallReason::NotSelected, 48000U}}) {
    CHECK(judged(spent, cycles).find("while") == std::string::npos);
  }
}

TEST_CASE("While SMs are idle for some of the time, a stall's share is of the rest") {
  // A tenth of the time no SM holds a block; of 36000 slots 10000 are used.
  const Verdict verdict = Run(900).judge(10000, StallReason::LongScoreboard, 320000);
  CHECK(verdict.kind == "long_scoreboard");
  CHECK(verdict.share == Approx(0.65));
  check_says(verdict.text, "72 % of issue slots");
}

TEST_CASE("Loads that touch many sectors are blamed before the number of warps") {
  Run run;
  run.total().memory.global_load_requests = 100;
  run.total().memory.global_load_sectors = 3200;
  run.total().memory.global_load_excess_sectors = 2800;
  check_says(run.judge(10000, StallReason::LongScoreboard, 320000).text,
             "a global load touches 32.0 sectors, 28.0 of them in excess: let neighbouring lanes");
}

TEST_CASE("Wide accesses whose lanes lie side by side are not blamed for their sectors") {
  Run run;
  run.total().memory.global_load_requests = 100;
  run.total().memory.global_load_sectors = 1600;  // 16 bytes a lane
  const std::string text = run.judge(10000, StallReason::LongScoreboard, 320000).text;
  CHECK(text.find("sectors") == std::string::npos);
}

TEST_CASE("Waits for global memory count as one, and the greatest is named first") {
  Run run;
  run.total().issue_slots.stalled[StallReason::LgThrottle] = 8000;
  run.total().issue_slots.stalled[StallReason::Drain] = 7000;
  // 15000 of 40000 slots for data, 8000 for room, 7000 for stores: 75 % in all.
  const Verdict verdict = run.judge(10000, StallReason::LongScoreboard, 320000);
  CHECK(verdict.kind == "long_scoreboard");
  CHECK(verdict.gain == Approx(1 / (0.05 + 0.95 * 0.25)));
  check_says(verdict.text, "38 % of issue slots are lost to it, and 20 % to room");
  check_says(verdict.text, "and 18 % to");
}

TEST_CASE("L2 counts as busy by what it reaches, and says how much that is of its peak") {
  const auto judged = [](std::uint64_t sectors) {
    Run run;
    run.spec().l2.slices = 10;
    run.spec().l2.sectors_per_cycle = 2;  // 20000 in 1000 cycles, of which loads reach 10000
    run.spec().l2.efficiency = 0.5;
    run.total().memory.l2_load_sectors = sectors;
    return run.judge(10000, StallReason::LongScoreboard, 320000);
  };
  CHECK(judged(6600).kind == "long_scoreboard");  // of the 9500 that the time after the launch has room for
  const Verdict busy = judged(8000);
  CHECK(busy.kind == "l2_bandwidth");
  CHECK(busy.share == Approx(0.4));
  check_says(busy.text, "40 % of its peak");
  check_says(busy.text, "at 3.5 times this speed the limit would be issue efficiency");  // 25 % of turns
}

TEST_CASE("The way between L2's partitions can be what holds a kernel back") {
  const auto judged = [](std::uint64_t sectors) {
    Run run;
    run.spec().l2.slices = 10;
    run.spec().l2.far_sectors_per_cycle = 0.5;  // 5000 in 1000 cycles
    run.total().memory.l2_far_load_sectors = sectors;
    return run.judge(10000, StallReason::LongScoreboard, 320000);
  };
  CHECK(judged(3300).kind == "long_scoreboard");
  const Verdict busy = judged(4000);
  CHECK(busy.kind == "l2_fabric");
  CHECK(busy.share == Approx(0.8));
  check_says(busy.text, "80 % of it is in use");
}

TEST_CASE("Bank conflicts are the reason of every wait that they cause, if they take much time") {
  // 10 SMs of 1000 cycles; 200 loads of 32 passes, 28 of them for conflicts.
  for (const StallReason reason :
       {StallReason::LgThrottle, StallReason::LongScoreboard, StallReason::Barrier}) {
    Run run;
    run.total().memory.shared_load_requests = 200;
    run.total().memory.shared_load_passes = 6400;
    run.total().memory.shared_load_bank_conflicts = 5600;
    const Verdict verdict = run.judge(10000, reason, 320000);
    CHECK(verdict.kind == "bank_conflicts");
    CHECK(verdict.share == Approx(0.56));
    check_says(verdict.text, "Bank conflicts: ");
    check_says(verdict.text,
               "a load takes 32.0 passes over shared memory's banks, 28.0 of them for conflicts");
    check_says(verdict.text, "56 % of its time");
    CHECK(verdict.gain == Approx(1 / (0.05 + 0.95 * 0.44)));
  }
}

TEST_CASE("Several passes without conflicts, of wide accesses, and a few with them are not the reason") {
  Run wide;
  wide.total().memory.shared_load_requests = 2000;
  wide.total().memory.shared_load_passes = 8000;  // 16 bytes a lane
  const Verdict verdict = wide.judge(10000, StallReason::MioThrottle, 320000);
  CHECK(verdict.kind == "mio_throttle");
  check_says(verdict.text, "fewer or wider accesses");
  CHECK(verdict.text.find("conflict") == std::string::npos);
  Run few;
  few.total().memory.shared_store_requests = 20;
  few.total().memory.shared_store_passes = 640;
  few.total().memory.shared_store_bank_conflicts = 620;
  CHECK(few.judge(10000, StallReason::LongScoreboard, 320000).kind == "long_scoreboard");
  Run other_stall;  // conflicts do not make a chain of additions wait
  other_stall.total().memory.shared_load_requests = 200;
  other_stall.total().memory.shared_load_passes = 6400;
  other_stall.total().memory.shared_load_bank_conflicts = 6200;
  CHECK(other_stall.judge(10000, StallReason::Wait, 320000).kind == "wait");
}

TEST_CASE("Turns of atomics are conflicts, which take as long as their turns do") {
  Run run;
  run.total().memory.shared_atomic_requests = 100;
  run.total().memory.shared_atomic_passes = 3200;
  run.total().memory.shared_atomic_bank_conflicts = 3100;  // of 2 cycles each
  const Verdict verdict = run.judge(10000, StallReason::ShortScoreboard, 320000);
  CHECK(verdict.kind == "bank_conflicts");
  CHECK(verdict.share == Approx(0.62));
  check_says(verdict.text,
             "an atomic takes 32.0 passes over shared memory's banks, 31.0 of them for conflicts");
}

TEST_CASE("A busy data pipe of L1 and shared memory is the reason, whatever warps wait for") {
  const auto judged = [](std::uint64_t busy, std::uint64_t conflicts) {
    Run run;
    run.total().memory.l1_data_pipe_cycles = busy;
    run.total().memory.shared_load_requests = 100;
    run.total().memory.shared_load_passes = busy;
    run.total().memory.shared_load_bank_conflicts = conflicts;
    return run.judge(10000, StallReason::Wait, 320000);
  };
  CHECK(judged(8400, 0).kind == "wait");
  CHECK(judged(9000, 0).kind == "l1_data_pipe");
  CHECK(judged(9000, 0).share == Approx(0.9));
  check_says(judged(9000, 0).text, "their data pipe is busy 90 % of the time");
  CHECK(judged(9000, 4000).kind == "bank_conflicts");
  Run idle(400);
  idle.total().memory.l1_data_pipe_cycles = 3600;
  check_says(idle.judge(1600, StallReason::Wait, 1600 * 32).text,
             "while they hold one, the data pipe of L1 and shared memory is busy 90 % of the time");
}

TEST_CASE("Bank conflicts are named, too, as what SMs suffer from while they hold a block") {
  Run run(400);
  run.total().memory.shared_store_requests = 100;
  run.total().memory.shared_store_passes = 3200;
  run.total().memory.shared_store_bank_conflicts = 2800;  // of 4000 active cycles
  check_says(run.judge(1600, StallReason::LgThrottle, 1600 * 32).text,
             "most is lost to bank conflicts in shared memory (70 % of its time)");
}

TEST_CASE("Waiting for atomics is not put down to a small grid") {
  Run run;
  run.total().memory.l2_load_sectors = 100;
  run.total().memory.l2_atomic_sectors = 500;
  const Verdict verdict = run.judge(1000, StallReason::LongScoreboard, 32000);
  CHECK(verdict.kind == "long_scoreboard");
  check_says(verdict.text, "atomics on one address take turns");
}

TEST_CASE("Lanes that part are the reason when they cost more slots than any stall") {
  const Verdict verdict = Run().judge(36000, StallReason::Wait, 36000 * 4);
  CHECK(verdict.kind == "diverged");
  CHECK(verdict.share == Approx(0.9 * 28 / 32));
  check_says(verdict.text, "Divergence: ");
  check_says(verdict.text, "4.0 lanes of work, not 32");
}

TEST_CASE("Each way to lose lanes has its own words") {
  using sim::LaneSlotPart;
  const std::pair<LaneSlotPart, const char*> ways[] = {{LaneSlotPart::PredicatedOff, "Predication"},
                                                       {LaneSlotPart::Exited, "Exited lanes"},
                                                       {LaneSlotPart::NeverExisted, "Partial warps"}};
  for (const auto& [part, words] : ways) {
    check_says(Run().judge(36000, StallReason::Wait, 36000 * 4, part).text, words);
  }
}

TEST_CASE("Busy DRAM explains why warps wait") {
  Run run;
  run.total().memory.dram_read_bytes = 60'000;
  run.total().memory.dram_write_bytes = 20'000;  // 80 of the 100 bytes that fit a cycle
  const Verdict verdict = run.judge(10000, StallReason::LongScoreboard, 320000);
  CHECK(verdict.kind == "dram_bandwidth");
  CHECK(verdict.share == Approx(0.8));
}

TEST_CASE("DRAM that is in use, but not at its limit, is no reason where no warp waits for memory") {
  const auto judged = [](StallReason reason) {
    Run run;
    run.total().memory.dram_read_bytes = 65'000;  // of the 85,500 that are reached after the launch
    return run.judge(10000, reason, 320000).kind;
  };
  CHECK(judged(StallReason::LongScoreboard) == "dram_bandwidth");
  CHECK(judged(StallReason::Wait) == "wait");
}

TEST_CASE("What DRAM has still to write at the end is none of what it moved") {
  Run run;
  run.total().memory.dram_read_bytes = 60'000;
  run.total().memory.dram_write_bytes = 50'000;
  run.total().memory.dram_late_bytes = 15'000;
  CHECK(run.judge(10000, StallReason::LongScoreboard, 320000).share == Approx(0.95));
}

TEST_CASE("A busy pipe is named") {
  Run run;
  run.total().pipe_busy = {1000, 38000};
  const Verdict verdict = run.judge(19000, StallReason::MathPipeThrottle, 19000 * 32);
  CHECK(verdict.kind == "pipe");
  CHECK(verdict.share == Approx(0.95));
  check_says(verdict.text, "The second pipe");
}

TEST_CASE("A busy pipe is the reason though some lanes are lost, until those are what keeps it busy") {
  const auto judged = [](std::uint64_t executed) {
    Run run;
    run.total().pipe_busy = {0, 38000};
    return run.judge(36000, StallReason::Wait, executed).kind;
  };
  CHECK(judged(36000 * 28) == "pipe");
  CHECK(judged(36000 * 16) == "diverged");
}

TEST_CASE("Of two pipes for the same instructions a busy one holds nothing back while the other is free") {
  const auto pipes_of = [](Run& run, ir::TimingClass which) -> std::vector<std::uint8_t>& {
    return run.spec().sm.classes[static_cast<std::size_t>(which)].pipes;
  };
  SECTION("one is free") {
    Run run;
    pipes_of(run, ir::TimingClass::Fp32) = {1, 0};
    run.total().pipe_busy = {1000, 38000};
    CHECK(run.judge(19000, StallReason::Wait, 19000 * 32).kind == "wait");
  }
  SECTION("both are busy") {
    Run run;
    pipes_of(run, ir::TimingClass::Fp32) = {1, 0};
    run.total().pipe_busy = {36000, 38000};
    const Verdict verdict = run.judge(19000, StallReason::MathPipeThrottle, 19000 * 32);
    CHECK(verdict.kind == "pipe");
    CHECK(verdict.share == Approx(0.9));
  }
  SECTION("other instructions cannot take the free one") {
    Run run;
    pipes_of(run, ir::TimingClass::Fp32) = {1, 0};
    pipes_of(run, ir::TimingClass::Imad) = {1};
    run.total().pipe_busy = {1000, 38000};
    const Verdict verdict = run.judge(19000, StallReason::MathPipeThrottle, 19000 * 32);
    CHECK(verdict.kind == "pipe");
    CHECK(verdict.share == Approx(0.95));
  }
}

/// A run in which so many of ten SMs hold blocks, all of the time after the launch.
Run with_active_sms(unsigned active) {
  Run run;
  for (std::size_t i = active; i < run.result().sms.size(); ++i) run.result().sms[i].active_cycles = 0;
  run.total().active_cycles = std::uint64_t{1000} * active;
  run.total().resident_warp_cycles = run.total().active_cycles * 8;
  return run;
}

TEST_CASE("A grid that is too small for the GPU is told beside what the kernel itself suffers from") {
  Run run = with_active_sms(2);
  const Verdict verdict = run.judge(4000, StallReason::Wait, 4000 * 32);
  CHECK(verdict.kind == "wait");
  check_says(verdict.text, "50 % of issue slots are lost to it");
  check_says(verdict.beside, "8 of 10 SMs get no block");
  CHECK(verdict.beside.find("launching") == std::string::npos);

  Run busy = with_active_sms(2);
  busy.total().pipe_busy = {7600, 0};
  check_says(busy.judge(4000, StallReason::Wait, 4000 * 32).text,
             "The first pipe: it is busy 95 % of the time");
  CHECK(
      with_active_sms(9).judge(4000, StallReason::Wait, 4000 * 32).beside.find("1 of 10 SMs gets no block") ==
      0);
  CHECK(with_active_sms(10).judge(4000, StallReason::Wait, 4000 * 32).beside.empty());
}

TEST_CASE("What launching takes is told beside, and none of the kernel's loss") {
  Run run(200);
  run.spec().dispatch.kernel_launch = 750;
  const Verdict verdict = run.judge(2000, StallReason::Wait, 2000 * 32);
  CHECK(verdict.kind == "wait");
  check_says(verdict.beside, "launching takes 75 % of the run");
  // In the quarter behind it SMs hold blocks for four fifths of the time, and warps wait for three quarters of that.
  CHECK(verdict.gain == Approx(1 / (1 - 0.25 * 0.8 * 0.75)));
}

TEST_CASE("Too few warps for the schedulers of an SM are told beside, and none of the kernel's loss") {
  Run run;
  run.result().launch.grid = {10, 1, 1};
  run.result().launch.block = {32, 1, 1};
  run.total().issue_slots.no_warp = 30000;  // three of four schedulers
  const Verdict verdict = run.judge(4000, StallReason::Wait, 4000 * 32);
  CHECK(verdict.kind == "wait");
  CHECK(verdict.gain ==
        Approx(1 / (0.05 + 0.95 * 0.4)));  // 6000 of the 10000 turns of the one that has a warp
  check_says(verdict.text, "warps spend 0 % of their time on it");
  check_says(verdict.beside, "an SM has fewer warps than schedulers");
}

TEST_CASE("SMs that hold no block while others do are the reason where they cost most") {
  SECTION("by the last wave") {
    const Verdict verdict = Run(200).judge(6000, StallReason::Wait, 6000 * 32);
    CHECK(verdict.kind == "idle_sm");
    check_says(verdict.text, "The blocks do not fill the GPU evenly: 80 % of all issue slots");
    check_says(verdict.text, "with 1.00 waves of blocks");
    CHECK(verdict.beside.empty());
    CHECK(verdict.gain == Approx(1 / (1 - 0.75)));
  }
  SECTION("by the last wave, where few SMs get no block") {
    Run run(300);
    run.result().sms[9].active_cycles = 0;
    run.total().active_cycles = 2700;
    run.total().resident_warp_cycles = 21600;
    const Verdict verdict = run.judge(6000, StallReason::Wait, 6000 * 32);
    check_says(verdict.text, "The blocks do not fill the GPU evenly");
    check_says(verdict.beside, "1 of 10 SMs gets no block");
  }
}

TEST_CASE("Schedulers without warps are told apart from warps that wait") {
  Run run;
  run.total().issue_slots.no_warp = 30000;
  const Verdict verdict = run.judge(5000, StallReason::Wait, 5000 * 32);
  CHECK(verdict.kind == "no_warp");
  CHECK(verdict.share == Approx(0.75));
}

TEST_CASE("Where many small losses add up no single one is blamed") {
  Run run;
  run.total().issue_slots.no_warp = 7000;  // as many slots wait, and lanes cost half of that
  const Verdict verdict = run.judge(26000, StallReason::Wait, 26000 * 28);
  CHECK(verdict.kind == "several");
  check_says(verdict.text, "schedulers issue in 65 % of their turns, with 28.0 of 32 lanes at work");
  check_says(verdict.text, "most of the others are lost to no warp (18 %), wait (18 %), diverged (8 %)");
}

TEST_CASE("Bank conflicts that show as many small losses are named before these") {
  Run run;
  run.total().issue_slots.no_warp = 7000;
  run.total().memory.shared_load_requests = 200;
  run.total().memory.shared_load_passes = 6400;
  run.total().memory.shared_load_bank_conflicts = 5600;  // of 10,000 cycles
  CHECK(run.judge(26000, StallReason::Wait, 26000 * 28).kind == "bank_conflicts");
}

TEST_CASE("Caches that a GPU has not have no hit rate and no use") {
  Run run;
  run.total().memory.l1_miss_sectors = run.total().memory.l2_load_sectors = 100;
  run.judge(10000, StallReason::Wait, 320000);
  CHECK(run.summary().memory.l1_hit_rate == 0.0);
  CHECK(run.summary().memory.l2_hit_rate == 0.0);
  CHECK(run.summary().memory.l2_utilization > 0.0);
  run.spec().l1.enabled = run.spec().l2.enabled = false;
  CHECK_FALSE(run.summary().memory.l1_hit_rate.has_value());
  CHECK_FALSE(run.summary().memory.l2_hit_rate.has_value());
  CHECK_FALSE(run.summary().memory.l2_utilization.has_value());
}

TEST_CASE("A ledger that does not add up is the model's mistake, and is not printed") {
  Run run;
  run.total().issue_slots.issued = 1;
  CHECK_THROWS_AS(summarize(run.result(), run.spec(), {}), std::logic_error);
}

}  // namespace heddle::report
