// What LiveSource tells the timing model step by step: masks, addresses, and the instruction that comes next.
#include "isa/exec/live_source.h"

#include <fmt/format.h>

#include "tests/support/catch.h"
#include "tests/support/kernel_run.h"

namespace heddle::exec {
namespace {

using namespace heddle::test;

struct Step {
  Pc pc = 0;
  LaneMask live = 0;
  LaneMask active = 0;
  LaneMask executed = 0;

  friend bool operator==(const Step&, const Step&) = default;
};

std::ostream& operator<<(std::ostream& out, const Step& step) {
  return out << fmt::format("{}: live {:#x}, active {:#x}, executed {:#x}", step.pc, step.live, step.active,
                            step.executed);
}

/// All steps of the first warp of block 0.
std::vector<Step> steps_of(const KernelRun& run) {
  GlobalMemory memory;
  const auto kernel = make_kernel(run, memory);
  const auto source = kernel->make_warp_source(0, 4);
  const std::vector<WarpSlot> slots{2};
  std::vector<const stream::StaticOp*> next(1);
  source->start_block(0, slots, next);
  std::vector<Step> steps;
  while (next[0] != nullptr) {
    Step step;
    step.pc = next[0]->pc;
    const stream::WarpStep issued = source->issue(2, 0);
    step.live = issued.live;
    step.active = issued.active;
    step.executed = issued.executed;
    next[0] = issued.next;
    steps.push_back(step);
  }
  source->end_block(slots);
  return steps;
}

TEST_CASE("a diamond runs its fall-through path, then its taken path, then goes on with all lanes") {
  const std::vector<Step> steps = steps_of({R"(
.kernel diamond
    S2R R0, SR_LANEID
    ISETP.LT.AND P0, PT, R0, 0x4, PT
@P0 BRA taken
    MOV R1, 0x1
    BRA join
taken:
    MOV R1, 0x2
join:
    MOV R2, R1
    EXIT
)",
                                            {1, 1, 1},
                                            {8, 1, 1},
                                            16,
                                            {}});
  const std::vector<Step> expected = {{0, 0xff, 0xff, 0xff}, {1, 0xff, 0xff, 0xff}, {2, 0xff, 0xff, 0x0f},
                                      {3, 0xff, 0xf0, 0xf0}, {4, 0xff, 0xf0, 0xf0}, {5, 0xff, 0x0f, 0x0f},
                                      {6, 0xff, 0xff, 0xff}, {7, 0xff, 0xff, 0xff}};
  CHECK(steps == expected);
}

TEST_CASE("a guarded EXIT thins out the warp, and a guard under which nobody stands still issues") {
  const std::vector<Step> steps = steps_of({R"(
.kernel thin
    S2R R0, SR_LANEID
    ISETP.LT.AND P0, PT, R0, 0x4, PT
@P0 EXIT
@P0 MOV R1, 0x1
@!PT MOV R1, 0x1
@!P0 BRA end
    NOP
end:
@P0 EXIT
    EXIT
)",
                                            {1, 1, 1},
                                            {8, 1, 1},
                                            32,
                                            {}});
  const std::vector<Step> expected = {{0, 0xff, 0xff, 0xff}, {1, 0xff, 0xff, 0xff}, {2, 0xff, 0xff, 0x0f},
                                      {3, 0xf0, 0xf0, 0},    {4, 0xf0, 0xf0, 0},    {5, 0xf0, 0xf0, 0xf0},
                                      {7, 0xf0, 0xf0, 0},    {8, 0xf0, 0xf0, 0xf0}};
  CHECK(steps == expected);
}

TEST_CASE("an EXIT on one path lets the other come up where it waits") {
  const std::vector<Step> steps = steps_of({R"(
.kernel part
    S2R R0, SR_LANEID
    ISETP.LT.AND P0, PT, R0, 0x1, PT
@P0 BRA taken
    EXIT
taken:
    MOV R1, 0x2
    EXIT
)",
                                            {1, 1, 1},
                                            {64, 1, 1},
                                            64,
                                            {}});
  const LaneMask all = ~LaneMask{0};
  const std::vector<Step> expected = {{0, all, all, all},         {1, all, all, all}, {2, all, all, 1},
                                      {3, all, all - 1, all - 1}, {4, 1, 1, 1},       {5, 1, 1, 1}};
  CHECK(steps == expected);
}

TEST_CASE("a loop left lane by lane issues as often as its last lane needs, and ends with all lanes") {
  // Lane i goes round 1 + 31 i times.
  const std::vector<Step> steps = steps_of({R"(
.kernel leave
    S2R R0, SR_LANEID
    IMAD R0, R0, 0x1f, RZ
loop:
    IADD3 R0, R0, -0x1, RZ
    ISETP.GE.AND P0, PT, R0, RZ, PT
@P0 BRA loop
    NOP
    EXIT
)",
                                            {1, 1, 1},
                                            {32, 1, 1},
                                            32,
                                            {}});
  const std::size_t rounds = 31 * 31 + 1;
  REQUIRE(steps.size() == 2 + 3 * rounds + 2);
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto left =
        static_cast<unsigned>((round + 30) / 31);  // lanes that have gone round often enough before
    const LaneMask inside = first_lanes(32) & ~first_lanes(left);
    for (std::size_t i = 0; i < 3; ++i) REQUIRE(steps[2 + 3 * round + i].active == inside);
  }
  CHECK(steps[steps.size() - 2] == Step{5, 0xffffffff, 0xffffffff, 0xffffffff});
}

