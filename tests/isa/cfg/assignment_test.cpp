#include "isa/cfg/assignment.h"

#include <fmt/format.h>

#include <array>
#include <random>
#include <set>

#include "isa/ir/register_use.h"
#include "isa/text/assemble.h"
#include "isa/text/disassemble.h"
#include "tests/support/catch.h"

namespace heddle::cfg {
namespace {

bool may_read(const std::string& body) {
  return may_read_unwritten(text::assemble(".kernel k\n" + body + "\nEXIT", "")[0]);
}

const std::string kP0 = "ISETP.GE.AND P0, PT, RZ, RZ, PT\n";

TEST_CASE("a register must be written before it is read") {
  CHECK(may_read("MOV R1, R0"));
  CHECK_FALSE(may_read("MOV R0, 0x1\nMOV R1, R0"));
  CHECK(may_read("FADD R0, R0, 1.0"));
  CHECK_FALSE(may_read("FADD R0, RZ, 1.0"));
}

TEST_CASE("every register of a wide operand counts") {
  CHECK(may_read("MOV R2, 0x1\nSTG.E.64 [RZ.64], R2"));
  CHECK_FALSE(may_read("MOV R2, 0x1\nMOV R3, 0x1\nSTG.E.64 [RZ.64], R2"));
  CHECK(may_read("MOV R2, 0x1\nLDG.E R0, [R2.64]"));
}

TEST_CASE("predicates count as registers do, guards included") {
  CHECK(may_read("@P0 NOP"));
  CHECK(may_read("SEL R0, RZ, 0x1, P0"));
  CHECK_FALSE(may_read(kP0 + "@P0 NOP\nSEL R0, RZ, 0x1, !P0"));
}

TEST_CASE("both sides of a branch must write") {
  CHECK(may_read(kP0 + "@P0 BRA skip\nMOV R0, 0x1\nskip: MOV R1, R0"));
  CHECK_FALSE(may_read(kP0 + "@P0 BRA other\nMOV R0, 0x1\nBRA join\nother: MOV R0, 0x2\njoin: MOV R1, R0"));
}

TEST_CASE("what a loop writes late is not there in its first round") {
  CHECK(may_read(kP0 + "top: MOV R1, R0\nMOV R0, 0x1\n@P0 BRA top"));
  CHECK_FALSE(may_read(kP0 + "MOV R0, 0x0\ntop: MOV R1, R0\nMOV R0, 0x1\n@P0 BRA top"));
}

TEST_CASE("a guarded write serves reads under the same guard while that lasts") {
  CHECK_FALSE(may_read(kP0 + "@P0 MOV R1, 0x1\n@P0 MOV R2, R1"));
  CHECK(may_read(kP0 + "@P0 MOV R1, 0x1\nMOV R2, R1"));
  CHECK(may_read(kP0 + "@P0 MOV R1, 0x1\n@!P0 MOV R2, R1"));
  CHECK(may_read(kP0 + "@P0 MOV R1, 0x1\n" + kP0 + "@P0 MOV R2, R1"));
  CHECK(may_read(kP0 + "@P0 MOV R1, 0x1\n@P0 ISETP.GE.AND P0, PT, RZ, RZ, PT\n@!P0 MOV R2, R1"));
}

TEST_CASE("a write under a guard and one under its opposite make one in any case") {
  CHECK_FALSE(may_read(kP0 + "@P0 MOV R1, 0x1\n@!P0 MOV R1, 0x2\nMOV R2, R1"));
  CHECK(may_read(kP0 + "@P0 MOV R1, 0x1\n" + kP0 + "@!P0 MOV R1, 0x2\nMOV R2, R1"));
}

TEST_CASE("code that no lane reaches reads nothing") {
  CHECK_FALSE(may_read("EXIT\nMOV R1, R0"));
  CHECK_FALSE(may_read("@!PT MOV R1, R0"));
}

// -- the reference: every state that a lane can be in ---------------------------------------------

constexpr std::uint8_t kPredicates = 2;

/// A lane's state as far as reads of what is not written go. A predicate's value is free until it is looked
/// at, and stays then until it is written.
struct Lane {
  Pc pc = 0;
  std::set<ir::RegisterSlot> written;
  std::array<int, kPredicates> value{-1, -1};

  friend auto operator<=>(const Lane& one, const Lane& other) = default;
};

class EveryPath {
 public:
  EveryPath(const ir::Kernel& kernel, bool remembers_predicates)
      : kernel_(kernel), remembers_(remembers_predicates) {}

  bool reads_unwritten() {
    visit({});
    while (!to_visit_.empty()) {
      const Lane lane = to_visit_.back();
      to_visit_.pop_back();
      if (step(lane)) return true;
    }
    return false;
  }

