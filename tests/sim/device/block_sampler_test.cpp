// Some blocks for all of a grid: when waves are steady, and what is left out then.
#include "sim/device/block_sampler.h"

#include <fmt/format.h>

#include "sim/config/load.h"
#include "sim/device/run.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"

namespace heddle::sim {
namespace {

constexpr WaveScale kScale{64, 1000, 10};

/// The ends of waves of so many cycles each, after a first one of 5000.
std::vector<WaveEnd> ends_of(const std::vector<Cycle>& cycles) {
  std::vector<WaveEnd> ends = {{5000, 0, 0, 0}};
  for (const Cycle wave : cycles) ends.push_back({ends.back().at + wave, 0, 0, 0});
  return ends;
}

TEST_CASE("a mean and its interval are those of Student's t") {
  // By hand: mean 3, deviation sqrt(2.5), t(4 degrees, 97.5 %) = 2.7764.
  const MeanOfValues mean = mean_of({1, 2, 3, 4, 5});
  CHECK(mean.mean == 3);
  CHECK(mean.deviation == Approx(1.58114).epsilon(1e-5));
  CHECK(mean.half_width == Approx(2.7764 * 1.58114 / 2.23607).epsilon(1e-4));
  CHECK(mean_of({7}).half_width == 0);
}

TEST_CASE("waves that are alike are steady, from the fifth on, and the first does not count") {
  CHECK_FALSE(judge_waves(ends_of({100, 100, 100}), kScale).are_steady);
  const SteadyWaves four = judge_waves(ends_of({100, 100, 100, 100}), kScale);
  CHECK(four.are_steady);
  CHECK(four.waves == 4);
  CHECK(four.cycles.mean == 100);
  CHECK(four.cycles.half_width == 0);
  // A sixteenth of the grid.
  CHECK_FALSE(judge_waves(ends_of({100, 100, 100, 100}), {65, 1000, 10}).are_steady);
  CHECK(judge_waves(ends_of({100, 100, 100, 100, 100}), {65, 1000, 10}).are_steady);
  // The later half of ten.
  CHECK(judge_waves(ends_of({900, 800, 700, 300, 150, 100, 100, 100, 100, 100}), kScale).cycles.mean == 100);
}

TEST_CASE("waves with a trend, with much scatter, or with changing traffic are not steady") {
  CHECK(judge_waves(ends_of({1000, 1000, 1030, 1030}), kScale).why_not == "cycles of waves change by 3.0 %");
  CHECK(
      judge_waves(ends_of({800, 1200, 800, 1200}), kScale).why_not.starts_with("cycles of waves scatter by"));
  std::vector<WaveEnd> ends = ends_of({1000, 1000, 1000, 1000});
  for (const std::size_t wave : {3U, 4U}) ends[wave].dram_bytes = 200 * (wave - 2);  // of 10 x 1000
  CHECK(judge_waves(ends, kScale).why_not == "DRAM traffic of waves changes by 2.0 % of its peak");
}

TEST_CASE("L2 has to displace as much as is written to it, unless it holds all that will ever come") {
  std::vector<WaveEnd> ends = ends_of({1000, 1000, 1000, 1000});
  const auto judged = [&ends](std::uint64_t sectors, std::uint64_t dirty) {
    for (std::size_t wave = 0; wave < ends.size(); ++wave) {
      ends[wave].l2_sectors = sectors * (wave + 1);
      ends[wave].dirty_bytes = dirty * (wave + 1);
    }
    return judge_waves(ends, kScale).why_not;
  };
  CHECK(judged(199, 0) == "L2 still held data from before the launch");
  CHECK(judged(200, 100).empty());  // 1 % of the 10 bytes a cycle
  CHECK(judged(200, 101) == "L2 wrote less to DRAM than was written to it");
  CHECK(judged(10, 101).empty());  // 640 sectors in 64 waves: L2 holds more
}

TEST_CASE("the spread of blocks is that of their instructions") {
  BlockInstructions blocks;
  for (const std::uint64_t instructions : {90, 110, 90, 110}) blocks.add(instructions);
  CHECK(blocks.mean() == 100);
  CHECK(blocks.spread() == Approx(11.547 / 100).epsilon(1e-4));  // sqrt(400 / 3)
  CHECK(blocks.least == 90);
  CHECK(blocks.most == 110);
}

// -- on a GPU -----------------------------------------------------------------------------------------------

/// SMs that share nothing, not even the dispatcher, and run one block at a time.
GpuSpec lone_sms() {
  GpuSpec spec = load_gpu("h100", {"sms=2", "sm.instruction_cache.l0_bytes=0", "occupancy.max_blocks=1"});
  spec.dispatch.block_interval = 0;
  return spec;
}
constexpr std::uint64_t kWave = 2;

/// One dependent FADD after the other, in a loop of so many rounds; R1 is the block's number.
std::string chain(const std::string& rounds) {
  std::string text = ".kernel chain\nMOV R0, RZ\nS2R R1, SR_CTAID.X\n" + rounds + "LOOP:\n";
  for (int i = 0; i < 20; ++i) text += "FADD R0, R0, R0\n";
  return text + "IADD3 R2, R2, -0x1, RZ\nISETP.NE.AND P0, PT, R2, RZ, PT\n@P0 BRA LOOP\nEXIT";
}

struct Sampled {
  RunResult result;
  BlockSample sample;

