// Devices that outlive their launches: streams, events, priorities, grids side by side.
#include "sim/device/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>

#include "isa/base/diagnostic.h"
#include "isa/exec/live_kernel.h"
#include "isa/stream/kernel_fault.h"
#include "isa/text/assemble.h"
#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

using Lines = std::vector<std::string>;

/// data[i] += rounds for each thread, one after the other: each addition waits for the one before.
class Counting {
 public:
  Counting(exec::GlobalMemory& memory, const std::string& name, std::uint32_t blocks, std::uint32_t threads,
           std::uint32_t rounds)
      : name_(name),
        rounds_(rounds),
        buffer_(memory.allocate(name, std::uint64_t{blocks} * threads * 4)),
        memory_(memory) {
    launch_.kernel = text::assemble(text(), name + ".sass").front();
    launch_.grid = {blocks};
    launch_.block = {threads};
    const Addr address = buffer_.address();
    launch_.params.resize(8);
    std::memcpy(launch_.params.data(), &address, 8);
  }

  exec::Launch& launch() { return launch_; }
  /// A launch of it.
  stream::KernelSource& make(const sim::GpuSpec& spec) {
    made_.push_back(std::make_unique<exec::LiveKernel>(launch_, memory_, spec.occupancy.warp_size));
    return *made_.back();
  }
  /// Whether each element has been counted up `times`.
  [[nodiscard]] bool holds(std::uint32_t times) const {
    const auto data = buffer_.as<std::uint32_t>();
    return std::all_of(data.begin(), data.end(), [&](std::uint32_t each) { return each == times * rounds_; });
  }

 private:
  [[nodiscard]] std::string text() const {
    return fmt::format(
        ".kernel {}\n.param data ptr\n"
        "S2R R0, SR_CTAID.X\nS2R R1, SR_TID.X\nIMAD R0, R0, c[blockDim.x], R1\n"
        "IMAD.WIDE R2, R0, 0x4, c[data]\nLDG.E R4, [R2.64]\nMOV R5, RZ\n"
        "loop:\nIADD3 R4, R4, 0x1, RZ\nIADD3 R5, R5, 0x1, RZ\nISETP.LT.AND P0, PT, R5, {}, PT\n@P0 BRA loop\n"
        "STG.E [R2.64], R4\nEXIT\n",
        name_, rounds_);
  }

  std::string name_;
  std::uint32_t rounds_;
  exec::Buffer& buffer_;
  exec::GlobalMemory& memory_;
  exec::Launch launch_;
  std::vector<std::unique_ptr<exec::LiveKernel>> made_;
};

/// From the first to the last issue of each block.
class Spans final : public sim::Observer {
 public:
  struct Span {
    SmId sm = 0;
    Cycle first = kNever;
    Cycle last = 0;
  };
  void warp_issued(const sim::WarpIssued& issued) override {
    Span& span = blocks_[{issued.grid, issued.block}];
    span.sm = issued.sm;
    span.first = std::min(span.first, issued.cycle);
    span.last = std::max(span.last, issued.cycle);
  }
  [[nodiscard]] Cycle first(sim::GridId grid, BlockId block) const { return blocks_.at({grid, block}).first; }
  /// Whether blocks of both grids were on one SM at once.
  [[nodiscard]] bool are_together(sim::GridId a, sim::GridId b) const {
    return std::any_of(blocks_.begin(), blocks_.end(), [&](const auto& one) {
      return one.first.first == a && std::any_of(blocks_.begin(), blocks_.end(), [&](const auto& other) {
               return other.first.first == b && other.second.sm == one.second.sm &&
                      other.second.first <= one.second.last && one.second.first <= other.second.last;
             });
    });
  }

 private:
  std::map<std::pair<sim::GridId, BlockId>, Span> blocks_;
};

TEST_CASE("a launch on an idle device takes what it takes on a new one") {
  for (const char* gpu : {"tiny", "h100"}) {
    INFO(gpu);
    const sim::GpuSpec spec = sim::load_gpu(gpu, {"sms=3", "l2.enabled=false"});
    exec::GlobalMemory memory;
    Counting a(memory, "a", 40, 96, 50);
    Counting b(memory, "b", 7, 256, 9);
    const sim::RunResult a_alone = sim::run(a.make(spec), spec);
    const sim::RunResult b_alone = sim::run(b.make(spec), spec);
    sim::Device device(spec);
    std::vector<sim::GridId> grids;
    for (Counting* each : {&a, &b, &a, &b}) grids.push_back(device.submit(each->make(spec)));
    device.run_until(grids[1]);
    CHECK(device.has_ended(grids[1]));
    CHECK_FALSE(device.has_ended(grids[2]));
    device.run();
    for (const std::size_t i : {0U, 2U})
      CHECK(differences(device.result(grids[i]).result, a_alone) == Lines{});
    for (const std::size_t i : {1U, 3U})
      CHECK(differences(device.result(grids[i]).result, b_alone) == Lines{});
    CHECK(device.totals().cycles == 2 * (a_alone.cycles + b_alone.cycles));
    CHECK(a.holds(3));
    CHECK(b.holds(3));
  }
}