 private:
  void visit(const Lane& lane) {
    if (seen_.insert(lane).second) to_visit_.push_back(lane);
  }

  /// True if the lane reads what it has not written.
  bool step(const Lane& lane) {
    const ir::Instruction& instruction = kernel_.instructions[lane.pc];
    const ir::Guard guard = instruction.guard;
    if (guard.always()) return execute(lane);
    if (!lane.written.contains(static_cast<ir::RegisterSlot>(ir::kGuardSlots + guard.predicate))) return true;
    for (const int value : {0, 1}) {
      const int known = lane.value[guard.predicate];
      if (remembers_ && known != -1 && known != value) continue;
      Lane next = lane;
      next.value[guard.predicate] = remembers_ ? value : -1;
      if ((value == 1) != guard.negated) {
        if (execute(next)) return true;
      } else {
        ++next.pc;
        visit(next);
      }
    }
    return false;
  }

  bool execute(Lane lane) {
    const ir::Instruction& instruction = kernel_.instructions[lane.pc];
    const ir::RegisterUse use = ir::register_use(instruction);
    for (const ir::RegisterSlot slot : use.reads) {
      if (!lane.written.contains(slot)) return true;
    }
    for (const ir::RegisterSlot slot : use.writes) {
      lane.written.insert(slot);
      if (ir::is_guard_slot(slot)) lane.value[static_cast<std::size_t>(slot - ir::kGuardSlots)] = -1;
    }
    if (instruction.opcode == ir::Opcode::Exit) return false;
    lane.pc =
        instruction.opcode == ir::Opcode::Bra ? static_cast<Pc>(instruction.operands[1].value) : lane.pc + 1;
    visit(lane);
    return false;
  }

  const ir::Kernel& kernel_;
  bool remembers_;
  std::set<Lane> seen_;
  std::vector<Lane> to_visit_;
};

enum class Guards { OnBranchesOnly, Anywhere };

class RandomKernel {
 public:
  RandomKernel(std::uint64_t seed, Guards guards) : random_(seed), guards_(guards) {}

  ir::Kernel make() {
    std::string text = ".kernel k\n";
    const unsigned size = 3 + below(9);
    for (unsigned pc = 0; pc < size; ++pc) text += fmt::format("l{}: {}\n", pc, line(size));
    return text::assemble(text + "EXIT\n", "random")[0];
  }

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  std::string reg() { return below(4) == 0 ? "RZ" : fmt::format("R{}", below(3)); }
  std::string predicate() { return fmt::format("P{}", below(kPredicates)); }
  std::string guard() { return std::string("@") + (below(2) == 0 ? "!" : "") + predicate() + " "; }

  std::string line(unsigned size) {
    const unsigned kind = below(12);
    const bool is_branch = kind >= 10;
    const bool guarded = is_branch ? below(3) > 0 : guards_ == Guards::Anywhere && below(2) == 0;
    const std::string front = guarded ? guard() : "";
    if (is_branch) return front + "BRA l" + std::to_string(below(size));
    if (kind == 9) return guarded ? front + "EXIT" : "NOP";
    if (kind >= 7) return front + "ISETP.GE.AND " + predicate() + ", PT, " + reg() + ", 0x1, PT";
    if (kind >= 3) return front + "MOV R" + std::to_string(below(3)) + ", 0x1";
    return front + "IADD3 R" + std::to_string(below(3)) + ", " + reg() + ", " + reg() + ", RZ";
  }

  std::mt19937_64 random_;
  Guards guards_;
};

TEST_CASE("where only branches are guarded the analysis is exactly that of every path") {
  unsigned proven = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    const ir::Kernel kernel = RandomKernel(seed, Guards::OnBranchesOnly).make();
    const bool expected = EveryPath(kernel, false).reads_unwritten();
    CAPTURE(seed, text::disassemble(kernel));
    CHECK(may_read_unwritten(kernel) == expected);
    if (!expected) ++proven;
  }
  CHECK(proven > 200);
  CHECK(proven < 2800);
}

TEST_CASE("no kernel that can read what is not written is called safe") {
  unsigned unsafe = 0;
  unsigned proven = 0;
  for (std::uint64_t seed = 1; seed <= 5000; ++seed) {
    const ir::Kernel kernel = RandomKernel(seed, Guards::Anywhere).make();
    CAPTURE(seed, text::disassemble(kernel));
    const bool claimed = may_read_unwritten(kernel);
    if (EveryPath(kernel, true).reads_unwritten()) {
      CHECK(claimed);
      ++unsafe;
    } else if (!claimed) {
      ++proven;
    }
  }
  CHECK(unsafe > 200);
  CHECK(proven > 100);
}

}  // namespace
}  // namespace heddle::cfg
