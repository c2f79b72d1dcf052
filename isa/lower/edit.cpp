#include "isa/lower/edit.h"

#include <algorithm>

namespace heddle::lower {

/// The kernel as it becomes, instruction by instruction.
class KernelEdit::Rebuilt {
 public:
  explicit Rebuilt(ir::Kernel& kernel) : kernel_(kernel) {
    instructions_.reserve(kernel.instructions.size());
    new_pc_.reserve(kernel.instructions.size());
  }

  /// What jumps to the next old instruction leads to what is added from now on.
  void begin_old() { new_pc_.push_back(static_cast<Pc>(instructions_.size())); }

  /// Lines, places and addresses are those of the old instruction `like`.
  void add(ir::Instruction instruction, Pc like) {
    instruction.line = kernel_.instructions[like].line;
    instructions_.push_back(instruction);
    if (like < kernel_.sources.size()) sources_.push_back(kernel_.sources[like]);
    if (like < kernel_.addresses.size()) addresses_.push_back(kernel_.addresses[like]);
  }

  void finish() {
    for (ir::Instruction& instruction : instructions_) {
      for (ir::Operand& operand : instruction.operands) {
        if (operand.kind == ir::Operand::Kind::Target && operand.value < new_pc_.size())
          operand.value = new_pc_[operand.value];
      }
    }
    for (ir::Label& label : kernel_.labels) {
      if (label.pc < new_pc_.size()) label.pc = new_pc_[label.pc];
    }
    kernel_.instructions = std::move(instructions_);
    kernel_.sources = std::move(sources_);
    kernel_.addresses = std::move(addresses_);
  }

 private:
  ir::Kernel& kernel_;
  std::vector<Pc> new_pc_;  // by old Pc
  std::vector<ir::Instruction> instructions_;
  std::vector<ir::SourcePlace> sources_;
  std::vector<std::uint64_t> addresses_;
};

void KernelEdit::add(Pc pc, bool is_before, const ir::Instruction& instruction) {
  insertions_.push_back({pc, is_before, instruction});
}

void KernelEdit::remove(Pc pc) {
  if (kernel_.addresses.empty()) return removed_.push_back(pc);
  const std::uint32_t line = kernel_.instructions[pc].line;
  kernel_.instructions[pc] = ir::Instruction{};
  kernel_.instructions[pc].line = line;
}

void KernelEdit::apply() {
  std::stable_sort(insertions_.begin(), insertions_.end(), [](const Insertion& one, const Insertion& other) {
    return one.pc != other.pc ? one.pc < other.pc : one.is_before && !other.is_before;
  });
  std::sort(removed_.begin(), removed_.end());
  Rebuilt rebuilt(kernel_);
  auto insertion = insertions_.begin();
  auto removed = removed_.begin();
  const auto size = static_cast<Pc>(kernel_.instructions.size());
  for (Pc pc = 0; pc < size; ++pc) {
    rebuilt.begin_old();
    for (; insertion != insertions_.end() && insertion->pc == pc && insertion->is_before; ++insertion)
      rebuilt.add(insertion->instruction, pc);
    const bool goes = removed != removed_.end() && *removed == pc;
    if (!goes) rebuilt.add(kernel_.instructions[pc], pc);
    while (removed != removed_.end() && *removed == pc) ++removed;
    for (; insertion != insertions_.end() && insertion->pc == pc; ++insertion)
      rebuilt.add(insertion->instruction, pc);
  }
  rebuilt.finish();
  insertions_.clear();
  removed_.clear();
}

}  // namespace heddle::lower