TEST_CASE("a launch finds in L2 what the one before it, or a copy, has left there") {
  const sim::GpuSpec spec = sim::load_gpu("h100", {"sms=2"});
  exec::GlobalMemory memory;
  Counting a(memory, "a", 16, 256, 4);
  const std::uint64_t sectors = 16 * 256 * 4 / 32;
  sim::Device device(spec);
  const sim::RunResult cold = sim::run(a.make(spec), device);
  const sim::RunResult warm = sim::run(a.make(spec), device);
  CHECK(cold.total.memory.l2_load_hit_sectors == 0);
  CHECK(cold.total.memory.dram_read_bytes == sectors * 32);
  CHECK(warm.total.memory.l2_load_hit_sectors == sectors);
  CHECK(warm.total.memory.dram_read_bytes == 0);
  CHECK(warm.cycles < cold.cycles);

  sim::Device other(spec);
  other.copy_from_host(memory.find("a")->address(), memory.find("a")->size());
  CHECK(differences(sim::run(a.make(spec), other), warm) == Lines{});
  sim::Device third(spec);
  third.set_l2_tags(device.l2_tags());
  CHECK(differences(sim::run(a.make(spec), third), warm) == Lines{});
}

/// Runs two kernels that have room beside each other on an SM.
struct Pair {
  explicit Pair(const sim::GpuSpec& gpu) : spec(gpu) {}

  struct Outcome {
    sim::RunResult a, b;
    sim::DeviceTotals totals;
  };
  /// In one stream each, or both in one.
  Outcome run(const sim::DeviceOptions& options, bool in_one_stream, sim::Observer* observer = nullptr) {
    sim::Device device(spec, options);
    device.observe(observer);
    const sim::StreamId other = in_one_stream ? sim::Device::kDefaultStream : device.add_stream();
    const sim::LaunchOptions by_instruction{.by_instruction = true};
    const sim::GridId first = device.submit(a.make(spec), sim::Device::kDefaultStream, by_instruction);
    const sim::GridId second = device.submit(b.make(spec), other, by_instruction);
    device.run();
    CHECK(broken_pc_laws(device.result(first).result) == Lines{});
    CHECK(broken_pc_laws(device.result(second).result) == Lines{});
    return {device.result(first).result, device.result(second).result, device.totals()};
  }

  const sim::GpuSpec& spec;
  exec::GlobalMemory memory;
  Counting a{memory, "a", 6, 128, 300};
  Counting b{memory, "b", 9, 64, 200};
};

/// What must be of all grids together; see sm_laws.cpp.
Lines broken_laws_of_all(const Pair::Outcome& outcome, const sim::GpuSpec& spec) {
  sim::RunResult all;
  all.cycles = outcome.totals.cycles;
  all.occupancy.warps_per_sm = spec.occupancy.max_warps;
  all.sms = outcome.totals.sms;
  all.total = outcome.totals.total;
  all.launch.grid = {static_cast<std::uint32_t>(outcome.a.launch.blocks() + outcome.b.launch.blocks())};
  return broken_laws(all, spec);
}

