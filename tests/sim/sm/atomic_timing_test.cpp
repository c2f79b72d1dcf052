// What atomics cost: turns on one address, in L2 and in shared memory.
#include <fmt/format.h>

#include "sim/config/load.h"
#include "tests/support/catch.h"
#include "tests/support/sm_harness.h"

namespace heddle::test {
namespace {

const sim::ClassSpec& class_of(const sim::GpuSpec& spec, ir::TimingClass timing_class) {
  return spec.sm.timing(timing_class);
}

/// From the instruction at "it" to the one at "use", which needs its result.
Cycle latency_of(TextKernel& kernel, const sim::GpuSpec& spec) {
  const Timeline run = kernel.run(spec);
  CHECK(broken_laws(run.result, spec) == std::vector<std::string>{});
  CHECK(differences(run.result, kernel.run(spec, mode(true)).result) == std::vector<std::string>{});
  return run.cycles_at(kernel.pc_of("use")).front() - run.cycles_at(kernel.pc_of("it")).front();
}

/// Lanes below `lanes` name one address, `stride` bytes apart; `warm` puts it into L2 before.
Cycle global_latency(const sim::GpuSpec& spec, unsigned lanes, unsigned stride, bool warm) {
  TextKernel kernel(fmt::format("S2R R0, SR_TID.X\nISETP.LT.U32.AND P0, PT, R0, {:#x}, PT\n"
                                "IMAD.WIDE.U32 R2, R0, {:#x}, c[data]\nMOV R4, RZ\nMOV R5, RZ\n"
                                "{}IADD3 R5, R5, R4, RZ\n"
                                "it:\n@P0 ATOMG.E.ADD PT, R5, [R2.64], R0\nuse:\nIADD3 R6, R5, RZ, RZ\n",
                                lanes, stride, warm ? "ATOMG.E.ADD PT, R4, [R2.64], R0\n" : ""),
                    {.x = 32}, {}, ".param data ptr");
  kernel.add_buffer("data", 4096);
  return latency_of(kernel, spec);
}

TEST_CASE("a global atomic takes its latency, and a turn for each further lane on its address") {
  for (const char* gpu : {"tiny", "v100", "a100", "h100"}) {
    const sim::GpuSpec spec = sim::load_gpu(gpu, {"l2.partitions=1"});
    const Cycle latency = class_of(spec, ir::TimingClass::AtomicGlobal).latency;
    for (const unsigned lanes : {1U, 2U, 7U, 32U}) {
      INFO(gpu << ", " << lanes << " lanes");
      CHECK(global_latency(spec, lanes, 0, true) == latency + lanes - 1);
      CHECK(global_latency(spec, lanes, 4, true) == latency);
      CHECK(global_latency(spec, lanes, 0, false) ==
            latency + lanes - 1 + spec.dram.latency - spec.l2.latency);
    }
  }
  const sim::GpuSpec slow = sim::load_gpu("tiny", {"l2.atomic_interval=5"});
  CHECK(global_latency(slow, 32, 0, true) == 34 + 31 * 5);
}

TEST_CASE("an atomic without lanes is done as soon as a load that hits") {
  for (const char* gpu : {"tiny", "h100"}) {
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    CHECK(global_latency(spec, 0, 0, true) == spec.l1.latency);
  }
}

TEST_CASE("one address takes one lane a cycle, however many warps send them") {
  for (const unsigned interval : {1U, 3U}) {
    for (const unsigned warps : {4U, 16U}) {
      const sim::GpuSpec spec =
          sim::load_gpu("tiny", {fmt::format("l2.atomic_interval={}", interval), "sms=1"});
      TextKernel kernel(
          "MOV R2, c[0x0][0x160]\nMOV R3, c[0x0][0x164]\nLDG.E R4, [R2.64]\nIADD3 R4, R4, RZ, RZ\n"
          "BAR.SYNC 0x0\nfirst:\n" +
              repeat("ATOMG.E.ADD PT, R4, [R2.64], R4", 4) + "last:\nIADD3 R4, R4, RZ, RZ\n",
          {.x = 32 * warps}, {}, ".param data ptr");
      const exec::Buffer& data = kernel.add_buffer("data", 4);
      const Timeline run = kernel.run(spec);
      CHECK(broken_laws(run.result, spec) == std::vector<std::string>{});
      CHECK(data.as<std::uint32_t>()[0] == 0);
      Cycle first = kNever;
      Cycle last = 0;
      for (std::uint32_t warp = 0; warp < warps; ++warp) {
        first = std::min(first, run.cycles_at(kernel.pc_of("first"), warp).front());
        last = std::max(last, run.cycles_at(kernel.pc_of("last"), warp).front());
      }
      INFO(warps << " warps, interval " << interval);
      CHECK(last - first == (4 * warps * 32 - 1) * interval + 34);
    }
  }
}

TEST_CASE("a reduction is not waited for") {
  const sim::GpuSpec spec = sim::load_gpu("tiny");
  TextKernel kernel(
      "MOV R2, c[0x0][0x160]\nMOV R3, c[0x0][0x164]\nMOV R4, 0x1\nit:\nRED.E.ADD [R2.64], R4\nuse:\nIADD3 "
      "R4, R4, RZ, RZ",
      {.x = 32}, {}, ".param data ptr");
  const exec::Buffer& data = kernel.add_buffer("data", 4);
  CHECK(latency_of(kernel, spec) == 1);
  CHECK(data.as<std::uint32_t>()[0] == 64);  // two runs
  const sim::MemoryCounters memory = kernel.run(spec).result.total.memory;
  CHECK(memory.global_atomic_requests == 1);
  CHECK(memory.global_atomic_sectors == 1);
  CHECK(memory.l2_atomic_sectors == 1);
  CHECK(memory.dram_read_bytes == 32);
}

Cycle shared_latency(const sim::GpuSpec& spec, unsigned lanes, unsigned stride, unsigned copies,
                     const std::string& last = "ATOMS.ADD R5, [R2], R0") {
  const std::string more = repeat("@P0 ATOMS.ADD R6, [R2], R0", copies - 1);
  TextKernel kernel(
      fmt::format("S2R R0, SR_TID.X\nISETP.LT.U32.AND P0, PT, R0, {:#x}, PT\nIMAD R2, R0, {:#x}, RZ\n"
                  "MOV R5, RZ\nMOV R6, RZ\nIADD3 R7, R5, R2, R6\nit:\n{}@P0 {}\n"
                  "use:\nIADD3 R6, R5, RZ, RZ\n",
                  lanes, stride, more, last),
      {.x = 32}, {}, ".shared tile 4096");
  return latency_of(kernel, spec);
}

TEST_CASE("a shared atomic takes its latency, and atomic_interval for each further lane in its bank") {
  for (const char* gpu : {"tiny", "v100", "a100", "h100"}) {
    const sim::GpuSpec spec = sim::load_gpu(gpu, {"l2.partitions=1"});
    const Cycle latency = class_of(spec, ir::TimingClass::AtomicShared).latency;
    const Cycle interval = spec.sm.shared.atomic_interval;
    for (const unsigned lanes : {1U, 2U, 8U, 32U}) {
      INFO(gpu << ", " << lanes << " lanes");
      CHECK(shared_latency(spec, lanes, 0, 1) == latency + interval * (lanes - 1));
      CHECK(shared_latency(spec, lanes, 128, 1) == latency + interval * (lanes - 1));
      CHECK(shared_latency(spec, lanes, 4, 1) == latency);
    }
  }
  // V100 was measured: 18 cycles for 8 lanes and 66 for 32, from 6 for one, beside a load's 19.
  const sim::GpuSpec v100 = sim::load_gpu("v100");
  CHECK(shared_latency(v100, 8, 0, 1) == 19 + 18 + 2);
  CHECK(shared_latency(v100, 32, 0, 1) == 19 + 66 + 2);
}

TEST_CASE("a count serves all lanes of an address together") {
  for (const char* gpu : {"tiny", "v100", "h100"}) {
    const sim::GpuSpec spec = sim::load_gpu(gpu);
    const Cycle latency = class_of(spec, ir::TimingClass::AtomicShared).latency;
    const Cycle interval = spec.sm.shared.atomic_interval;
    for (const unsigned lanes : {1U, 8U, 32U}) {
      INFO(gpu << ", " << lanes << " lanes");
      const auto take = [&](unsigned stride) {
        return shared_latency(spec, lanes, stride, 1, "ATOMS.POPC.INC.32 R5, [R2]");
      };
      CHECK(take(0) == latency);
      CHECK(take(4) == latency);
      CHECK(take(128) == latency + interval * (lanes - 1));
    }
  }
}

TEST_CASE("shared atomics keep the banks while they take turns") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  const Cycle latency = class_of(spec, ir::TimingClass::AtomicShared).latency;
  // Each of the first two writes R6 and is waited for; then the stage is free again.
  TextKernel kernel(
      "MOV R2, RZ\nMOV R0, RZ\nIADD3 R7, R0, R2, RZ\nit:\nATOMS.ADD R6, [R2], R0\n"
      "ATOMS.ADD R8, [R2], R0\nATOMS.ADD R5, [R2], R0\nuse:\nIADD3 R6, R5, RZ, RZ\n",
      {.x = 32}, {}, ".shared tile 4096");
  CHECK(latency_of(kernel, spec) == latency + 3 * 62 + 2);
}

TEST_CASE("local memory is cached as global memory is, with a warp's words side by side") {
  const sim::GpuSpec spec = sim::load_gpu("h100");
  TextKernel kernel(
      "STL [RZ+4], RZ\nLDL R0, [RZ+4]\nIADD3 R0, R0, RZ, RZ\nit:\nLDL R0, [RZ+4]\nuse:\nIADD3 R0, R0, RZ, "
      "RZ\n"
      "LDL.64 R2, [RZ+8]\nLDL.U8 R4, [RZ+3]\n",
      {.x = 64}, {}, ".local 16");
  CHECK(latency_of(kernel, spec) == spec.l1.latency);
  const sim::MemoryCounters memory = kernel.run(spec).result.total.memory;
  CHECK(memory.local_load_requests == 2 * 4);
  CHECK(memory.local_load_sectors == 2 * (4 + 4 + 8 + 4));
  CHECK(memory.local_store_requests == 2);
  CHECK(memory.local_store_sectors == 2 * 4);
  CHECK(memory.global_load_requests == 0);
}

}  // namespace
}  // namespace heddle::test
