// The SIMT stack by itself, and driven through random flow graphs: every lane goes the way it would go alone.
#include "isa/exec/simt_stack.h"

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

TEST_CASE("in a diamond the fall-through path runs first, then the taken one, then all together") {
  Paths stack(Divergence::Stack);
  stack.start(0xff, 0);
  CHECK(stack.active() == 0xff);
  stack.diverge(0x0f, 3, 1, 5);  // at 0: lanes 0 to 3 jump to 3; all meet at 5
  CHECK(stack.pc() == 1);
  CHECK(stack.active() == 0xf0);
  stack.advance(2);
  CHECK(stack.active() == 0xf0);
  stack.advance(5);
  CHECK(stack.pc() == 3);
  CHECK(stack.active() == 0x0f);
  stack.advance(4);
  stack.advance(5);
  CHECK(stack.pc() == 5);
  CHECK(stack.active() == 0xff);
  CHECK(stack.live() == 0xff);
  CHECK(stack.records() + 1 == 1);
}

TEST_CASE("a path without instructions of its own does not run") {
  Paths stack(Divergence::Stack);
  stack.start(0xff, 0);
  stack.diverge(0x0f, 5, 1, 5);  // the taken lanes are at the reconvergence point already
  CHECK(stack.pc() == 1);
  CHECK(stack.active() == 0xf0);
  stack.advance(5);
  CHECK(stack.pc() == 5);
  CHECK(stack.active() == 0xff);

  stack.diverge(0x0f, 9, 6, 6);  // the others are
  CHECK(stack.pc() == 9);
  CHECK(stack.active() == 0x0f);
  stack.advance(6);
  CHECK(stack.active() == 0xff);
}

TEST_CASE("lanes that exit on one path are not waited for") {
  Paths stack(Divergence::Stack);
  stack.start(0xff, 0);
  stack.diverge(0x0f, 3, 1, 5);
  stack.exit(0x30);
  CHECK(stack.active() == 0xc0);
  CHECK(stack.live() == 0xcf);
  stack.exit(0xc0);
  CHECK(stack.pc() == 3);
  CHECK(stack.active() == 0x0f);
  stack.advance(5);
  CHECK(stack.pc() == 5);
  CHECK(stack.active() == 0x0f);
  stack.exit(0x0f);
  CHECK(stack.active() == 0);
  CHECK(stack.live() == 0);
}

TEST_CASE("paths that never meet run one after the other to their ends") {
  Paths stack(Divergence::Stack);
  stack.start(0xff, 0);
  stack.diverge(0x0f, 3, 1, cfg::kNoReconvergence);
  CHECK(stack.active() == 0xf0);
  stack.exit(0xf0);
  CHECK(stack.pc() == 3);
  CHECK(stack.active() == 0x0f);
  stack.exit(0x0f);
  CHECK(stack.live() == 0);
  CHECK(stack.active() == 0);
}

TEST_CASE("lanes whose own paths never meet still meet where the enclosing ones do") {
  Paths stack(Divergence::Stack);
  stack.start(0xff, 0);
  stack.diverge(0x0f, 3, 1, 5);
  stack.diverge(0x30, 2, 4, cfg::kNoReconvergence);
  CHECK(stack.active() == 0xc0);
  stack.advance(5);
  CHECK(stack.active() == 0x30);
  stack.advance(5);
  CHECK(stack.active() == 0x0f);
  stack.advance(5);
  CHECK(stack.pc() == 5);
  CHECK(stack.active() == 0xff);
}

TEST_CASE("the stack stays flat when lanes leave a loop one by one, for however many rounds") {
  const bool leave_by_falling_through = GENERATE(false, true);
  Paths stack(Divergence::Stack);
  std::size_t deepest = 0;
  for (unsigned round = 0; round < 1000; ++round) {
    stack.start(~LaneMask{0}, 10);
    for (unsigned lane = 0; lane < 63; ++lane) {
      REQUIRE(stack.pc() == 10);
      stack.advance(11);
      const LaneMask leaving = LaneMask{1} << lane;
      if (leave_by_falling_through) {
        stack.diverge(stack.active() & ~leaving, 10, 12, 12);  // a loop tested at its end
      } else {
        stack.diverge(leaving, 12, 10, 12);
      }
      deepest = std::max(deepest, stack.records() + 1);
    }
    stack.advance(12);
    REQUIRE(stack.pc() == 12);
    REQUIRE(stack.active() == ~LaneMask{0});
  }
  CHECK(deepest <= 2);
}

/// Lanes leave a loop one in each round; in the loop, the even lanes take one path and the odd ones another.
std::size_t depth_in_loop_with_diamond(Paths& stack) {
  constexpr LaneMask kEven = 0x5555555555555555;
  std::size_t deepest = 0;
  for (unsigned round = 0; round < 63; ++round) {
    const LaneMask inside = stack.active();
    if ((inside & kEven) != 0 && (inside & ~kEven) != 0) {
      stack.diverge(inside & kEven, 3, 1, 5);
      CHECK(stack.active() == (inside & ~kEven));
      deepest = std::max(deepest, stack.records() + 1);
      stack.advance(5);
      CHECK(stack.active() == (inside & kEven));
    }
    stack.advance(5);
    CHECK(stack.active() == inside);
    stack.diverge(inside & (inside - 1), 0, 6, 6);
    deepest = std::max(deepest, stack.records() + 1);
  }
  stack.advance(6);
  return deepest;
}