TEST_CASE("two kernels in two streams share SMs, and their ledgers are the device's") {
  for (const char* gpu : {"tiny", "v100", "h100"}) {
    INFO(gpu);
    const sim::GpuSpec spec = sim::load_gpu(gpu, {"sms=3"});
    Pair pair(spec);
    Spans spans;
    const Pair::Outcome together = pair.run({}, false, &spans);
    CHECK(spans.are_together(0, 1));
    CHECK(pair.a.holds(1));
    CHECK(pair.b.holds(1));
    CHECK(broken_laws_of_all(together, spec) == Lines{});
    sim::SmCounters sum = together.a.total;
    sum += together.b.total;
    CHECK(sum.warp_slots == together.totals.total.warp_slots);
    CHECK(sum.issue_slots == together.totals.total.issue_slots);
    CHECK(sum.lane_slots == together.totals.total.lane_slots);
    CHECK(sum.stalls == together.totals.total.stalls);
    CHECK(sum.memory == together.totals.total.memory);
    CHECK(sum.pipe_busy == together.totals.total.pipe_busy);
    // Each does what it does alone, in no less time, and both together in less than one after the other.
    const sim::RunResult a_alone = sim::run(pair.a.make(spec), spec);
    const sim::RunResult b_alone = sim::run(pair.b.make(spec), spec);
    CHECK(together.a.total.lane_slots == a_alone.total.lane_slots);
    CHECK(together.b.total.lane_slots == b_alone.total.lane_slots);
    CHECK(together.b.total.memory.l2_load_sectors == b_alone.total.memory.l2_load_sectors);
    CHECK(together.a.cycles >= a_alone.cycles);
    CHECK(together.b.cycles >= b_alone.cycles);
    CHECK(together.totals.cycles < a_alone.cycles + b_alone.cycles);
  }
}

TEST_CASE("grids side by side: the same on any number of threads, jumped and cycle by cycle") {
  const sim::GpuSpec spec = sim::load_gpu("h100", {"sms=5"});
  Pair pair(spec);
  const Pair::Outcome one = pair.run({}, false);
  for (const sim::DeviceOptions& options :
       {sim::DeviceOptions{false, 2}, sim::DeviceOptions{false, 4}, sim::DeviceOptions{true, 1}}) {
    const Pair::Outcome other = pair.run(options, false);
    CHECK(differences(other.a, one.a) == Lines{});
    CHECK(differences(other.b, one.b) == Lines{});
    CHECK(other.totals.total == one.totals.total);
    CHECK(other.totals.cycles == one.totals.cycles);
  }
}

TEST_CASE("grids of one stream follow one another") {
  const sim::GpuSpec spec = sim::load_gpu("tiny", {"sms=3", "l2.enabled=false"});
  Pair pair(spec);
  Spans spans;
  const Pair::Outcome outcome = pair.run({}, true, &spans);
  CHECK_FALSE(spans.are_together(0, 1));
  CHECK(differences(outcome.a, sim::run(pair.a.make(spec), spec)) == Lines{});
  CHECK(differences(outcome.b, sim::run(pair.b.make(spec), spec)) == Lines{});
}

TEST_CASE("a stream waits for an event of another one, and events tell when") {
  const sim::GpuSpec spec = sim::load_gpu("tiny", {"sms=3"});
  Pair pair(spec);
  sim::Device device(spec);
  const sim::StreamId other = device.add_stream();
  const sim::EventId before = device.record();
  const sim::GridId a = device.submit(pair.a.make(spec));
  const sim::EventId a_done = device.record();
  device.wait(other, a_done);
  const sim::GridId b = device.submit(pair.b.make(spec), other);
  const sim::EventId b_done = device.record(other);
  CHECK(device.time_of(a_done) == kNever);
  device.run_until(a_done);
  CHECK(device.has_ended(a));
  CHECK_FALSE(device.has_ended(b));
  CHECK(device.time_of(before) == 0);
  CHECK(device.time_of(a_done) == device.result(a).result.cycles);
  device.run_until(b_done);
  CHECK(device.result(b).begin >= device.time_of(a_done));
  CHECK(device.time_of(b_done) == device.result(b).begin + device.result(b).result.cycles);
  CHECK(device.clock() >= device.time_of(b_done));
}

/// An SM holds two such blocks, whichever of these grids they are of.
struct Prioritised {
  sim::GpuSpec spec = sim::load_gpu("tiny", {"sms=2"});
  exec::GlobalMemory memory;
  Counting low{memory, "low", 12, 256, 100};
  Counting high{memory, "high", 4, 256, 100};
  Spans spans;
  sim::Device device{spec};

  Prioritised() { device.observe(&spans); }
};

TEST_CASE("a priority stream's blocks are placed first") {
  Prioritised gpu;
  const sim::GridId low = gpu.device.submit(gpu.low.make(gpu.spec), gpu.device.add_stream(0));
  const sim::GridId high = gpu.device.submit(gpu.high.make(gpu.spec), gpu.device.add_stream(-1));
  gpu.device.run();
  // They fill the GPU: all of them start before any of the others.
  for (BlockId block = 0; block < 4; ++block) CHECK(gpu.spans.first(high, block) < gpu.spans.first(low, 0));
  CHECK(gpu.low.holds(1));
  CHECK(gpu.high.holds(1));
}

