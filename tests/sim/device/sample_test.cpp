// Some of a GPU's SMs for the whole: which blocks they get, and what share of the rest.
#include "sim/device/sample.h"

#include <cmath>
#include <set>
#include <string>

#include "sim/config/load.h"
#include "sim/device/run.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"

namespace heddle::sim {
namespace {

TEST_CASE("the blocks of a sample are those of its SMs, in their order, whole waves and the last one") {
  for (const std::uint32_t all : {1U, 2U, 7U, 80U, 132U}) {
    for (std::uint32_t some = 1; some <= all; ++some) {
      const SmSample sample{some, all};
      // Handed out in turn, block b goes to SM b mod all.
      std::set<std::uint64_t> sms;
      for (std::uint64_t i = 0; i < some; ++i) sms.insert(sample.block(i));
      REQUIRE(sms.size() == some);
      REQUIRE(*sms.begin() == 0);
      REQUIRE(*sms.rbegin() < all);
      for (const std::uint64_t blocks : {1ULL, 5ULL, 2ULL * all, 3ULL * all + all / 2 + 1}) {
        std::vector<BlockId> expected;
        for (BlockId block = 0; block < blocks; ++block) {
          const bool is_theirs = sms.contains(block % all);
          if (is_theirs) expected.push_back(block);
          if (sample.has(block) != is_theirs) FAIL("block " << block << " of " << some << " of " << all);
        }
        REQUIRE(sample.count(blocks) == expected.size());
        for (std::uint64_t i = 0; i < expected.size(); ++i) REQUIRE(sample.block(i) == expected[i]);
      }
    }
  }
}

TEST_CASE("a sample's SMs are spread evenly") {
  const SmSample sample{4, 132};
  for (std::uint64_t i = 0; i < 4; ++i) CHECK(sample.block(i) == 33 * i);
}

TEST_CASE("a sample has its share of bandwidth exactly, and of slices and channels in whole ones") {
  for (const char* gpu : {"h100", "v100", "t4"}) {
    const GpuSpec whole = load_gpu(gpu);
    for (const std::uint32_t some : {1U, 3U, whole.sms / 2, whole.sms - 1}) {
      const double share = static_cast<double>(some) / whole.sms;
      const GpuSpec spec = share_of(whole, {some, whole.sms});
      INFO(gpu << " " << some);
      CHECK(spec.sms == some);
      CHECK(spec.dram.bandwidth_gbps == Approx(whole.dram.bandwidth_gbps * share));
      CHECK(spec.l2.slices * spec.l2.sectors_per_cycle ==
            Approx(whole.l2.slices * whole.l2.sectors_per_cycle * share));
      CHECK(spec.l2.slices * spec.l2.far_sectors_per_cycle ==
            Approx(whole.l2.slices * whole.l2.far_sectors_per_cycle * share));
      CHECK(spec.l2.slices * spec.l2.atomic_addresses_per_cycle ==
            Approx(whole.l2.slices * whole.l2.atomic_addresses_per_cycle * share));
      CHECK(static_cast<double>(spec.l2.bytes) == Approx(static_cast<double>(whole.l2.bytes) * share));
      CHECK(spec.l2.slices >= 1);
      const std::uint32_t parts = whole.l2.partitions;  // each has whole slices
      CHECK(spec.l2.slices % parts == 0);
      CHECK(std::abs(spec.l2.slices / parts - std::max(1.0, whole.l2.slices * share / parts)) <= 0.5);
      CHECK(spec.dram.channels >= 1);
      CHECK(std::abs(spec.dram.channels - std::max(1.0, whole.dram.channels * share)) <= 0.5);
    }
    CHECK((share_of(whole, {whole.sms, whole.sms}) == whole));
  }
}

/// A kernel that only computes, one dependent FADD after the other.
RunResult run_sample(const GpuSpec& whole, std::uint32_t blocks, std::uint32_t sms) {
  std::string text = ".kernel chain\nMOV R0, RZ\n";
  for (int i = 0; i < 20; ++i) text += "FADD R0, R0, R0\n";
  exec::GlobalMemory memory;
  test::KernelRun launch;
  launch.text = text + "EXIT";
  launch.grid = {blocks, 1, 1};
  launch.block = {64, 1, 1};
  const auto live = test::make_kernel(launch, memory);
  SampledKernel kernel(*live, {sms, whole.sms});
  return run(kernel, share_of(whole, {sms, whole.sms}));
}

TEST_CASE("SMs that share nothing but the dispatcher take as long in a sample as in the whole") {
  GpuSpec whole = load_gpu("h100", {"sm.instruction_cache.l0_bytes=0"});
  whole.dispatch.block_interval = 0;
  for (const std::uint32_t blocks : {1U, 131U, 132U, 300U, 132U * 32U * 2U + 5U}) {
    const RunResult all = run_sample(whole, blocks, whole.sms);
    for (const std::uint32_t sms : {1U, 5U, 66U}) {
      const RunResult some = run_sample(whole, blocks, sms);
      INFO(blocks << " blocks, " << sms << " SMs");
      CHECK(some.cycles == all.cycles);
      CHECK(some.total.blocks == SmSample{sms, whole.sms}.count(blocks));
    }
  }
}

}  // namespace
}  // namespace heddle::sim
