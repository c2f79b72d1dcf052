// Convergence barriers by themselves, and driven through random flow graphs: every lane goes the way it would
// go alone, and nobody is left waiting.
#include "isa/exec/convergence_barriers.h"

#include <algorithm>
#include <vector>

#include "isa/cfg/reconvergence.h"
#include "isa/exec/paths.h"
#include "isa/ir/kernel.h"
#include "tests/support/catch.h"
#include "tests/support/lane_values.h"
#include "tests/support/lone_trails.h"

namespace heddle::exec {
namespace {

using test::LaneValues;

Paths started(LaneMask lanes) {
  Paths paths(Divergence::Barriers);
  paths.start(lanes, 0);
  return paths;
}

/// As many as a turn lasts.
void go_rounds(Paths& paths) {
  for (unsigned round = 0; round < ConvergenceBarriers::kRoundsInATurn; ++round) paths.go_round();
}

TEST_CASE("under barriers a diamond runs its fall-through path, its taken path, then all together") {
  Paths paths = started(0xff);
  paths.diverge(0x0f, 3, 1, 5);
  CHECK(paths.pc() == 1);
  CHECK(paths.active() == 0xf0);
  paths.advance(2);
  paths.advance(5);
  CHECK(paths.pc() == 3);
  CHECK(paths.active() == 0x0f);
  paths.advance(4);
  paths.advance(5);
  CHECK(paths.pc() == 5);
  CHECK(paths.active() == 0xff);
  CHECK(paths.waits().empty());
}

TEST_CASE("under barriers a path without instructions of its own does not run") {
  Paths paths = started(0xff);
  paths.diverge(0x0f, 5, 1, 5);
  CHECK(paths.active() == 0xf0);
  paths.advance(5);
  CHECK(paths.active() == 0xff);
  paths.diverge(0x0f, 9, 6, 6);
  CHECK(paths.pc() == 9);
  CHECK(paths.active() == 0x0f);
  paths.advance(6);
  CHECK(paths.active() == 0xff);
}

TEST_CASE("lanes that exit are not waited for at an implicit barrier nor at a named one") {
  const bool named = GENERATE(false, true);
  Paths paths = started(0xff);
  if (named) paths.arm(0, 0xff);
  paths.diverge(0x0f, 3, 1, named ? kNowhere : 5);
  paths.exit(0x30);
  CHECK(paths.active() == 0xc0);
  paths.exit(0xc0);
  CHECK(paths.pc() == 3);
  CHECK(paths.active() == 0x0f);
  if (named) paths.sync(0, 0x0f, 5);
  if (!named) paths.advance(5);
  CHECK(paths.pc() == 5);
  CHECK(paths.active() == 0x0f);
  paths.exit(0x0f);
  CHECK(paths.live() == 0);
  CHECK(paths.active() == 0);
}

TEST_CASE("a barrier that is kept in a register waits for its members until they have its name back") {
  Paths paths = started(0xff);
  std::uint32_t kept[64] = {};
  paths.arm(7, 0xff);
  paths.diverge(0x0f, 10, 1, kNowhere);
  paths.sync(7, 0xf0, 5);
  REQUIRE(paths.active() == 0x0f);
  paths.save(7, 0x0f, kept);
  CHECK(std::all_of(kept, kept + 4, [](std::uint32_t word) { return word != 0; }));
  CHECK(std::all_of(kept + 4, kept + 64, [](std::uint32_t word) { return word == 0; }));
  // The name serves a barrier of the four lanes alone.
  paths.arm(7, 0x0f);
  paths.diverge(0x03, 20, 11, kNowhere);
  paths.sync(7, 0x0c, 15);
  CHECK(paths.pc() == 20);
  paths.sync(7, 0x03, 15);
  CHECK(paths.pc() == 15);
  CHECK(paths.active() == 0x0f);
  CHECK(paths.restore(7, 0x0f, kept) == 0);
  paths.sync(7, 0x0f, 5);
  CHECK(paths.pc() == 5);
  CHECK(paths.active() == 0xff);
}

TEST_CASE("lanes that exit while their barrier is kept are not waited for, and words that keep none are told") {
  Paths paths = started(0xff);
  std::uint32_t kept[64] = {};
  paths.save(2, 0xff, kept);
  CHECK(std::all_of(kept, kept + 64, [](std::uint32_t word) { return word == 0; }));
  CHECK(paths.restore(2, 0xff, kept) == 0);  // nobody was waited for, and nobody is
  paths.sync(2, 0xff, 1);
  CHECK(paths.active() == 0xff);
  paths.arm(2, 0xff);
  paths.diverge(0x0f, 10, 2, kNowhere);
  paths.sync(2, 0xf0, 5);
  paths.save(2, 0x0f, kept);
  CHECK(paths.restore(3, 0x01, kept) == 0x01);
  kept[1] += 100;
  CHECK(paths.restore(2, 0x03, kept) == 0x02);
  CHECK(paths.restore(2, 0x01, kept) == 0x01);  // it has the name already
  paths.exit(0x0f);
  CHECK(paths.pc() == 5);
  CHECK(paths.active() == 0xf0);
}

TEST_CASE("a named barrier holds its members, lets others pass, and does not wait for who breaks out") {
  Paths paths = started(0xff);
  paths.arm(3, 0x3f);
  paths.diverge(0x0f, 10, 1, kNowhere);
  CHECK(paths.active() == 0xf0);
  paths.sync(3, 0xf0, 2);  // lanes 6 and 7 are no members
  CHECK(paths.pc() == 2);
  CHECK(paths.active() == 0xc0);
  paths.exit(0xc0);
  CHECK(paths.pc() == 10);
  CHECK(paths.active() == 0x0f);
  REQUIRE(paths.waits().size() == 1);
  CHECK(paths.waits()[0].lanes == 0x30);
  CHECK(paths.waits()[0].pc == 1);
  CHECK(paths.waits()[0].awaited == 0x0f);
  paths.leave(3, 0x0c);
  paths.sync(3, 0x03, 2);  // guarded: lanes 2 and 3 go on in any case, and the barrier is complete
  CHECK(paths.active() == 0x33);
  CHECK(paths.pc() == 2);
  paths.exit(0x33);
  CHECK(paths.active() == 0x0c);
  CHECK(paths.pc() == 2);
}

TEST_CASE("paths that use one register for barriers of their own do not meet") {
  Paths paths = started(0xff);
  paths.diverge(0x0f, 10, 1, 20);
  paths.arm(0, 0xf0);
  paths.diverge(0x30, 5, 2, kNowhere);
  go_rounds(paths);  // 0xc0 gives way to 0x30, which gives way to 0x0f
  CHECK(paths.active() == 0x30);
  go_rounds(paths);
  CHECK(paths.active() == 0x0f);
  paths.arm(0, 0x0f);
  paths.sync(0, 0x0f, 12);
  CHECK(paths.active() == 0x0f);
  CHECK(paths.pc() == 12);
  paths.advance(20);
  CHECK(paths.active() == 0xc0);
  paths.sync(0, 0xc0, 7);
  CHECK(paths.active() == 0x30);
  paths.sync(0, 0x30, 7);
  CHECK(paths.active() == 0xf0);
  paths.advance(20);
  CHECK(paths.active() == 0xff);
}

TEST_CASE("lanes of one barrier that wait at different instructions go on apart") {
  Paths paths = started(0xff);
  paths.arm(1, 0xff);
  paths.diverge(0x0f, 10, 1, kNowhere);
  paths.sync(1, 0xf0, 2);
  paths.sync(1, 0x0f, 11);
  CHECK(paths.active() == 0xf0);
  CHECK(paths.pc() == 2);
  paths.exit(0xf0);
  CHECK(paths.active() == 0x0f);
  CHECK(paths.pc() == 11);
}

TEST_CASE("lanes that meet at a named barrier have left the implicit ones between") {
  Paths paths = started(0xff);
  paths.arm(0, 0xff);
  paths.diverge(0x0f, 10, 1, 30);
  paths.diverge(0xc0, 20, 2, 25);
  CHECK(paths.active() == 0x30);
  paths.advance(25);  // waits for 0xc0
  CHECK(paths.active() == 0xc0);
  paths.sync(0, 0xc0, 40);  // which go elsewhere
  CHECK(paths.active() == 0x0f);
  paths.leave(0, 0x30);
  paths.sync(0, 0x0f, 40);
  // 0xcf are together at 40, within the outer barrier still; 0x30 need not wait at 25.
  CHECK(paths.active() == 0xcf);
  CHECK(paths.pc() == 40);
  paths.exit(0xcf);
  CHECK(paths.active() == 0x30);
  CHECK(paths.pc() == 25);
  paths.advance(30);
  CHECK(paths.active() == 0x30);
}

TEST_CASE("who yields is not waited for by those who wait for nothing but convergence") {
  Paths paths = started(0xff);
  paths.diverge(0xfe, 0, 1, 1);  // lane 0 is where all meet; the others go round
  CHECK(paths.active() == 0xfe);
  CHECK(paths.yield());
  CHECK(paths.active() == 0x01);
  CHECK(paths.pc() == 1);
  paths.exit(0x01);
  CHECK(paths.active() == 0xfe);
  CHECK_FALSE(paths.yield());
  paths.advance(1);
  CHECK(paths.active() == 0xfe);
}

TEST_CASE("a named barrier is given up when all that it waits for have executed YIELD") {
  Paths paths = started(0x7);
  paths.arm(0, 0x7);
  paths.diverge(0x6, 10, 1, kNowhere);
  paths.sync(0, 0x1, 2);  // lane 0 waits for lanes 1 and 2
  CHECK(paths.active() == 0x6);
  paths.diverge(0x4, 20, 11, kNowhere);
  CHECK(paths.active() == 0x2);
  CHECK(paths.yield_by_instruction());  // lane 2 has not yielded: lane 0 still waits, and lane 2 has its turn
  CHECK(paths.active() == 0x4);
  CHECK(paths.yield_by_instruction());  // now both have, and lane 0 goes on first
  CHECK(paths.active() == 0x1);
  CHECK(paths.pc() == 2);
  paths.sync(0, 0x1, 3);  // it is no member any more, and does not wait
  CHECK(paths.pc() == 3);
  paths.exit(0x1);
  // The others are members still, and meet.
  CHECK(paths.active() == 0x2);
  paths.sync(0, 0x2, 12);
  CHECK(paths.active() == 0x4);
  paths.sync(0, 0x4, 12);
  CHECK(paths.active() == 0x6);
  CHECK(paths.pc() == 12);
}

TEST_CASE("a turn ends a yield: who has run since is waited for at a named barrier") {
  Paths paths = started(0x7);
  paths.arm(0, 0x7);
  paths.diverge(0x6, 10, 1, kNowhere);
  CHECK(paths.active() == 0x1);
  CHECK(paths.yield_by_instruction());
  CHECK(paths.active() == 0x6);
  paths.diverge(0x4, 20, 11, kNowhere);
  CHECK(paths.active() == 0x2);
  CHECK(paths.yield_by_instruction());
  CHECK(paths.yield_by_instruction());  // of lane 2 or lane 0, whoever runs
  const LaneMask runs = paths.active();
  paths.sync(0, runs, 3);               // it has yielded, too, but runs: it waits, and the others are asked
  CHECK(paths.active() != runs);
  CHECK(paths.waits().size() == 1);
}

TEST_CASE("a named barrier is not given up for who spins, and lanes can wait for one another for ever") {
  Paths paths = started(0x3);
  paths.arm(0, 0x3);
  paths.arm(1, 0x3);
  paths.diverge(0x2, 10, 1, kNowhere);
  paths.sync(0, 0x1, 2);
  CHECK(paths.active() == 0x2);
  CHECK_FALSE(paths.yield());
  CHECK(paths.active() == 0x2);
  paths.sync(1, 0x2, 11);
  CHECK(paths.active() == 0);
  CHECK(paths.live() == 0x3);
  REQUIRE(paths.waits().size() == 2);
  CHECK(paths.waits()[0].pc == 1);
  CHECK(paths.waits()[0].awaited == 0x2);
  CHECK(paths.waits()[1].pc == 10);
  CHECK(paths.waits()[1].awaited == 0x1);
}

TEST_CASE("lanes of a mask wait for one another where they gather, two groups apart") {
  Paths paths = started(0xff);
  paths.diverge(0x55, 10, 1, kNowhere);
  paths.diverge(0x88, 3, 4, kNowhere);
  CHECK(paths.active() == 0x22);
  paths.gather(0x0f, 0x02, 50, 51);
  paths.exit(0x20);
  CHECK(paths.active() == 0x88);
  paths.gather(0x0f, 0x08, 50, 51);
  paths.gather(0xf0, 0x80, 50, 51);
  CHECK(paths.active() == 0x55);
  paths.gather(0x0f, 0x05, 50, 51);
  // Lane 5 has exited, so the group of the upper ones lacks lanes 4 and 6 only.
  CHECK(paths.active() == 0x0f);
  CHECK(paths.pc() == 51);
}

TEST_CASE("the books stay short when lanes leave a loop one by one, for however many rounds") {
  Paths paths = started(~LaneMask{0});
  for (unsigned round = 0; round < 1000; ++round) {
    paths.start(~LaneMask{0}, 10);
    for (unsigned lane = 0; lane < 63; ++lane) {
      REQUIRE(paths.pc() == 10);
      paths.advance(11);
      paths.diverge(paths.active() & ~(LaneMask{1} << lane), 10, 12, 12);
      REQUIRE(paths.waits().size() == lane + 1);
    }
    paths.advance(12);
    REQUIRE(paths.active() == ~LaneMask{0});
    REQUIRE(paths.waits().empty());
  }
}

// -- random flow graphs ---------------------------------------------------------------------------

/// Branches, EXITs, barriers and yields at random; guards stand for whatever way() says.
ir::Kernel random_flow(LaneValues& values, bool named) {
  constexpr ir::Opcode kBarriers[] = {ir::Opcode::Bssy, ir::Opcode::Bsync, ir::Opcode::Break,
                                      ir::Opcode::Yield};
  ir::Kernel kernel;
  const unsigned size = 4 + values.below(40);
  for (unsigned pc = 0; pc < size; ++pc) {
    ir::Instruction instruction;
    const unsigned draw = values.below(24);
    if (draw < 9) {
      instruction.opcode = ir::Opcode::Bra;
      instruction.operands[1].kind = ir::Operand::Kind::Target;
      instruction.operands[1].value = values.below(size);
      if (draw < 7) instruction.guard.predicate = 0;
    } else if (draw < 11) {
      instruction.opcode = ir::Opcode::Exit;
      if (draw < 10) instruction.guard.predicate = 0;
    } else if (draw < 16) {
      instruction.opcode = named ? kBarriers[values.below(4)] : ir::Opcode::Yield;
      instruction.operands[0].index = static_cast<std::uint8_t>(values.below(2));
      instruction.operands[1].value = values.below(size);
      if (values.one_in(3)) instruction.guard.predicate = 0;
    }
    kernel.instructions.push_back(instruction);
  }
  kernel.instructions.back() = {};
  kernel.instructions.back().opcode = ir::Opcode::Exit;
  return kernel;
}

/// A warp that goes through a kernel's flow with nothing but its paths.
class Walker {
 public:
  Walker(const ir::Kernel& kernel, std::uint64_t seed, unsigned lanes)
      : kernel_(kernel), meeting_(cfg::implicit_barriers(kernel)), seed_(seed), trails_(lanes) {
    paths_.start(first_lanes(lanes), 0);
  }

