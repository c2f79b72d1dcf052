// What observers hear: all of it, in one order, whoever runs the SMs and however time passes; and the same
// figures as the ledgers.
#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "isa/stream/kernel_fault.h"
#include "sim/config/load.h"
#include "sim/device/device.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"
#include "tools/launch/launch_file.h"

namespace heddle::test {
namespace {

/// Keeps all that it is told.
class Listener final : public sim::Observer {
 public:
  [[nodiscard]] sim::EventKinds wanted() const override { return {.stall_sms = 2}; }
  void warp_issued(const sim::WarpIssued& event) override { events.emplace_back(event); }
  void warp_sampled(const sim::WarpSampled& event) override { events.emplace_back(event); }
  void warp_stalled(const sim::WarpStalled& event) override { events.emplace_back(event); }
  void block_started(const sim::BlockStarted& event) override { events.emplace_back(event); }
  void block_ended(const sim::BlockEnded& event) override { events.emplace_back(event); }
  void memory_served(const sim::MemoryServed& event) override { events.emplace_back(event); }

  template <typename Event>
  [[nodiscard]] std::vector<Event> all() const {
    std::vector<Event> found;
    for (const sim::Event& event : events) {
      if (const auto* one = std::get_if<Event>(&event)) found.push_back(*one);
    }
    return found;
  }