TEST_CASE("a priority stream goes before blocks that wait, and preempts none that run") {
  Prioritised gpu;
  const sim::GridId low = gpu.device.submit(gpu.low.make(gpu.spec));
  gpu.device.run_until_cycle(200);
  const Cycle submitted = gpu.device.clock();
  CHECK(submitted >= 200);
  const sim::GridId high = gpu.device.submit(gpu.high.make(gpu.spec), gpu.device.add_stream(-1));
  gpu.device.run();
  for (BlockId block = 0; block < 4; ++block) {
    CHECK(gpu.spans.first(low, block) < submitted);
    CHECK(gpu.spans.first(high, block) > submitted);
    CHECK(gpu.spans.first(high, block) < gpu.spans.first(low, 4 + 4));
  }
  CHECK(gpu.device.has_ended(low));
}

/// Two warps, each lane of which reads so many words of its local memory.
exec::Launch local_reader(unsigned words, const std::string& rest) {
  std::string text = fmt::format(".kernel reader\n.local {}\nMOV R1, RZ\n", 4 * words);
  for (unsigned i = 0; i < words; ++i) text += fmt::format("LDL R{}, [R1+{:#x}]\n", 2 + i, 4 * i);
  exec::Launch launch;
  launch.kernel = text::assemble(text + rest + "EXIT\n", "reader.sass").front();
  launch.grid = {1};
  launch.block = {64};
  return launch;
}

TEST_CASE("local memory of two grids lies apart") {
  const sim::GpuSpec spec = sim::load_gpu("h100", {"sms=1", "cold.enabled=false"});
  exec::GlobalMemory memory;
  // Slots 0 and 1 have 4 KiB each, slots 2 and 3 of the other grid 2 KiB: side by side they would overlap.
  exec::LiveKernel first(local_reader(32,
                                      "MOV R1, RZ\nloop:\nIADD3 R1, R1, 0x1, RZ\n"
                                      "ISETP.LT.AND P0, PT, R1, 0x400, PT\n@P0 BRA loop\n"),
                         memory, 32);
  exec::LiveKernel second(local_reader(16, ""), memory, 32);
  sim::Device device(spec);
  const sim::GridId a = device.submit(first);
  device.run_until_cycle(spec.dispatch.kernel_launch + 3000);
  const sim::GridId b = device.submit(second, device.add_stream());
  device.run();
  CHECK(device.result(b).begin + device.result(b).result.cycles < device.result(a).result.cycles);
  const sim::MemoryCounters& read = device.result(b).result.total.memory;
  CHECK(read.local_load_sectors == 2 * 16 * 4);
  CHECK(read.l1_hit_sectors == 0);
  CHECK(read.l2_load_hit_sectors == 0);
}

TEST_CASE("what cannot be launched is refused when it is submitted, and harms nobody") {
  const sim::GpuSpec spec = sim::load_gpu("tiny", {"sms=2"});
  Pair pair(spec);
  exec::GlobalMemory memory;
  Counting large(memory, "large", 1, 1024, 1);  // tiny takes 512 threads
  sim::Device device(spec);
  CHECK_THROWS_AS(device.submit(large.make(spec)), InputError);
  const sim::GridId grid = device.submit(pair.a.make(spec));
  device.run();
  CHECK(device.has_ended(grid));
}

TEST_CASE("a device on which a kernel has failed does nothing any more") {
  const sim::GpuSpec spec = sim::load_gpu("tiny", {"sms=2"});
  Pair pair(spec);
  sim::Device device(spec);
  device.submit(pair.a.make(spec), sim::Device::kDefaultStream, {100});
  device.submit(pair.b.make(spec), device.add_stream());
  try {
    device.run();
    FAIL("the limit was not reached");
  } catch (const stream::KernelFault& fault) {
    CHECK(std::string(fault.what())
              .starts_with("kernel a: cycle limit of 100 reached with 0 of 6 blocks done"));
  }
  CHECK_THROWS_AS(device.run(), std::logic_error);
}

TEST_CASE("more grids than a device can run at once wait") {
  const sim::GpuSpec spec = sim::load_gpu("tiny", {"sms=2"});
  exec::GlobalMemory memory;
  std::vector<std::unique_ptr<Counting>> kernels;
  sim::Device device(spec);
  for (unsigned i = 0; i < sim::kMostGrids + 20; ++i) {
    kernels.push_back(std::make_unique<Counting>(memory, fmt::format("k{}", i), 1, 32, 20));
    device.submit(kernels.back()->make(spec), device.add_stream());
  }
  device.run();
  for (const auto& kernel : kernels) CHECK(kernel->holds(1));
}

}  // namespace
}  // namespace heddle::test