TEST_CASE("a thousand rounds of a loop with a diamond in it leave the stack as deep as one") {
  Paths stack(Divergence::Stack);
  stack.start(~LaneMask{0}, 0);
  for (unsigned time = 0; time < 20; ++time) {
    CHECK(depth_in_loop_with_diamond(stack) <= 4);
    REQUIRE(stack.pc() == 6);
    REQUIRE(stack.active() == ~LaneMask{0});
    CHECK(stack.records() + 1 == 1);
    stack.advance(0);
  }
}

// -- random flow graphs ---------------------------------------------------------------------------

/// Branches, EXITs and NOPs at random; guards stand for whatever way() says.
ir::Kernel random_flow(LaneValues& values) {
  ir::Kernel kernel;
  const unsigned size = 4 + values.below(40);
  for (unsigned pc = 0; pc < size; ++pc) {
    ir::Instruction instruction;
    const unsigned draw = values.below(20);
    if (draw < 9) {
      instruction.opcode = ir::Opcode::Bra;
      instruction.operands[1].kind = ir::Operand::Kind::Target;
      instruction.operands[1].value = values.below(size);
      if (draw < 7) instruction.guard.predicate = 0;
    } else if (draw < 11) {
      instruction.opcode = ir::Opcode::Exit;
      if (draw < 10) instruction.guard.predicate = 0;
    }
    kernel.instructions.push_back(instruction);
  }
  kernel.instructions.back() = {};
  kernel.instructions.back().opcode = ir::Opcode::Exit;
  return kernel;
}

/// A warp that goes through a kernel's flow with nothing but the stack.
class Walker {
 public:
  Walker(const ir::Kernel& kernel, std::uint64_t seed, unsigned lanes)
      : kernel_(kernel), meeting_(cfg::reconvergence_points(kernel)), seed_(seed), paths_(lanes) {
    stack_.start(first_lanes(lanes), 0);
  }

  void step() {
    const Pc pc = stack_.pc();
    const ir::Instruction& instruction = kernel_.instructions[pc];
    LaneMask holds = 0;
    for_each_lane(stack_.active(), [&](unsigned lane) {
      paths_[lane].push_back(pc);
      if (instruction.guard.always() || test::way(seed_, lane, paths_[lane].size()))
        holds |= LaneMask{1} << lane;
    });
    const LaneMask active = stack_.active();
    if (instruction.opcode == ir::Opcode::Exit) {
      stack_.exit(holds);
      if (holds != active) stack_.advance(pc + 1);
    } else if (instruction.opcode != ir::Opcode::Bra || holds == 0) {
      stack_.advance(pc + 1);
    } else if (holds == active) {
      stack_.advance(static_cast<Pc>(instruction.operands[1].value));
    } else {
      stack_.diverge(holds, static_cast<Pc>(instruction.operands[1].value), pc + 1, meeting_[pc]);
    }
    deepest_ = std::max(deepest_, stack_.records() + 1);
  }

  [[nodiscard]] const Paths& stack() const { return stack_; }
  [[nodiscard]] const std::vector<test::Trail>& paths() const { return paths_; }
  [[nodiscard]] std::size_t deepest() const { return deepest_; }

 private:
  const ir::Kernel& kernel_;
  std::vector<Pc> meeting_;
  std::uint64_t seed_;
  Paths stack_{Divergence::Stack};
  std::vector<test::Trail> paths_;
  std::size_t deepest_ = 1;
};

TEST_CASE("through any flow graph each lane goes the way it would go alone") {
  const unsigned lanes = GENERATE(1U, 16U, 32U, 64U);
  constexpr std::uint64_t kSeed = 0xf10;
  LaneValues values(kSeed + lanes);
  unsigned finished = 0;
  for (unsigned round = 0; round < 1'500; ++round) {
    const ir::Kernel kernel = random_flow(values);
    Walker walker(kernel, round, lanes);
    unsigned steps = 0;
    CAPTURE(kSeed, lanes, round);
    for (; steps < 1'000 && walker.stack().live() != 0; ++steps) {
      // Whoever lives gets on: a warp never stands without a path to run.
      if (walker.stack().active() == 0 || (walker.stack().active() & ~walker.stack().live()) != 0)
        FAIL("stuck");
      walker.step();
    }
    finished += walker.stack().live() == 0 ? 1 : 0;
    if (walker.stack().live() == 0) CHECK(walker.stack().active() == 0);
    REQUIRE(test::wrong_trails(kernel, round, walker.paths(), walker.stack().live()) == 0);
    // A waiting path has lanes of its own, or is where enclosing ones meet: one for each block at most.
    REQUIRE(walker.deepest() <= lanes + kernel.instructions.size() + 1);
  }
  CHECK(finished > 500);
}

}  // namespace
}  // namespace heddle::exec