  [[nodiscard]] double estimate() const {
    return static_cast<double>(result.cycles) + sample.cycles_left_out();
  }
};

Sampled run_chain(const std::string& rounds, std::uint64_t blocks, bool is_sampled, unsigned threads = 1) {
  exec::GlobalMemory memory;
  test::KernelRun launch;
  launch.text = chain(rounds);
  launch.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
  launch.block = {64, 1, 1};
  const auto live = test::make_kernel(launch, memory);
  BlockSampler sampler;
  RunOptions options;
  options.threads = threads;
  if (is_sampled) options.sampler = &sampler;
  return {run(*live, lone_sms(), options), sampler.sample()};
}

constexpr const char* kAlike = "MOV R2, 0x10\n";

TEST_CASE("blocks of a fixed time: the estimate is what all of them take, whatever the last wave has") {
  for (const std::uint64_t blocks : {30 * kWave, 30 * kWave + 1, 200 * kWave + 1}) {
    INFO(blocks);
    const RunResult whole = run_chain(kAlike, blocks, false).result;
    const Sampled some = run_chain(kAlike, blocks, true);
    INFO(some.sample.why_whole);
    REQUIRE_FALSE(some.sample.is_whole());
    CHECK(some.sample.left_out.blocks() % kWave == 0);
    CHECK(some.result.total.blocks == blocks - some.sample.left_out.blocks());
    CHECK(some.result.total.blocks <= 17 * kWave);  // the first, a sixteenth of 200.5, and the last three
    CHECK(some.estimate() == static_cast<double>(whole.cycles));
    CHECK(some.sample.half_width() == 0);
  }
}

TEST_CASE("blocks that differ are all run") {
  // 16 to 31 rounds.
  const std::string rounds = "LOP3.LUT R2, R1, 0xf, RZ, 0xc0, !PT\nIADD3 R2, R2, 0x10, RZ\n";
  const RunResult whole = run_chain(rounds, 30 * kWave, false).result;
  const Sampled some = run_chain(rounds, 30 * kWave, true);
  CHECK(some.sample.is_whole());
  CHECK(some.sample.why_whole.starts_with("blocks execute from "));
  CHECK(some.result.cycles == whole.cycles);
}

TEST_CASE("if the last blocks differ from those before, what was left out is run after all") {
  // The last 30 blocks have twice the rounds.
  const std::string rounds = "MOV R2, 0x10\nISETP.GE.U32.AND P0, PT, R1, 0x96, PT\n@P0 MOV R2, 0x20\n";
  const RunResult whole = run_chain(rounds, 180, false).result;
  const Sampled some = run_chain(rounds, 180, true);
  CHECK(some.sample.is_whole());
  CHECK(some.sample.why_whole.starts_with("the last blocks execute "));
  CHECK(some.result.total.blocks == 180);
  CHECK(some.result.total.warp_instructions == whole.total.warp_instructions);
  CHECK(some.sample.cycles_left_out() == 0);
}

TEST_CASE("a grid of few waves is run whole") {
  const Sampled some = run_chain(kAlike, 10 * kWave, true);
  CHECK(some.sample.is_whole());
  CHECK(some.sample.why_whole == "it has 10.0 waves of blocks, fewer than 11");
}

TEST_CASE("the same blocks are left out on any number of threads") {
  const Sampled one = run_chain(kAlike, 50 * kWave + 2, true, 1);
  const Sampled four = run_chain(kAlike, 50 * kWave + 2, true, 4);
  CHECK(one.sample.left_out == four.sample.left_out);
  CHECK(one.result.cycles == four.result.cycles);
  CHECK(one.result.total == four.result.total);
}

}  // namespace
}  // namespace heddle::sim
