#include "isa/lower/spill_rewrite.h"

#include <algorithm>

namespace heddle::lower {

std::vector<ReplacedRun> replaced_runs(const ir::Kernel& kernel, const Webs& webs, const SpillUnits& units,
                                       const std::vector<bool>& is_spilled, Pc pc, Numbering& numbering) {
  std::vector<ReplacedRun> found;
  const std::span<const Access> accesses = webs.accesses.of(pc);
  const bool is_any = std::any_of(accesses.begin(), accesses.end(),
                                  [&](const Access& access) { return is_spilled[units.of(access.number)]; });
  if (!is_any) return found;
  const ir::RegisterRuns runs = ir::registers_of(kernel.instructions[pc]);
  std::uint8_t number = 0;
  for (const ir::RegisterRun& run : runs) {
    ReplacedRun replaced{run, {}, 0};
    for (const Access& access : accesses) {
      if (access.run == number) replaced.webs.push_back(access.number);
    }
    ++number;
    const bool is_known = std::any_of(found.begin(), found.end(), [&](const ReplacedRun& each) {
      return each.run.file == run.file && each.run.first == run.first && each.run.count == run.count &&
             each.is_written() == replaced.is_written();
    });
    if (is_known || !is_spilled[units.of(replaced.webs[0])]) continue;
    replaced.fresh = numbering.fresh(run.file, run.count, Lifetime::Momentary);
    found.push_back(std::move(replaced));
  }
  return found;
}

void rename_runs(ir::Instruction& instruction, const std::vector<ReplacedRun>& runs) {
  rename_registers(instruction, [&](ir::RegisterName name, unsigned count, bool is_written) {
    const auto run = std::find_if(runs.begin(), runs.end(), [&](const ReplacedRun& each) {
      return each.run.file == name.file && each.run.first == name.index && each.run.count == count &&
             each.is_written() == is_written;
    });
    return run == runs.end() ? name.index : run->fresh;
  });
}

bool keeps_guard(const ir::Instruction& instruction) {
  for (const ir::RegisterRun& run : ir::registers_of(instruction)) {
    const bool is_predicate =
        run.file == ir::RegisterFile::Predicate || run.file == ir::RegisterFile::UniformPredicate;
    if (is_predicate && run.use == ir::RegisterRun::Use::Written && run.first == instruction.guard.predicate)
      return false;
  }
  return true;
}

}  // namespace heddle::lower
