// Products of warpgroups on the timing model: the tensor pipes, groups of products, and where warps meet.
#include <fmt/format.h>

#include <algorithm>

#include "isa/stream/kernel_fault.h"
#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

using ir::StallReason;

constexpr unsigned kWarps = 4;

const std::string kDescriptors = "UMOV UR0, 0x0\nUMOV UR1, 0x10\nUMOV UR2, 0x0\nUMOV UR3, 0x10\n";

TextKernel warpgroup(const std::string& work) {
  return {kDescriptors + "WARPGROUP.ARRIVE\nwork:\n" + work, {.x = 32 * kWarps}, {}, ".shared tile 16384"};
}

std::string product(unsigned columns, bool closes, const std::string& a = "") {
  return fmt::format("HGMMA.64x{}x16.F32 R8, {}gdesc[UR0], RZ{}\n", columns, a, closes ? ", gsb0" : "");
}

const std::string kAwaitAll = "WARPGROUP.DEPBAR.LE gsb0, 0x0\n";

Timeline checked(TextKernel& kernel, const sim::GpuSpec& spec) {
  const Timeline run = kernel.run(spec);
  CHECK(broken_laws(run.result, spec) == std::vector<std::string>{});
  const Timeline every_cycle = kernel.run(spec, mode(true));
  CHECK(differences(run.result, every_cycle.result) == std::vector<std::string>{});
  return run;
}

std::uint64_t tensor_busy(const sim::GpuSpec& spec, const Timeline& run) {
  const auto pipe = std::find_if(spec.sm.pipes.begin(), spec.sm.pipes.end(),
                                 [](const sim::PipeSpec& each) { return each.name == "tensor"; });
  return run.result.total.pipe_busy[static_cast<std::size_t>(pipe - spec.sm.pipes.begin())];
}

/// From the first product to who waits for the last.
Cycle time_of(const sim::GpuSpec& spec, const std::string& products) {
  TextKernel kernel = warpgroup(products + "wait:\n" + kAwaitAll);
  const Timeline run = checked(kernel, spec);
  return run.cycles_at(kernel.pc_of("wait"))[0] - run.cycles_at(kernel.pc_of("work"))[0];
}

TEST_CASE("a product waits for what was written to its sums as long as other matrix products do") {
  for (const unsigned bypass : {0U, 3U, 9U}) {
    const sim::GpuSpec spec = sim::load_gpu("h100", {fmt::format("sm.bypass.tensor={}", bypass)});
    TextKernel kernel = warpgroup(
        "MOV R8, RZ\nMOV R9, RZ\nMOV R10, RZ\nMOV R11, RZ\nsum:\n"
        "HGMMA.64x8x16.F32 R8, gdesc[UR0], R8, gsb0\n" +
        kAwaitAll);
    const Timeline run = checked(kernel, spec);
    const Pc sum = kernel.pc_of("sum");
    CHECK(run.cycles_at(sum)[0] - run.cycles_at(sum - 1)[0] == 4 + bypass);
  }
}

TEST_CASE(
    "a product of N columns keeps the tensor pipes N / 2 cycles, or as long as its matrices take to be "
    "read") {
  // Published for N = 256: 128.0 (arXiv 2501.12084, Table 8). 128 bytes of shared memory a cycle: 64 x 16 x 2
  // bytes of A are 16 cycles, N x 16 x 2 of B are N / 4.
  for (const char* gpu : {"h100", "h200"}) {
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    for (unsigned columns = 8; columns <= 240; columns += 8) {
      CAPTURE(gpu, columns);
      const Cycle from_shared = std::max(columns / 2, 16 + columns / 4);
      CHECK(time_of(spec, repeat(product(columns, true), 5)) == 5 * from_shared);
      CHECK(time_of(spec, product(columns, true, "RZ, ")) == std::max(columns / 2, 18U));
      CHECK(time_of(spec, repeat(product(columns, true, "RZ, "), 9)) ==
            8 * (columns / 2) + std::max(columns / 2, 18U));
    }
  }
}

TEST_CASE(
    "one warpgroup with a chain of products keeps the tensor pipes of an SM busy at a sixteenth of its "
    "warps") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  constexpr unsigned kProducts = 64;
  const std::string one = "HGMMA.64x240x16.F32 R8, gdesc[UR0], R8, gsb0\n";
  TextKernel kernel = warpgroup("HGMMA.64x240x16.F32 R8, gdesc[UR0], RZ\n" + repeat(one, kProducts - 1) +
                                "wait:\n" + kAwaitAll);
  const Timeline run = checked(kernel, spec);
  CHECK(tensor_busy(spec, run) == kProducts * 120 * spec.sm.sub_partitions);
  for (unsigned warp = 0; warp < kWarps; ++warp) {
    CHECK(run.cycles_at(kernel.pc_of("wait"), warp)[0] - run.cycles_at(kernel.pc_of("work"), warp)[0] ==
          kProducts * 120);
  }
  const auto active = static_cast<double>(run.result.total.active_cycles);
  CHECK(static_cast<double>(tensor_busy(spec, run)) / (active * spec.sm.sub_partitions) > 0.99);
  // The warp waits from the cycle after its last product on until the last group is done.
  CHECK(run.result.total.stalls[StallReason::Gmma] == kWarps * (kProducts * 120 - kProducts));
}

TEST_CASE("a wait lets so many of the last groups be under way") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  for (unsigned left = 0; left <= 6; ++left) {
    CAPTURE(left);
    TextKernel kernel = warpgroup(repeat(product(128, true), 5) + "wait:\n" +
                                  fmt::format("WARPGROUP.DEPBAR.LE gsb0, {:#x}\n", left));
    const Timeline run = checked(kernel, spec);
    const Cycle waited = run.cycles_at(kernel.pc_of("wait"))[0] - run.cycles_at(kernel.pc_of("work"))[0];
    CHECK(waited == std::max<Cycle>(64 * (5 - std::min(left, 5U)), 5));  // it issues behind five products
  }
}

