// Inserts and removes instructions of a kernel. Labels, jump targets, source places and addresses follow.
#pragma once

#include <vector>

#include "isa/ir/kernel.h"

namespace heddle::lower {

/// Collects changes and makes them all at once. Every Pc is that of the kernel as it was before.
class KernelEdit {
 public:
  explicit KernelEdit(ir::Kernel& kernel) : kernel_(kernel) {}

  /// Inserts before `pc` on every path: a jump to `pc` executes the instruction, too. Several insertions
  /// stand in the order in which they are made. Line and source place are those of `pc`.
  void insert_before(Pc pc, const ir::Instruction& instruction) { add(pc, true, instruction); }
  /// Inserts right behind `pc`: a jump to `pc + 1` does not execute the instruction.
  void insert_after(Pc pc, const ir::Instruction& instruction) { add(pc, false, instruction); }
  /// Removes an instruction: a jump to `pc` goes on behind it. In a kernel with addresses, a NOP keeps its
  /// place, because values in registers may name its address. The last instruction must stay.
  void remove(Pc pc);

  [[nodiscard]] bool empty() const { return insertions_.empty() && removed_.empty(); }
  [[nodiscard]] std::size_t insertions() const { return insertions_.size(); }

  /// Makes the changes. Instructions that were changed in place in the meantime keep that change.
  void apply();

 private:
  /// An instruction to insert before or behind `pc`.
  struct Insertion {
    Pc pc = 0;
    bool is_before = false;
    ir::Instruction instruction;
  };
  class Rebuilt;

  void add(Pc pc, bool is_before, const ir::Instruction& instruction);

  ir::Kernel& kernel_;
  std::vector<Insertion> insertions_;
  std::vector<Pc> removed_;
};

}  // namespace heddle::lower
