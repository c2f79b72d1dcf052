// Predicates and uniform registers are kept in general registers.
#include "isa/lower/spill.h"
#include "isa/lower/spill_rewrite.h"

namespace heddle::lower {

namespace {

using ir::Opcode;
using ir::Operand;
using ir::RegisterFile;

Operand register_operand(ir::RegisterIndex index) { return {Operand::Kind::Register, index}; }
Operand uniform_operand(ir::RegisterIndex index) { return {Operand::Kind::Uniform, index}; }
Operand predicate_operand(ir::RegisterIndex index, bool negated = false) {
  return {Operand::Kind::Predicate, index, negated};
}
Operand number_operand(std::uint64_t value) {
  Operand operand(Operand::Kind::Immediate);
  operand.value = value;
  return operand;
}

/// Writes what the guard, if there is one, allows.
ir::Instruction selection(ir::RegisterIndex into, ir::RegisterIndex predicate) {
  ir::Instruction select;
  select.opcode = Opcode::Sel;
  select.operands[0] = register_operand(into);
  select.operands[1] = register_operand(ir::kRegisterZero);
  select.operands[2] = number_operand(1);
  select.operands[3] = predicate_operand(predicate, true);
  return select;
}

ir::Instruction move_to_general(ir::RegisterIndex into, ir::RegisterIndex uniform) {
  ir::Instruction move;
  move.opcode = Opcode::Mov;
  move.operands[0] = register_operand(into);
  move.operands[1] = uniform_operand(uniform);
  return move;
}

ir::Instruction move_to_uniform(ir::RegisterIndex into, ir::RegisterIndex general) {
  ir::Instruction move;
  move.opcode = Opcode::R2ur;
  move.operands[0] = predicate_operand(ir::kPredicateTrue);  // nobody asks which lanes have something else
  move.operands[1] = uniform_operand(into);
  move.operands[2] = register_operand(general);
  return move;
}

/// Whether a number other than 0 is in `source`, which is a register of the comparison's datapath.
ir::Instruction test(Opcode opcode, ir::RegisterIndex into, Operand source) {
  const bool is_uniform = opcode == Opcode::Uisetp;
  const ir::RegisterIndex always = is_uniform ? ir::kUniformPredicateTrue : ir::kPredicateTrue;
  ir::Instruction compare;
  compare.opcode = opcode;
  compare.modifiers.set(ir::Modifier::CompareNe);
  compare.modifiers.set(ir::Modifier::BoolAnd);
  compare.operands[0] = predicate_operand(into);
  compare.operands[1] = predicate_operand(always);
  compare.operands[2] = source;
  compare.operands[3] = is_uniform ? uniform_operand(ir::kUniformZero) : register_operand(ir::kRegisterZero);
  compare.operands[4] = predicate_operand(always);
  compare.operands[5] = predicate_operand(always, true);
  return compare;
}

class RegisterSpiller {
 public:
  RegisterSpiller(ir::Kernel& kernel, const Webs& webs, const SpillUnits& units,
                  const std::vector<std::uint32_t>& spilled, Numbering& numbering, Allocation& counts)
      : kernel_(kernel),
        webs_(webs),
        units_(units),
        is_spilled_(units.count(), false),
        numbering_(numbering),
        counts_(counts),
        edit_(kernel),
        carriers_(webs.list.size(), 0) {
    for (const std::uint32_t unit : spilled) is_spilled_[unit] = true;
  }

  void run() {
    for (Web web = 0; web < webs_.list.size(); ++web) {
      if (is_spilled_[units_.of(web)])
        carriers_[web] = numbering_.fresh(RegisterFile::General, 1, Lifetime::Long);
    }
    for (Pc pc = 0; pc < kernel_.instructions.size(); ++pc) rewrite(pc);
    edit_.apply();
  }

 private:
  void rewrite(Pc pc) {
    const std::vector<ReplacedRun> runs = replaced_runs(kernel_, webs_, units_, is_spilled_, pc, numbering_);
    if (runs.empty()) return;
    ir::Instruction& instruction = kernel_.instructions[pc];
    rename_runs(instruction, runs);
    const bool has_guard = keeps_guard(instruction);
    for (const ReplacedRun& run : runs) {
      // Where the guard is gone behind the instruction, all is kept, and what it has left was there before.
      if (!run.is_written() || !has_guard) restore(pc, run);
      if (run.is_written()) keep(pc, run, has_guard ? instruction.guard : ir::Guard{});
    }
  }

  void restore(Pc pc, const ReplacedRun& run) {
    for (std::size_t i = 0; i < run.webs.size(); ++i) {
      const ir::RegisterIndex carrier = carriers_[run.webs[i]];
      const ir::RegisterIndex into = run.fresh + static_cast<ir::RegisterIndex>(i);
      ++counts_.spill_loads;
      switch (run.run.file) {
        case RegisterFile::Predicate:
          edit_.insert_before(pc, test(Opcode::Isetp, into, register_operand(carrier)));
          break;
        case RegisterFile::UniformPredicate: {
          const ir::RegisterIndex word = numbering_.fresh(RegisterFile::Uniform, 1, Lifetime::Momentary);
          edit_.insert_before(pc, move_to_uniform(word, carrier));
          edit_.insert_before(pc, test(Opcode::Uisetp, into, uniform_operand(word)));
          break;
        }
        default:
          edit_.insert_before(pc, move_to_uniform(into, carrier));
          break;
      }
    }
  }

  void keep(Pc pc, const ReplacedRun& run, ir::Guard guard) {
    for (std::size_t i = 0; i < run.webs.size(); ++i) {
      const ir::RegisterIndex from = run.fresh + static_cast<ir::RegisterIndex>(i);
      const bool is_word = run.run.file == RegisterFile::Uniform;
      ir::Instruction kept =
          is_word ? move_to_general(carriers_[run.webs[i]], from) : selection(carriers_[run.webs[i]], from);
      kept.guard = guard;
      edit_.insert_after(pc, kept);
      ++counts_.spill_stores;
    }
  }

  ir::Kernel& kernel_;
  const Webs& webs_;
  const SpillUnits& units_;
  std::vector<bool> is_spilled_;  // by unit
  Numbering& numbering_;
  Allocation& counts_;
  KernelEdit edit_;
  std::vector<ir::RegisterIndex> carriers_;  // by web
};

}  // namespace

void spill_to_registers(ir::Kernel& kernel, const Webs& webs, const SpillUnits& units,
                        const std::vector<std::uint32_t>& spilled, Numbering& numbering, Allocation& counts) {
  RegisterSpiller(kernel, webs, units, spilled, numbering, counts).run();
}

}  // namespace heddle::lower
