// Liveness and dominators before register allocation, against naive references on random kernels.
#include "isa/cfg/liveness.h"

#include <algorithm>
#include <random>
#include <set>

#include "isa/cfg/dominators.h"
#include "tests/support/catch.h"
#include "tests/support/seed.h"

namespace heddle::cfg {
namespace {

using ir::RegisterFile;
using ir::RegisterName;
using Names = std::set<RegisterName>;

RegisterName r(ir::RegisterIndex number) { return {RegisterFile::General, ir::kFirstVirtual + number}; }
RegisterName p(ir::RegisterIndex number) { return {RegisterFile::Predicate, ir::kFirstVirtual + number}; }

/// An instruction, and what it does as the test itself knows it.
struct Statement {
  ir::Instruction instruction;
  Names reads;
  Names writes;  ///< In any case, not under a guard.
  bool falls_through = true;
  bool jumps = false;
  Pc target = 0;
};

/// Kernels over a few virtual registers, so that many of them are live at a time.
class RandomKernel {
 public:
  RandomKernel(std::uint64_t seed, unsigned registers) : random_(seed), registers_(registers) {
    const unsigned size = 2 + below(30);
    for (unsigned pc = 0; pc + 1 < size; ++pc) statements.push_back(statement(size));
    statements.push_back(exit());
    for (const Statement& each : statements) kernel.instructions.push_back(each.instruction);
  }

  std::vector<Statement> statements;
  ir::Kernel kernel;

 private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
  ir::Operand source(Statement& made, unsigned width = 1) {
    const ir::RegisterIndex number = below(registers_ / width) * width;
    for (unsigned i = 0; i < width; ++i) made.reads.insert(r(number + i));
    return ir::Operand{ir::Operand::Kind::Register, ir::kFirstVirtual + number};
  }
  ir::Operand result(Statement& made, unsigned width = 1) {
    const ir::RegisterIndex number = below(registers_ / width) * width;
    for (unsigned i = 0; i < width; ++i) made.writes.insert(r(number + i));
    return ir::Operand{ir::Operand::Kind::Register, ir::kFirstVirtual + number};
  }
  static Statement exit() {
    Statement made;
    made.instruction.opcode = ir::Opcode::Exit;
    made.falls_through = false;
    return made;
  }

  void add_guard(Statement& made) {
    const unsigned kind = below(8);
    if (kind == 0) {  // @!PT: nothing happens, though flow graphs keep a jump's edge
      made.instruction.guard = {ir::kPredicateTrue, true};
      made.reads.clear();
      made.writes.clear();
      made.falls_through = true;
    } else if (kind < 4) {
      const ir::RegisterIndex number = below(3);
      made.instruction.guard = {ir::kFirstVirtual + number, below(2) == 0};
      made.reads.insert(p(number));
      made.writes.clear();
      made.falls_through = true;
    }
  }

  Statement statement(unsigned size) {
    Statement made;
    ir::Instruction& instruction = made.instruction;
    const unsigned kind = below(6);
    if (kind == 0) {
      instruction.opcode = ir::Opcode::Bra;
      made.target = below(size);
      made.jumps = true;
      made.falls_through = false;
      instruction.operands[1] = ir::Operand{ir::Operand::Kind::Target, 0, false, false, made.target};
    } else if (kind == 1) {
      made = exit();
    } else if (kind == 2) {
      instruction.opcode = ir::Opcode::Isetp;
      const ir::RegisterIndex number = below(3);
      made.writes.insert(p(number));
      instruction.operands[0] = ir::Operand{ir::Operand::Kind::Predicate, ir::kFirstVirtual + number};
      instruction.operands[1] = ir::Operand{ir::Operand::Kind::Predicate, ir::kPredicateTrue};
      instruction.operands[2] = source(made);
      instruction.operands[3] = source(made);
      for (unsigned i : {4U, 5U})
        instruction.operands[i] = ir::Operand{ir::Operand::Kind::Predicate, ir::kPredicateTrue};
    } else if (kind == 3) {
      instruction.opcode = ir::Opcode::Mov64;
      instruction.operands[1] = source(made, 2);
      instruction.operands[0] = result(made, 2);
    } else {
      instruction.opcode = ir::Opcode::Viadd;
      instruction.operands[1] = source(made);
      instruction.operands[2] = source(made);
      instruction.operands[0] = result(made);
    }
    add_guard(made);
    return made;
  }

