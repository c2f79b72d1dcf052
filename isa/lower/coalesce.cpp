#include "isa/lower/coalesce.h"

#include <algorithm>
#include <bit>

#include "isa/ir/operand_rules.h"
#include "isa/lower/allocate_flow.h"
#include "isa/lower/allocate_rename.h"
#include "isa/lower/edit.h"
#include "isa/lower/spill_rewrite.h"

namespace heddle::lower {

namespace {

/// Those in deeper loops come first, else in the order of the text.
template <typename Item>
void sort_by_depth(std::vector<Item>& items, const Webs& webs) {
  const std::vector<unsigned> depths = loop_depths(webs.graph);
  std::stable_sort(items.begin(), items.end(), [&](const Item& one, const Item& other) {
    return depths[webs.graph.block_of[one.pc]] > depths[webs.graph.block_of[other.pc]];
  });
}

/// The runs of one instruction get fresh registers.
class Separation {
 public:
  Separation(ir::Kernel& kernel, KernelEdit& edit, Numbering& numbering)
      : kernel_(kernel), edit_(edit), numbering_(numbering) {}

  void separate(Pc pc, std::vector<ReplacedRun> runs) {
    ir::Instruction& instruction = kernel_.instructions[pc];
    const bool has_guard = keeps_guard(instruction);
    for (ReplacedRun& run : runs) run.fresh = fresh_for(run, runs);
    for (const ReplacedRun& run : runs) {
      if (!run.is_written() || !has_guard) insert(pc, run, true, {});
      if (run.is_written()) insert(pc, run, false, has_guard ? instruction.guard : ir::Guard{});
    }
    rename_runs(instruction, runs);
  }

 private:
  /// Sums stay where they were read.
  ir::RegisterIndex fresh_for(const ReplacedRun& run, const std::vector<ReplacedRun>& runs) {
    for (const ReplacedRun& other : runs) {
      const bool are_same = other.run.first == run.run.first && other.run.count == run.run.count;
      if (run.run.are_sums && are_same && other.fresh != 0) return other.fresh;
    }
    return numbering_.fresh(run.run.file, run.run.count, Lifetime::Momentary);
  }

  void insert(Pc pc, const ReplacedRun& run, bool is_before, ir::Guard guard) {
    const bool is_uniform = run.run.file == ir::RegisterFile::Uniform;
    const ir::Operand::Kind kind = is_uniform ? ir::Operand::Kind::Uniform : ir::Operand::Kind::Register;
    for (ir::RegisterIndex i = 0; i < run.run.count; ++i) {
      ir::Instruction copy;
      copy.opcode = is_uniform ? ir::Opcode::Umov : ir::Opcode::Mov;
      copy.guard = guard;
      copy.operands[is_before ? 0 : 1] = ir::Operand(kind, run.fresh + i);
      copy.operands[is_before ? 1 : 0] = ir::Operand(kind, run.run.first + i);
      is_before ? edit_.insert_before(pc, copy) : edit_.insert_after(pc, copy);
    }
  }

  ir::Kernel& kernel_;
  KernelEdit& edit_;
  Numbering& numbering_;
};

}  // namespace

unsigned NamedRun::alignment() const {
  return run.are_sums ? ir::kSumsAlignment : std::bit_ceil(static_cast<unsigned>(run.count));
}

std::vector<NamedRun> named_runs(const ir::Kernel& kernel, const Webs& webs) {
  std::vector<NamedRun> found;
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) {
    const std::span<const Access> accesses = webs.accesses.of(pc);
    const bool is_any =
        std::any_of(accesses.begin(), accesses.end(), [](const Access& each) { return each.place != 0; });
    if (!is_any) continue;
    std::uint8_t number = 0;
    for (const ir::RegisterRun& run : ir::registers_of(kernel.instructions[pc])) {
      NamedRun named{pc, run, {}};
      for (const Access& access : accesses) {
        if (access.run == number) named.webs.push_back(access.number);
      }
      ++number;
      if (run.count > 1 && ir::is_virtual(run.first)) found.push_back(std::move(named));
    }
  }
  sort_by_depth(found, webs);
  return found;
}

std::vector<NamedRun> join_runs(Bundles& bundles, const std::vector<NamedRun>& runs) {
  std::vector<NamedRun> failing;
  for (const NamedRun& run : runs) {
    if (!bundles.join_run(run.webs, run.alignment())) failing.push_back(run);
  }
  return failing;
}

unsigned separate_runs(ir::Kernel& kernel, const std::vector<NamedRun>& runs, Numbering& numbering) {
  std::vector<NamedRun> in_order = runs;
  std::stable_sort(in_order.begin(), in_order.end(),
                   [](const NamedRun& one, const NamedRun& other) { return one.pc < other.pc; });
  KernelEdit edit(kernel);
  Separation separation(kernel, edit, numbering);
  for (auto run = in_order.begin(); run != in_order.end();) {
    std::vector<ReplacedRun> of_instruction;
    const Pc pc = run->pc;
    for (; run != in_order.end() && run->pc == pc; ++run) {
      const bool is_known =
          std::any_of(of_instruction.begin(), of_instruction.end(), [&](const ReplacedRun& each) {
            return each.run.file == run->run.file && each.run.first == run->run.first &&
                   each.run.count == run->run.count && each.run.use == run->run.use;
          });
      if (!is_known) of_instruction.push_back({run->run, run->webs, 0});
    }
    separation.separate(pc, std::move(of_instruction));
  }
  const auto copies = static_cast<unsigned>(edit.insertions());
  edit.apply();
  return copies;
}

bool join_copies(Bundles& bundles, const Webs& webs, const std::vector<Copy>& copies) {
  std::vector<Copy> in_order = copies;
  bool has_joined = false;
  sort_by_depth(in_order, webs);
  for (const Copy& copy : in_order) {
    for (const auto& [to, from] : copy.words) {
      const bool is_new = bundles.shared(to) != bundles.shared(from);
      has_joined = (is_new && bundles.join_copy(to, from)) || has_joined;
    }
  }
  return has_joined;
}

}  // namespace heddle::lower
