#include "isa/cfg/reconvergence.h"

#include <ctime>
#include <optional>
#include <random>
#include <set>

#include "isa/cfg/flow_graph.h"
#include "isa/cfg/dominators.h"
#include "isa/text/assemble.h"
#include "isa/text/disassemble.h"
#include "tests/support/catch.h"

namespace heddle::cfg {
namespace {

std::vector<Pc> points_of(const std::string& body) {
  return reconvergence_points(text::assemble(".kernel k\n" + body, "")[0]);
}

TEST_CASE("lanes that part at an if meet behind it") {
  CHECK(points_of("@P0 BRA skip\nNOP\nskip: EXIT")[0] == 2);
}

TEST_CASE("lanes that part at an if with an else meet behind both") {
  const auto points = points_of("@P0 BRA other\nNOP\nBRA end\nother: NOP\nend: NOP\nEXIT");
  CHECK(points ==
        std::vector<Pc>{4, kNoReconvergence, 4, kNoReconvergence, kNoReconvergence, kNoReconvergence});
}

TEST_CASE("lanes that leave a loop wait behind it") {
  CHECK(points_of("top: NOP\n@P0 BRA top\nNOP\nEXIT")[1] == 2);
  CHECK(points_of("top: @P0 BRA out\nNOP\nBRA top\nout: EXIT")[0] == 3);
}

TEST_CASE("paths that end in EXITs of their own meet nowhere") {
  CHECK(points_of("@P0 BRA other\nEXIT\nother: EXIT")[0] == kNoReconvergence);
}

TEST_CASE("a guarded EXIT is no branch, and paths meet behind it as if it were not there") {
  const auto points = points_of("@P0 BRA skip\n@P1 EXIT\nskip: NOP\nEXIT");
  CHECK(points[0] == 2);
  CHECK(points[1] == kNoReconvergence);
}

TEST_CASE("paths meet within a loop that only a guarded EXIT leaves") {
  const auto points =
      points_of("top: @P1 EXIT\n@P0 BRA other\nNOP\nBRA join\nother: NOP\njoin: NOP\nBRA top");
  CHECK(points[1] == 5);
}

TEST_CASE("paths meet before the guarded EXIT that alone leaves a loop, wherever in the text it stands") {
  // As clang lays out for (...) { if (...) ...; __syncthreads(); } at the end of a kernel.
  CHECK(points_of("BRA head\nlatch: NOP\n@P1 EXIT\nhead: NOP\n@P0 BRA latch\nNOP\nBRA latch")[4] == 1);
  CHECK(points_of("top: NOP\n@P0 BRA join\nNOP\njoin: NOP\n@P1 EXIT\nBRA top")[1] == 3);
}

TEST_CASE("the lanes of an indirect jump meet where the BSSY around it says though labels follow behind") {
  const std::string jump =
      "BRX R0\na: NOP\nBRA join\nb: NOP\njoin: BSYNC B0\nNOP\nbehind: NOP\n@P0 BRA behind\nEXIT";
  CHECK(points_of("BSSY B0, join\n" + jump)[1] == 5);
  CHECK(points_of("BSSY B0, behind\nBSSY B0, join\n" + jump)[2] == 6);
  // The first one's lanes have met before.
  CHECK(points_of("BSSY B0, early\nearly: BSYNC B0\n" + jump)[2] == 8);
}

TEST_CASE("an if around indirect jumps ends behind it and not where any label is") {
  const auto points = points_of(
      "@P0 BRA skip\nBSSY B0, join\nBRX R0\na: NOP\nBRA join\nb: NOP\njoin: BSYNC B0\nskip: NOP\nbehind: NOP\n"
      "@P0 BRA behind\nEXIT");
  CHECK(points[0] == 7);
}

TEST_CASE("a branch to the next instruction parts nobody") {
  CHECK(points_of("@P0 BRA next\nnext: EXIT")[0] == 1);
}

TEST_CASE("unreachable code is analysed like any other") {
  const auto points = points_of("EXIT\n@P0 BRA skip\nNOP\nskip: EXIT");
  CHECK(points[1] == 3);
}

TEST_CASE("blocks begin at targets and behind branches and exits") {
  const auto graph = make_flow_graph(
      text::assemble(".kernel k\nNOP\n@P1 EXIT\n@P0 BRA a\nNOP\nEXIT\nNOP\na: NOP\nBRA a", "")[0]);
  std::vector<Pc> begins;
  for (const BasicBlock& block : graph.blocks) begins.push_back(block.begin);
  CHECK(begins == std::vector<Pc>{0, 3, 5, 6});
  CHECK(graph.blocks[0].successors == std::vector<BlockIndex>{1, 3});
  CHECK(graph.blocks[1].successors.empty());
  CHECK(graph.blocks[2].successors == std::vector<BlockIndex>{3});
  CHECK(graph.blocks[3].successors == std::vector<BlockIndex>{3});
  CHECK(graph.blocks[3].predecessors == std::vector<BlockIndex>{0, 2, 3});
  CHECK(graph.block_of == std::vector<BlockIndex>{0, 0, 0, 1, 1, 2, 3, 3});
}

// -- the reference: instruction by instruction, by taking nodes out -------------------------------

ir::Instruction branch(Pc target, bool guarded) {
  ir::Instruction made;
  made.opcode = ir::Opcode::Bra;
  if (guarded) made.guard = {0, false};
  made.operands[1] = {ir::Operand::Kind::Target, 0, false, false, target};
  return made;
}

ir::Kernel random_kernel(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  ir::Kernel kernel;
  const auto size = static_cast<Pc>(1 + random() % 12);
  for (Pc pc = 0; pc + 1 < size; ++pc) {
    ir::Instruction made;
    const std::uint64_t kind = random() % 10;
    if (kind < 6) made = branch(static_cast<Pc>(random() % size), kind < 4);
    if (kind == 6) made.opcode = ir::Opcode::Exit;
    if (kind == 7) made = {ir::Opcode::Exit, {1, true}, {}, {}, 0, {}};
    kernel.instructions.push_back(made);
  }
  kernel.instructions.push_back(random() % 3 == 0 ? branch(static_cast<Pc>(random() % size), false)
                                                  : ir::Instruction{ir::Opcode::Exit, {}, {}, {}, 0, {}});
  return kernel;
}

/// Edges between instructions; one more node than instructions, the last being the end.
std::vector<std::set<Pc>> edges_of(const ir::Kernel& kernel) {
  const auto end = static_cast<Pc>(kernel.instructions.size());
  std::vector<std::set<Pc>> edges(end);
  for (Pc pc = 0; pc < end; ++pc) {
    const ir::Instruction& instruction = kernel.instructions[pc];
    const bool guarded = !instruction.guard.always();
    if (instruction.opcode == ir::Opcode::Exit) {
      edges[pc].insert(guarded ? pc + 1 : end);
    } else if (instruction.opcode == ir::Opcode::Bra) {
      edges[pc].insert(static_cast<Pc>(instruction.operands[1].value));
      if (guarded) edges[pc].insert(pc + 1);
    } else {
      edges[pc].insert(pc + 1);
    }
  }
  return edges;
}

bool reaches_end(const std::vector<std::set<Pc>>& edges, Pc from, std::optional<Pc> without) {
  std::vector<Pc> to_visit{from};
  std::set<Pc> seen{from};
  while (!to_visit.empty()) {
    const Pc pc = to_visit.back();
    to_visit.pop_back();
    if (pc == edges.size()) return true;
    for (const Pc next : edges[pc]) {
      if (next != without && seen.insert(next).second) to_visit.push_back(next);
    }
  }
  return false;
}

bool leads_to(const std::vector<std::set<Pc>>& edges, Pc from, Pc to) {
  const auto end = static_cast<Pc>(edges.size());
  std::vector<std::set<Pc>> only = edges;
  for (std::set<Pc>& each : only) each.erase(end);
  only[to] = {end};
  return from == to || reaches_end(only, from, std::nullopt);
}

/// The rule for loops without end: who leaves the block of a guarded EXIT of theirs comes to the end, too, or who comes
/// to that block if it ends in a branch; of several the last one. Without such an EXIT their last instruction does.
void give_endless_loops_an_end(const ir::Kernel& kernel, std::vector<std::set<Pc>>& edges) {
  const auto end = static_cast<Pc>(edges.size());
  const FlowGraph graph = make_flow_graph(kernel);
  const auto exits = [&](const BasicBlock& block) {
    for (Pc pc = block.begin; pc < block.end; ++pc) {
      if (kernel.instructions[pc].opcode == ir::Opcode::Exit && !kernel.instructions[pc].guard.always()) return true;
    }
    return false;
  };
  for (Pc pc = end; pc-- > 0;) {
    if (reaches_end(edges, pc, std::nullopt)) continue;
    std::optional<Pc> of_exit;
    std::optional<Pc> before_exit;
    for (const BasicBlock& block : graph.blocks) {
      const auto is_in_loop = [&](const BasicBlock& one) {
        return leads_to(edges, pc, one.begin) && leads_to(edges, one.begin, pc);
      };
      if (block.successors.size() != 1 || !is_in_loop(block)) continue;
      const BasicBlock& next = graph.blocks[block.successors[0]];
      if (exits(block)) of_exit = block.end - 1;
      if (exits(next) && is_in_loop(next)) before_exit = block.end - 1;
    }
    edges[of_exit.value_or(before_exit.value_or(pc))].insert(end);
  }
}

Pc meeting_point(const std::vector<std::set<Pc>>& edges, Pc from) {
  std::vector<Pc> dominators;
  for (Pc other = 0; other < edges.size(); ++other) {
    if (other != from && !reaches_end(edges, from, other)) dominators.push_back(other);
  }
  for (const Pc nearest : dominators) {
    const bool all_behind = std::all_of(dominators.begin(), dominators.end(), [&](Pc other) {
      return other == nearest || !reaches_end(edges, nearest, other);
    });
    if (all_behind) return nearest;
  }
  return kNoReconvergence;
}

TEST_CASE("meeting points are those found by taking instructions out of the graph") {
  unsigned meetings = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    const ir::Kernel kernel = random_kernel(seed);
    CAPTURE(seed, text::disassemble(kernel));
    auto edges = edges_of(kernel);
    give_endless_loops_an_end(kernel, edges);
    const std::vector<Pc> points = reconvergence_points(kernel);
    REQUIRE(points.size() == kernel.instructions.size());
    for (Pc pc = 0; pc < points.size(); ++pc) {
      const bool branches = kernel.instructions[pc].opcode == ir::Opcode::Bra;
      const Pc expected = branches ? meeting_point(edges, pc) : kNoReconvergence;
      CHECK(points[pc] == expected);
      if (expected != kNoReconvergence) ++meetings;
    }
  }
  CHECK(meetings > 1000);
}

/// Shapes that make simple algorithms quadratic or overflow the stack.
ir::Kernel large_kernel(Pc size, Pc (*target)(Pc pc, Pc size)) {
  ir::Kernel kernel;
  for (Pc pc = 0; pc + 1 < size; ++pc) kernel.instructions.push_back(branch(target(pc, size), true));
  kernel.instructions.push_back({ir::Opcode::Exit, {}, {}, {}, 0, {}});
  return kernel;
}

/// Processor seconds of an analysis.
double seconds_for(const ir::Kernel& kernel) {
  const std::clock_t start = std::clock();
  CHECK(reconvergence_points(kernel).size() == kernel.instructions.size());
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

TEST_CASE("large kernels of awkward shapes are analysed in little time") {
  constexpr Pc kSize = 300'000;
  Pc (*const shapes[])(Pc, Pc) = {
      [](Pc, Pc size) { return size - 1; },
      [](Pc, Pc) { return Pc{0}; },
      [](Pc pc, Pc size) { return size - 1 - pc; },
      [](Pc pc, Pc size) { return static_cast<Pc>((std::uint64_t{pc} * 2654435761U) % size); },
      [](Pc pc, Pc size) { return std::min(pc + 2, size - 1); },
      [](Pc pc, Pc) { return pc / 2; },
  };
  for (const auto shape : shapes) {
    const double tenth = seconds_for(large_kernel(kSize / 10, shape));
    const double whole = seconds_for(large_kernel(kSize, shape));
    // Ten times as large takes ten times as long, some more beyond a cache; quadratic, a hundred.
    CHECK(whole < 40 * tenth + 0.5);
  }
}

}  // namespace
}  // namespace heddle::cfg