TEST_CASE("memory instructions tell the addresses of the lanes that executed") {
  GlobalMemory memory;
  const Buffer& data = memory.allocate("data", 1024);
  const auto kernel = make_kernel({R"(
.kernel addresses
.param data ptr
.shared tile 512
    S2R R0, SR_LANEID
    ISETP.GE.AND P0, PT, R0, 0x3, PT
    IMAD.WIDE.U32 R2, R0, 0x8, c[data]
    LDG.E.64 R4, [R2.64+0x10]
    IMAD R1, R0, 0xc, RZ
@P0 STS [R1+0x4], R4
    EXIT
)",
                                   {1, 1, 1},
                                   {32, 1, 1},
                                   32,
                                   {data.address()}},
                                  memory);
  const auto source = kernel->make_warp_source(0, 1);
  const std::vector<WarpSlot> slots{0};
  std::vector<const stream::StaticOp*> next(1);
  source->start_block(0, slots, next);
  for (unsigned i = 0; i < 3; ++i) CHECK(source->issue(0, 0).addresses == nullptr);
  const stream::WarpStep load = source->issue(0, 0);
  REQUIRE(load.addresses != nullptr);
  for (unsigned lane = 0; lane < 32; ++lane) CHECK(load.addresses[lane] == data.address() + 16 + 8 * lane);
  CHECK(source->issue(0, 0).addresses == nullptr);
  const stream::WarpStep store = source->issue(0, 0);
  REQUIRE(store.addresses != nullptr);
  CHECK(store.executed == (first_lanes(32) & ~first_lanes(3)));
  for (unsigned lane = 3; lane < 32; ++lane) CHECK(store.addresses[lane] == 4 + 12 * lane);
  CHECK(source->issue(0, 0).next == nullptr);
}

/// Stores 100 * block + thread in shared memory, waits a little, and writes it out from there.
constexpr const char* kKeepApart = R"(
.kernel apart
.param out ptr
.shared tile 128
    S2R R0, SR_TID.X
    S2R R1, SR_CTAID.X
    IMAD R2, R0, 0x4, RZ
    IMAD R3, R1, 0x64, R0
    STS [R2], R3
    IMAD R4, R1, 0x20, R0
    IMAD.WIDE.U32 R6, R4, 0x4, c[out]
    NOP
    LDS R3, [R2]
    STG.E [R6.64], R3
    EXIT
)";

TEST_CASE("blocks on one SM keep apart while others come and go") {
  GlobalMemory memory;
  const Buffer& out = memory.allocate("out", 4 * 32 * 4);
  const auto kernel = make_kernel({kKeepApart, {4, 1, 1}, {32, 1, 1}, 32, {out.address()}}, memory);
  const auto source = kernel->make_warp_source(0, 2);
  std::vector<const stream::StaticOp*> next(2);
  const auto start = [&](BlockId block, WarpSlot slot) {
    const std::vector<WarpSlot> slots{slot};
    source->start_block(block, slots, std::span(next).subspan(slot, 1));
  };
  const auto issue = [&](WarpSlot slot, unsigned times) {
    for (; times != 0; --times) next[slot] = source->issue(slot, 0).next;
  };
  const auto finish = [&](WarpSlot slot) {
    while (next[slot] != nullptr) issue(slot, 1);
    const std::vector<WarpSlot> slots{slot};
    source->end_block(slots);
  };
  start(0, 1);
  start(1, 0);
  issue(1, 5);  // block 0 has stored
  finish(0);
  start(2, 0);  // in the place of block 1, while block 0 is there
  issue(0, 5);
  finish(1);
  start(3, 1);
  issue(1, 5);
  finish(0);
  finish(1);
  CHECK(out.as<std::uint32_t>()[33] == 0);  // nobody has met yet
  ThreadTeam alone(1);
  kernel->commit_writes(alone);
  for (std::uint32_t i = 0; i < 128; ++i) CHECK(out.as<std::uint32_t>()[i] == i / 32 * 100 + i % 32);
}

TEST_CASE("a warp says where it stands") {
  GlobalMemory memory;
  KernelRun run{".kernel where\nNOP\nBAR.SYNC 0x0\nEXIT\n", {2, 3, 2}, {96, 1, 1}, 32, {}};
  const auto kernel = make_kernel(run, memory);
  const auto source = kernel->make_warp_source(0, 8);
  const std::vector<WarpSlot> slots{5, 1, 6};
  std::vector<const stream::StaticOp*> next(3);
  source->start_block(9, slots, next);
  source->issue(6, 0);
  CHECK(source->describe(6) == "instruction 1 (BAR.SYNC 0x0, test.sass:3), block (1,1,1), warp 2");
  CHECK(source->describe(5) == "instruction 0 (NOP, test.sass:2), block (1,1,1), warp 0");
}

}  // namespace
}  // namespace heddle::exec