  std::vector<sim::Event> events;
};

/// A launch file, in a size that leaves something to do on 7 SMs.
struct Example {
  const char* name;
  Overrides values;
};

const std::vector<Example>& examples() {
  static const std::vector<Example> kExamples = {{"reduce_v1", {"n=8192"}},
                                                 {"histogram_shared", {"n=8192", "blocks=16"}},
                                                 {"strided_copy", {"n=8192", "stride=3"}},
                                                 {"bitonic_sort", {}},
                                                 {"try_lock", {}},
                                                 {"spmv_csr", {"rows=512"}}};
  return kExamples;
}

Listener listen(const Example& example, const sim::GpuSpec& spec, sim::RunOptions options,
                sim::RunResult* result = nullptr) {
  launch::LaunchOverrides overrides;
  overrides.params = example.values;
  launch::LaunchFile file =
      launch::load_launch(fmt::format("{}/traces/{}.yaml", HEDDLE_SOURCE_DIR, example.name), overrides);
  exec::LiveKernel kernel(file.launch, file.memory, spec.occupancy.warp_size);
  Listener listener;
  options.observer = &listener;
  const sim::RunResult run = run_by_instruction(kernel, spec, options);
  if (result != nullptr) *result = run;
  return listener;
}

TEST_CASE("observers hear the same on any number of threads, jumped and cycle by cycle") {
  for (const char* gpu : {"h100", "v100"}) {
    const sim::GpuSpec spec = sim::load_gpu(gpu, {"sms=7"});
    for (const Example& example : examples()) {
      INFO(example.name << " on " << gpu);
      const Listener one = listen(example, spec, {});
      CHECK_FALSE(one.events.empty());
      for (const unsigned threads : {2U, 4U}) {
        sim::RunOptions options;
        options.threads = threads;
        CHECK((listen(example, spec, options).events == one.events));
      }
      CHECK((listen(example, spec, mode(true)).events == one.events));
    }
  }
}

TEST_CASE("samples are heard in their place, on any number of threads") {
  const sim::GpuSpec spec = sim::load_gpu("h100", {"sms=7"});
  sim::RunOptions options;
  options.samples = {1000, 2000};
  const Listener one = listen(examples()[0], spec, options);
  CHECK_FALSE(one.all<sim::WarpSampled>().empty());
  options.threads = 4;
  CHECK((listen(examples()[0], spec, options).events == one.events));
  options.visit_every_cycle = true;
  CHECK((listen(examples()[0], spec, options).events == one.events));
  // Beside the samples, nothing else is heard than without them.
  std::vector<sim::Event> others;
  for (const sim::Event& event : one.events) {
    if (!std::holds_alternative<sim::WarpSampled>(event)) others.push_back(event);
  }
  CHECK((others == listen(examples()[0], spec, {}).events));
}

TEST_CASE("what is heard comes by time, then by SM, and of one SM in its own order") {
  const sim::GpuSpec spec = sim::load_gpu("v100", {"sms=7"});
  for (const Example& example : examples()) {
    INFO(example.name);
    std::tuple<Cycle, SmId> last;
    std::uint64_t out_of_order = 0;
    std::map<std::pair<BlockId, std::uint32_t>, Cycle> issued;
    for (const sim::Event& event : listen(example, spec, {}).events) {
      const std::tuple<Cycle, SmId> place{sim::cycle_of(event), sim::sm_of(event)};
      if (place < last) ++out_of_order;
      last = place;
      if (const auto* issue = std::get_if<sim::WarpIssued>(&event)) {
        Cycle& before = issued[{issue->block, issue->warp_in_block}];
        if (before > issue->cycle) ++out_of_order;
        before = issue->cycle;
      }
    }
    CHECK(out_of_order == 0);
  }
}

TEST_CASE("blocks are heard to start and to end, and nothing of them before or after") {
  const sim::GpuSpec spec = sim::load_gpu("h100", {"sms=7"});
  for (const Example& example : examples()) {
    INFO(example.name);
    sim::RunResult result;
    const Listener heard = listen(example, spec, {}, &result);
    std::map<BlockId, sim::BlockStarted> started;
    std::set<BlockId> ended;
    std::uint64_t wrong = 0;
    std::uint64_t resident = 0;  // warps times cycles
    for (const sim::Event& event : heard.events) {
      if (const auto* start = std::get_if<sim::BlockStarted>(&event)) {
        CHECK(started.emplace(start->block, *start).second);
      } else if (const auto* end = std::get_if<sim::BlockEnded>(&event)) {
        const sim::BlockStarted& of = started.at(end->block);
        CHECK(ended.insert(end->block).second);
        CHECK(of.sm == end->sm);
        resident += of.warps * (end->cycle - of.cycle);
      } else if (const auto* issue = std::get_if<sim::WarpIssued>(&event)) {
        if (!started.contains(issue->block) || ended.contains(issue->block)) ++wrong;
      }
    }
    CHECK(wrong == 0);
    CHECK(ended.size() == result.launch.blocks());
    const sim::Ledger<sim::WarpSlotPart>& slots = result.total.warp_slots;
    CHECK(resident == slots[sim::WarpSlotPart::Resident] + slots[sim::WarpSlotPart::Finished]);
  }
}

TEST_CASE("what is heard of memory adds up to what is counted, instruction by instruction") {
  for (const char* gpu : {"h100", "v100", "tiny"}) {
    const sim::GpuSpec spec = sim::load_gpu(gpu, {"sms=7"});
    for (const Example& example : examples()) {
      INFO(example.name << " on " << gpu);
      sim::RunResult result;
      const Listener heard = listen(example, spec, {}, &result);
      std::vector<sim::MemoryCounters> sums(result.by_pc.size());
      std::uint64_t wrong = 0;
      for (const sim::MemoryServed& served : heard.all<sim::MemoryServed>()) {
        sim::MemoryCounters& sum = sums.at(served.pc);
        const std::uint64_t sectors = bit_count(served.sectors);
        if (served.kind == sim::MemoryServed::Kind::Load) sum.l2_load_sectors += sectors;
        if (served.kind == sim::MemoryServed::Kind::Store) sum.l2_store_sectors += sectors;
        if (served.kind == sim::MemoryServed::Kind::Atomic) sum.l2_atomic_sectors += sectors;
        if (served.level == sim::MemoryLevel::Dram) sum.dram_read_bytes += 1;
        const bool is_load = served.kind == sim::MemoryServed::Kind::Load;
        if (is_load && (served.reply == kNever || served.reply <= served.cycle)) ++wrong;
        if (served.kind == sim::MemoryServed::Kind::Store && served.reply != kNever) ++wrong;
        if (served.sm >= spec.sms || served.slot >= spec.occupancy.max_warps) ++wrong;
      }
      CHECK(wrong == 0);
      for (std::size_t pc = 0; pc < sums.size(); ++pc) {
        const sim::MemoryCounters& counted = result.by_pc[pc].memory;
        CHECK(sums[pc].l2_load_sectors == counted.l2_load_sectors);
        CHECK(sums[pc].l2_store_sectors == counted.l2_store_sectors);
        CHECK(sums[pc].l2_atomic_sectors == counted.l2_atomic_sectors);
        CHECK((sums[pc].dram_read_bytes != 0) == (counted.dram_read_bytes != 0));
      }
    }
  }
}

TEST_CASE("what is heard of issues and their lanes is what is counted by instruction") {
  const sim::GpuSpec spec = sim::load_gpu("h100", {"sms=7"});
  for (const Example& example : examples()) {
    INFO(example.name);
    sim::RunResult result;
    const Listener heard = listen(example, spec, {}, &result);
    struct Sum {
      std::uint64_t issued = 0, executed = 0, active = 0, live = 0;
    };
    std::vector<Sum> sums(result.by_pc.size());
    for (const sim::WarpIssued& issue : heard.all<sim::WarpIssued>()) {
      Sum& sum = sums.at(issue.pc);
      ++sum.issued;
      sum.executed += lane_count(issue.executed);
      sum.active += lane_count(issue.active);
      sum.live += lane_count(issue.live);
    }
    for (std::size_t pc = 0; pc < sums.size(); ++pc) {
      const sim::PcCounters& counted = result.by_pc[pc];
      const sim::Ledger<sim::LaneSlotPart>& lanes = counted.lane_slots;
      const std::uint64_t active =
          lanes[sim::LaneSlotPart::Executed] + lanes[sim::LaneSlotPart::PredicatedOff];
      CHECK(counted.issued == sums[pc].issued);
      CHECK(lanes[sim::LaneSlotPart::Executed] == sums[pc].executed);
      CHECK(active == sums[pc].active);
      CHECK(active + lanes[sim::LaneSlotPart::Diverged] == sums[pc].live);
    }
  }
}

/// Block 5 stores beyond the end of its buffer after a while.
Listener listen_to_fault(unsigned threads, bool visit_every_cycle) {
  TextKernel kernel(
      "S2R R0, SR_CTAID.X\nLDC.64 R2, c[data]\nMOV R1, RZ\nloop:\nIADD3 R1, R1, 0x1, RZ\n"
      "ISETP.LT.AND P0, PT, R1, 0xc8, PT\n@P0 BRA loop\nISETP.EQ.AND P1, PT, R0, 0x5, PT\n"
      "MOV R4, RZ\n@P1 MOV R4, 0x100000\nIMAD.WIDE R6, R4, 0x4, R2\nSTG.E [R6.64], R1",
      {.x = 64}, {.x = 14}, ".param data ptr");
  kernel.add_buffer("data", 128);
  const sim::GpuSpec spec = sim::load_gpu("h100", {"sms=7"});
  Listener listener;
  sim::RunOptions options = mode(visit_every_cycle);
  options.threads = threads;
  CHECK_THROWS_AS(kernel.run_heard(spec, options, listener), stream::KernelFault);
  return listener;
}

TEST_CASE("up to a fault the same is heard, whoever runs the SMs") {
  const Listener one = listen_to_fault(1, false);
  CHECK(one.all<sim::WarpIssued>().size() > 1000);
  CHECK((listen_to_fault(2, false).events == one.events));
  CHECK((listen_to_fault(4, false).events == one.events));
  CHECK((listen_to_fault(1, true).events == one.events));
}

TEST_CASE("who wants only blocks hears only of blocks") {
  class OnlyBlocks final : public sim::Observer {
   public:
    [[nodiscard]] sim::EventKinds wanted() const override { return {.issues = false, .memory = false}; }
    void warp_issued(const sim::WarpIssued&) override { ++others; }
    void memory_served(const sim::MemoryServed&) override { ++others; }
    void block_started(const sim::BlockStarted&) override { ++starts; }
    std::uint64_t starts = 0;
    std::uint64_t others = 0;
  } observer;
  TextKernel kernel("NOP\nNOP", {.x = 64}, {.x = 20});
  kernel.run_heard(sim::load_gpu("tiny"), {}, observer);
  CHECK(observer.starts == 20);
  CHECK(observer.others == 0);
}

}  // namespace
}  // namespace heddle::test
