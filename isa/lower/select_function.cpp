#include "isa/lower/select_function.h"

#include <algorithm>
#include <vector>

#include "isa/lower/ptx_flow.h"
#include "isa/lower/select.h"
#include "isa/lower/selection.h"

namespace heddle::lower {

namespace {

using Kind = ptx::Operand::Kind;

class FunctionSelection {
 public:
  FunctionSelection(const ptx::Module& module, const ptx::Function& function, const Target& target,
                    ir::Kernel& kernel, Refusals& refusals)
      : function_(function),
        kernel_(kernel),
        refusals_(refusals),
        layout_(module, function, target, kernel),
        selection_(module, function, target, layout_, kernel),
        starts_(function.body.size() + 1) {}

  /// The first register that a PTX register has in the IR.
  [[nodiscard]] ir::RegisterIndex place_of(std::uint32_t reg) const { return selection_.values[reg].first; }

  void run() {
    find_reachable();
    for (std::uint32_t at = 0; at < function_.body.size(); ++at) {
      starts_[at] = selection_.builder.here();
      if (!is_reachable_[at]) continue;
      if (is_target_[at]) begin_block(at);
      selection_.here = at;
      select_one(function_.body[at]);
    }
    starts_.back() = selection_.builder.here();
    selection_.builder.set_guard({});
    if (kernel_.instructions.empty() || is_reachable_.back() || !ends_path_last())
      selection_.emit(ir::Opcode::Exit, {always()});
    set_targets();
  }

 private:
  struct Jump {
    Pc pc;
    std::uint32_t target;  // in the PTX body
  };

  void find_reachable() {
    is_reachable_.assign(function_.body.size() + 1, false);
    is_target_.assign(function_.body.size() + 1, false);
    std::vector<std::uint32_t> open{0};
    while (!open.empty()) {
      std::uint32_t at = open.back();
      open.pop_back();
      for (; !is_reachable_[at]; ++at) {
        is_reachable_[at] = true;
        if (at == function_.body.size()) break;
        const ptx::Instruction& instruction = function_.body[at];
        for (const std::uint32_t target : targets_of(function_, instruction)) {
          is_target_[target] = true;
          open.push_back(target);
        }
        if (instruction.opcode == ptx::Opcode::Call) {
          is_target_[instruction.operands[0].index] = is_target_[at + 1] = true;
          open.push_back(instruction.operands[0].index);
        }
        if (ends_path(instruction)) break;
      }
    }
  }

  [[nodiscard]] bool ends_path_last() const {
    const ir::Instruction& last = kernel_.instructions.back();
    const ir::Action action = ir::info(last.opcode).action;
    return last.guard.always() &&
           (action == ir::Action::Exit || action == ir::Action::Branch || action == ir::Action::Return);
  }

  void begin_block(std::uint32_t at) {
    ++selection_.block;
    selection_.block_begin = at;
    selection_.builder.begin_block();
    selection_.is_entry_block = false;
  }

  void select_one(const ptx::Instruction& instruction) {
    set_source(instruction);
    try {
      if (instruction.opcode == ptx::Opcode::Bra) {
        set_guard(instruction);
        jump_to(instruction.operands[0].index);
        selection_.is_entry_block = false;
      } else if (instruction.opcode == ptx::Opcode::Call) {
        set_guard(instruction);
        call(instruction.operands[0].index);
      } else if (instruction.opcode == ptx::Opcode::BrxIdx) {
        select_switch(instruction);
      } else {
        select(selection_, instruction);
      }
    } catch (const Refused& refused) {
      refusals_.add(instruction.place, refused.what());
    }
  }

  void set_guard(const ptx::Instruction& instruction) {
    const ptx::Guard& guard = instruction.guard;
    selection_.builder.set_guard(
        guard.reg == ptx::kNone ? ir::Guard{} : ir::Guard{selection_.values[guard.reg].first, guard.negated});
  }

  void set_source(const ptx::Instruction& instruction) {
    ir::SourcePlace place;
    if (instruction.source != ptx::kNone) {
      const ptx::SourceLine& line = function_.source_lines[instruction.source];
      const auto& files = selection_.module.files;
      const auto found = std::find_if(files.begin(), files.end(),
                                      [&](const auto& file) { return file.number == line.file; });
      if (found != files.end())
        place = {static_cast<std::uint32_t>(found - files.begin()), line.line, line.column};
    }
    selection_.builder.set_source(instruction.place.line, place);
  }

  void jump_to(std::uint32_t index) {
    const Pc pc = selection_.emit(ir::Opcode::Bra, {always(), target(0)});
    jumps_.push_back({pc, index});
  }

  void call(std::uint32_t index) {
    const Pc pc = selection_.emit(ir::Opcode::Call, {always(), target(0)});
    jumps_.push_back({pc, index});
  }

  /// brx.idx: the lanes of each target go there; a value that no target has is not defined by PTX.
  void select_switch(const ptx::Instruction& instruction) {
    const auto targets = targets_of(function_, instruction);
    if (targets.empty()) Selection::refuse(instruction);
    const Operand index = selection_.builder.in_register(selection_.source(instruction.operands[0]));
    set_guard(instruction);
    if (instruction.guard.reg != ptx::kNone) Selection::refuse(instruction, "a guard is not supported");
    selection_.is_entry_block = false;
    choose(index, targets, 0, static_cast<std::uint32_t>(targets.size()));
  }

  /// Halves the targets from `begin` to `end` until one is left.
  void choose(const Operand& index, const std::vector<std::uint32_t>& targets, std::uint32_t begin,
              std::uint32_t end) {
    selection_.builder.set_guard({});
    const bool all_same = std::all_of(targets.begin() + begin, targets.begin() + end,
                                      [&](std::uint32_t one) { return one == targets[begin]; });
    if (all_same) return jump_to(targets[begin]);
    const std::uint32_t middle = (begin + end) / 2;
    const Operand is_lower = pred(selection_.builder.fresh_predicate());
    selection_.emit(ir::Opcode::Isetp, {is_lower, always(), index, number(middle), always(), never()},
                    {ir::Modifier::CompareLt, ir::Modifier::IntTypeU32, ir::Modifier::BoolAnd});
    selection_.builder.set_guard({is_lower.index, true});
    const Pc upper = selection_.emit(ir::Opcode::Bra, {always(), target(0)});
    choose(index, targets, begin, middle);
    kernel_.instructions[upper].operands[1].value = selection_.builder.here();
    choose(index, targets, middle, end);
  }

  void set_targets() {
    for (const Jump& jump : jumps_) kernel_.instructions[jump.pc].operands[1].value = starts_[jump.target];
  }

  const ptx::Function& function_;
  ir::Kernel& kernel_;
  Refusals& refusals_;
  Layout layout_;
  Selection selection_;
  std::vector<Pc> starts_;  // by instruction of the PTX body
  std::vector<bool> is_reachable_;
  std::vector<bool> is_target_;
  std::vector<Jump> jumps_;
};

}  // namespace

std::vector<ir::RegisterIndex> select_function(const ptx::Module& module, const ptx::Function& function,
                                               const Target& target, ir::Kernel& kernel, Refusals& refusals,
                                               const std::vector<std::uint32_t>& asked) {
  FunctionSelection selection(module, function, target, kernel, refusals);
  selection.run();
  std::vector<ir::RegisterIndex> places;
  for (const std::uint32_t reg : asked) places.push_back(selection.place_of(reg));
  return places;
}

}  // namespace heddle::lower