  void step() {
    const Pc pc = paths_.pc();
    const ir::Instruction& instruction = kernel_.instructions[pc];
    LaneMask holds = 0;
    for_each_lane(paths_.active(), [&](unsigned lane) {
      trails_[lane].push_back(pc);
      if (instruction.guard.always() || test::way(seed_, lane, trails_[lane].size()))
        holds |= LaneMask{1} << lane;
    });
    const auto name = instruction.operands[0].index;
    switch (instruction.opcode) {
      case ir::Opcode::Exit:
        exit(holds);
        return;
      case ir::Opcode::Bra:
        branch(holds, static_cast<Pc>(instruction.operands[1].value));
        return;
      case ir::Opcode::Bsync:
        paths_.sync(name, holds, pc + 1);
        return;
      case ir::Opcode::Bssy:
        paths_.arm(name, holds);
        break;
      case ir::Opcode::Break:
        paths_.leave(name, holds);
        break;
      default:
        break;
    }
    paths_.advance(pc + 1);
    if (instruction.opcode == ir::Opcode::Yield) paths_.yield_by_instruction();
  }

  [[nodiscard]] const Paths& paths() const { return paths_; }
  [[nodiscard]] const std::vector<test::Trail>& trails() const { return trails_; }

 private:
  void exit(LaneMask holds) {
    const Pc pc = paths_.pc();
    const LaneMask active = paths_.active();
    paths_.exit(holds);
    if (holds != active) paths_.advance(pc + 1);
  }