TEST_CASE("a warp does not exit before its products are done") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  TextKernel kernel = warpgroup(repeat(product(256, false), 3) + "exit:\n");
  const Timeline run = checked(kernel, spec);
  CHECK(run.cycles_at(kernel.pc_of("exit"))[0] - run.cycles_at(kernel.pc_of("work"))[0] == 3 * 128);
}

TEST_CASE("products up to the one with gsb0 are one group, those after it belong to none yet") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  CHECK(time_of(spec, repeat(product(128, false), 3) + product(128, true)) == 4 * 64);
  CHECK(time_of(spec, product(128, true) + repeat(product(128, false), 3)) == 64);
  CHECK(time_of(spec, repeat(product(128, false), 3)) == 3);  // no group: nothing to wait for
}

TEST_CASE("who reads or writes the sums waits for the product, whatever its group") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  const auto gap = [&](const std::string& other) {
    TextKernel kernel = warpgroup(product(64, false) + "other:\n" + other);
    const Timeline run = checked(kernel, spec);
    return run.cycles_at(kernel.pc_of("other"))[0] - run.cycles_at(kernel.pc_of("work"))[0];
  };
  CHECK(gap("MOV R0, R8\n") == 32);
  CHECK(gap("MOV R0, R39\n") == 32);
  CHECK(gap("MOV R39, RZ\n") == 32);
  CHECK(gap("MOV R0, RZ\n") == 1);
  CHECK(gap("MOV R40, RZ\n") == 1);
  CHECK(gap(product(64, true)) == 1);
}

TEST_CASE("a product waits for sums that something else than a product makes") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  const auto gap = [&](const std::string& last) {
    TextKernel kernel = warpgroup(repeat("NOP\n", 4) + "MOV R39, RZ\n" + last);  // the descriptors are there
    const Timeline run = checked(kernel, spec);
    const Pc work = kernel.pc_of("work") + 4;
    return run.cycles_at(work + 1)[0] - run.cycles_at(work)[0];
  };
  const Cycle alu = spec.sm.timing(ir::TimingClass::Alu).latency;
  CHECK(gap(product(64, true)) == alu + spec.sm.bypass.tensor);
  CHECK(gap(product(56, true)) == 1);  // R8 to R35
}

TEST_CASE("the four warps of a warpgroup meet before their products, other warpgroups do not wait") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  // Warp 2 of the first four sleeps for 1000 ns.
  TextKernel kernel(kDescriptors + R"(
    S2R R0, SR_TID.X
    SHF.R.U32.HI R0, RZ, 0x5, R0
    ISETP.EQ.AND P0, PT, R0, 0x2, PT
@P0 NANOSLEEP 0x3e8
arrive:
    WARPGROUP.ARRIVE
work:
)" + product(64, true) + kAwaitAll,
                    {.x = 32 * 8}, {}, ".shared tile 16384");
  const Timeline run = checked(kernel, spec);
  const Cycle last = run.cycles_at(kernel.pc_of("arrive"), 2)[0];
  Cycle waited = 0;
  for (unsigned warp = 0; warp < 4; ++warp) {
    const Cycle came = run.cycles_at(kernel.pc_of("arrive"), warp)[0];
    CHECK(run.cycles_at(kernel.pc_of("work"), warp)[0] == last + 1);
    waited += last - came;
  }
  CHECK(waited > 3 * 1000);
  Cycle others_last = 0;
  for (unsigned warp = 4; warp < 8; ++warp) {
    others_last = std::max(others_last, run.cycles_at(kernel.pc_of("arrive"), warp)[0]);
    waited -= run.cycles_at(kernel.pc_of("arrive"), warp)[0];
  }
  CHECK(others_last < last - 500);
  CHECK(run.result.total.stalls[StallReason::WarpgroupArrive] == waited + 4 * others_last);
}

TEST_CASE("a warp of the four that never comes makes a deadlock, which says so") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  TextKernel kernel(R"(
    S2R R0, SR_TID.X
    SHF.R.U32.HI R0, RZ, 0x5, R0
    ISETP.EQ.AND P0, PT, R0, 0x3, PT
@P0 EXIT
    WARPGROUP.ARRIVE
)",
                    {.x = 128});
  std::string message;
  try {
    kernel.run(spec);
  } catch (const stream::KernelFault& fault) {
    message = fault.what();
  }
  CAPTURE(message);
  CHECK(message.find("waits for the other warps of its warpgroup") != std::string::npos);
}

TEST_CASE("HMMA follows the products of warpgroups through the tensor pipe") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  TextKernel kernel = warpgroup(product(128, true) + "other:\nHMMA.16816.F32 R4, RZ, RZ, RZ\n");
  const Timeline run = checked(kernel, spec);
  CHECK(run.cycles_at(kernel.pc_of("other"))[0] - run.cycles_at(kernel.pc_of("work"))[0] == 64);
}

TEST_CASE("only compute capability 9.0 has products of warpgroups") {
  for (const std::string_view gpu : {"a100", "rtx4090", "b200", "rtx5090", "p100"}) {
    CAPTURE(gpu);
    CHECK(sim::load_gpu(std::string(gpu)).sm.timing(ir::TimingClass::WarpgroupProduct).is_absent());
  }
  CHECK_FALSE(sim::load_gpu("h100").sm.timing(ir::TimingClass::WarpgroupProduct).is_absent());
  CHECK_FALSE(sim::load_gpu("h200").sm.timing(ir::TimingClass::WarpgroupProduct).is_absent());
}

}  // namespace
}  // namespace heddle::test
