// L0 with its stream buffer, L1, and L2 behind.
#include "sim/memory/instruction_caches.h"

#include "tests/support/catch.h"

namespace heddle::sim {
namespace {

constexpr Cycle kL1 = 50;
constexpr Cycle kL2 = 200;

/// Lines of 8 instructions: 4 in L0, 8 in L1, fully associative both.
GpuSpec spec(std::uint32_t prefetch_lines) {
  GpuSpec made;
  made.sm.sub_partitions = 2;
  made.l2.latency = kL2;
  made.sm.instruction_cache = {.instruction_bytes = 16,
                               .line_bytes = 128,
                               .l0_bytes = 512,
                               .l0_ways = 4,
                               .prefetch_lines = prefetch_lines,
                               .l1_bytes = 1024,
                               .l1_ways = 8,
                               .l1_latency = kL1};
  return made;
}

constexpr Pc line(Pc number) { return 8 * number; }

TEST_CASE("a kernel that fits L0, or a GPU without one, cannot miss") {
  GpuSpec gpu = spec(0);
  CHECK_FALSE(InstructionCaches::can_miss(gpu, 32));
  CHECK(InstructionCaches::can_miss(gpu, 33));
  gpu.cold.enabled = true;
  CHECK(InstructionCaches::can_miss(gpu, 1));
  CHECK_FALSE(InstructionCaches::can_miss(gpu, 0));
  gpu.sm.instruction_cache.l0_bytes = 0;
  CHECK_FALSE(InstructionCaches::can_miss(gpu, 33));
}

TEST_CASE("a cold launch finds no line in L0 or L1: all come from L2") {
  GpuSpec cold = spec(0);
  cold.cold.enabled = true;
  InstructionCaches caches(cold);
  caches.add_grid(0, 1000);
  CHECK(caches.ready(0, 0, line(0), 10) == 10 + kL1 + kL2);
  CHECK(caches.ready(0, 1, line(0), 20) == 10 + kL1 + kL2);
  CHECK(caches.ready(0, 0, line(0) + 7, 300) == 300);
  CHECK(caches.ready(0, 0, line(1), 300) == 300 + kL1 + kL2);
}

TEST_CASE("L0 and L1 begin with the kernel's first lines, what is in neither comes from L2") {
  InstructionCaches caches(spec(0));
  caches.add_grid(0, 1000);
  CHECK(caches.ready(0, 0, line(4) - 1, 10) == 10);
  CHECK(caches.ready(0, 0, line(4), 10) == 10 + kL1);
  CHECK(caches.ready(0, 0, line(4) + 7, 20) == 10 + kL1);
  CHECK(caches.ready(0, 1, line(4), 20) == 20 + kL1);
  CHECK(caches.ready(0, 0, line(8), 10) == 10 + kL1 + kL2);
  // The other sub-partition's L0 does not have it, and L1 only when L2 has sent it.
  CHECK(caches.ready(0, 1, line(8), 20) == 10 + kL1 + kL2);
  CHECK(caches.ready(0, 1, line(9), 500) == 500 + kL1 + kL2);
  CHECK(caches.ready(0, 0, line(9), 800) == 800 + kL1);
}

TEST_CASE("L0 throws out the line that was used least recently") {
  InstructionCaches caches(spec(0));
  caches.add_grid(0, 1000);
  CHECK(caches.ready(0, 0, line(0), 0) == 0);
  CHECK(caches.ready(0, 0, line(4), 0) == kL1);
  CHECK(caches.ready(0, 0, line(0), 100) == 100);
  CHECK(caches.ready(0, 0, line(1), 100) == 100 + kL1);
}

TEST_CASE("a miss brings the lines behind it, and each of them that is used one more") {
  InstructionCaches caches(spec(2));
  caches.add_grid(0, 1000);
  CHECK(caches.ready(0, 0, line(4), 0) == kL1);        // and 5, 6
  CHECK(caches.ready(0, 0, line(5), 60) == 60);        // and 7
  CHECK(caches.ready(0, 0, line(7), 70) == 60 + kL1);  // and 8, 9 from L2; 6 is given up
  CHECK(caches.ready(0, 0, line(9), 120) == 70 + kL1 + kL2);
  // Elsewhere, a new stream.
  CHECK(caches.ready(0, 0, line(20), 500) == 500 + kL1 + kL2);
  CHECK(caches.ready(0, 0, line(21), 500) == 500 + kL1 + kL2);
}

TEST_CASE("nothing is asked for behind the kernel's end") {
  InstructionCaches caches(spec(8));
  caches.add_grid(0, 33);
  CHECK(caches.ready(0, 0, line(4), 0) == kL1);
  CHECK(caches.ready(0, 0, line(4), 100) == 100);
}

TEST_CASE("kernels of several grids take the place of one another's code") {
  InstructionCaches caches(spec(0));
  caches.add_grid(0, 32);  // fills L0
  CHECK(caches.ready(0, 0, line(0), 10) == 10);
  caches.add_grid(3, 32);  // so does this one; L1 holds both
  CHECK(caches.ready(3, 0, line(0), 20) == 20);
  CHECK(caches.ready(3, 0, line(3), 20) == 20);
  CHECK(caches.ready(0, 1, line(0), 20) == 20 + kL1);
  // Another grid in the same slot has other code.
  caches.add_grid(3, 8);
  CHECK(caches.ready(3, 1, line(0), 30) == 30);
  CHECK(caches.ready(0, 1, line(3), 30) == 30 + kL1);
}

TEST_CASE("a kernel of which is not known how long it is does not miss beside others") {
  InstructionCaches caches(spec(0));
  caches.add_grid(0, 1000);
  caches.add_grid(1, 0);
  CHECK(caches.ready(1, 0, line(50), 10) == 10);
  CHECK(caches.ready(0, 0, line(50), 10) == 10 + kL1 + kL2);
}

}  // namespace
}  // namespace heddle::sim