  void branch(LaneMask holds, Pc target) {
    const Pc pc = paths_.pc();
    if (holds == 0) {
      paths_.advance(pc + 1);
    } else if (holds != paths_.active()) {
      paths_.diverge(holds, target, pc + 1, meeting_[pc]);
    } else {
      paths_.advance(target);
      if (target <= pc) paths_.go_round();
    }
  }

  const ir::Kernel& kernel_;
  std::vector<Pc> meeting_;
  std::uint64_t seed_;
  Paths paths_{Divergence::Barriers};
  std::vector<test::Trail> trails_;
};

TEST_CASE("under barriers each lane goes the way it would go alone, through any flow graph") {
  const unsigned lanes = GENERATE(1U, 16U, 32U, 64U);
  const bool named = GENERATE(false, true);
  constexpr std::uint64_t kSeed = 0xba7;
  LaneValues values(kSeed + lanes);
  unsigned finished = 0;
  unsigned stuck = 0;
  for (unsigned round = 0; round < 1'500; ++round) {
    const ir::Kernel kernel = random_flow(values, named);
    Walker walker(kernel, round, lanes);
    CAPTURE(kSeed, lanes, named, round);
    for (unsigned steps = 0; steps < 2'000 && walker.paths().active() != 0; ++steps) {
      if ((walker.paths().active() & ~walker.paths().live()) != 0) FAIL("the dead walk");
      walker.step();
    }
    finished += walker.paths().live() == 0 ? 1 : 0;
    stuck += walker.paths().active() == 0 && walker.paths().live() != 0 ? 1 : 0;
    REQUIRE(test::wrong_trails(kernel, round, walker.trails(), walker.paths().live()) == 0);
  }
  CHECK(finished > 300);
  // Only BSYNCs of the text can make lanes wait for one another for ever.
  if (!named || lanes == 1) CHECK(stuck == 0);
}

}  // namespace
}  // namespace heddle::exec