  std::mt19937_64 random_;
  unsigned registers_;
};

/// By Pc, what is live before it: sets that grow until nothing changes.
std::vector<Names> naive_liveness(const std::vector<Statement>& statements) {
  std::vector<Names> live(statements.size() + 1);
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (std::size_t pc = statements.size(); pc-- > 0;) {
      const Statement& statement = statements[pc];
      Names now;
      if (statement.falls_through) now = live[pc + 1];
      if (statement.jumps) now.insert(live[statement.target].begin(), live[statement.target].end());
      for (const RegisterName name : statement.writes) now.erase(name);
      now.insert(statement.reads.begin(), statement.reads.end());
      has_changed = has_changed || now != live[pc];
      live[pc] = now;
    }
  }
  return live;
}

Names names_of(const Liveness& liveness, const std::vector<RegisterNumber>& numbers) {
  Names names;
  for (const RegisterNumber number : numbers) names.insert(liveness.registers.at(number));
  return names;
}

TEST_CASE("what is live before each instruction is what a naive iteration finds, virtual registers and all") {
  const std::uint64_t seed = test::drawn_seed();
  for (std::uint64_t i = 0; i < 2000; ++i) {
    INFO("HEDDLE_SEED=" << seed << ", kernel " << i);
    const RandomKernel random(seed + i, 2 + 2 * static_cast<unsigned>(i % 5));
    const FlowGraph graph = make_flow_graph(random.kernel);
    const Liveness liveness = make_liveness(random.kernel, graph);
    const std::vector<Names> expected = naive_liveness(random.statements);
    for (Pc pc = 0; pc < random.statements.size(); ++pc) {
      CAPTURE(pc);
      REQUIRE(names_of(liveness, live_before(random.kernel, graph, liveness, pc)) == expected[pc]);
    }
    for (BlockIndex block = 0; block < graph.blocks.size(); ++block) {
      REQUIRE(names_of(liveness, liveness.live_in[block]) == expected[graph.blocks[block].begin]);
      REQUIRE(std::is_sorted(liveness.live_in[block].begin(), liveness.live_in[block].end()));
    }
  }
}

/// The blocks that a path from the first one reaches without passing `closed`.
std::vector<bool> reached_without(const FlowGraph& graph, BlockIndex closed) {
  std::vector<bool> is_reached(graph.blocks.size(), false);
  std::vector<BlockIndex> open;
  const auto reach = [&](BlockIndex block) {
    if (block == closed || is_reached[block]) return;
    is_reached[block] = true;
    open.push_back(block);
  };
  reach(0);
  while (!open.empty()) {
    const BlockIndex block = open.back();
    open.pop_back();
    for (const BlockIndex next : graph.blocks[block].successors) reach(next);
  }
  return is_reached;
}

/// d dominates b if b cannot be reached without d. The immediate dominator is the one that all the others
/// dominate.
std::vector<BlockIndex> naive_dominators(const FlowGraph& graph) {
  const auto count = static_cast<BlockIndex>(graph.blocks.size());
  const std::vector<bool> is_reached = reached_without(graph, kNoDominator);
  std::vector<std::vector<bool>> dominates(count);  // [d][b]
  for (BlockIndex d = 0; d < count; ++d) {
    dominates[d] = reached_without(graph, d);
    dominates[d].flip();
  }
  std::vector<BlockIndex> immediate(count, kNoDominator);
  for (BlockIndex b = 0; b < count; ++b) {
    for (BlockIndex d = 0; d < count; ++d) {
      if (d == b || !is_reached[b] || !dominates[d][b]) continue;
      bool is_last = true;
      for (BlockIndex other = 0; other < count; ++other)
        is_last = is_last && (other == b || !dominates[other][b] || dominates[other][d]);
      if (is_last) immediate[b] = d;
    }
  }
  return immediate;
}

TEST_CASE("immediate dominators are those of the definition") {
  const std::uint64_t seed = test::drawn_seed();
  for (std::uint64_t i = 0; i < 1000; ++i) {
    INFO("HEDDLE_SEED=" << seed << ", kernel " << i);
    const FlowGraph graph = make_flow_graph(RandomKernel(seed + i, 4).kernel);
    REQUIRE(immediate_dominators(graph) == naive_dominators(graph));
  }
}

ir::Instruction move(RegisterName to, RegisterName from) {
  ir::Instruction made;
  made.opcode = ir::Opcode::Mov;
  made.operands[0] = ir::Operand{ir::Operand::Kind::Register, to.index};
  made.operands[1] = ir::Operand{ir::Operand::Kind::Register, from.index};
  return made;
}

TEST_CASE("long chains of virtual registers are live one after the other") {
  constexpr ir::RegisterIndex kLength = 100'000;
  ir::Kernel kernel;
  for (ir::RegisterIndex i = 0; i < kLength; ++i) kernel.instructions.push_back(move(r(i + 1), r(i)));
  kernel.instructions.emplace_back().opcode = ir::Opcode::Exit;
  const FlowGraph graph = make_flow_graph(kernel);
  const Liveness liveness = make_liveness(kernel, graph);
  CHECK(liveness.registers.size() == kLength + 1);
  CHECK(names_of(liveness, liveness.live_in[0]) == Names{r(0)});
  CHECK(names_of(liveness, live_before(kernel, graph, liveness, kLength / 2)) == Names{r(kLength / 2)});
  CHECK(live_before(kernel, graph, liveness, kLength).empty());
}

TEST_CASE("registers are named as text and PTX name them") {
  CHECK(ir::to_text({RegisterFile::General, 12}) == "R12");
  CHECK(ir::to_text({RegisterFile::UniformPredicate, ir::kFirstUniformPredicate + 3}) == "UP3");
  CHECK(ir::to_text(r(44)) == "%r44");
  CHECK(ir::to_text(p(0)) == "%p0");
  CHECK(ir::to_text({RegisterFile::UniformPredicate, ir::kFirstVirtualUniformPredicate + 2}) == "%up2");
}

}  // namespace
}  // namespace heddle::cfg
