// Appends instructions to a kernel, with virtual registers.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "isa/ir/kernel.h"
#include "isa/lower/operands.h"

namespace heddle::lower {

/// What an instruction cannot have as an operand is first put into a register: a number or a constant where
/// only registers may stand, or a second one beside another.
class Builder {
 public:
  explicit Builder(ir::Kernel& kernel) : kernel_(kernel) {}

  /// Makes so many new registers side by side; returns the first one.
  ir::RegisterIndex fresh(unsigned words = 1) {
    return std::exchange(next_register_, next_register_ + words);
  }
  ir::RegisterIndex fresh_predicate() { return next_predicate_++; }

  /// The guard of all instructions that are appended from now on.
  void set_guard(const ir::Guard& guard) { guard_ = guard; }
  [[nodiscard]] const ir::Guard& guard() const { return guard_; }
  void set_source(std::uint32_t line, const ir::SourcePlace& source) {
    line_ = line;
    source_ = source;
  }
  /// Begins a block: what follows can be reached by a jump.
  void begin_block() { held_.clear(); }

  Pc emit(ir::Opcode opcode, std::initializer_list<Operand> operands,
          std::initializer_list<ir::Modifier> modifiers = {});

  /// Puts a value into a register, or into so many side by side.
  Operand in_register(const Operand& value);
  Operand in_pair(const Words& value);

  /// Copies under the guard.
  void move(ir::RegisterIndex to, const Operand& from) { emit(ir::Opcode::Mov, {reg(to), from}); }

  [[nodiscard]] Pc here() const { return static_cast<Pc>(kernel_.instructions.size()); }

 private:
  /// A number or a constant that a register holds since the block began.
  struct Held {
    Operand value;
    ir::RegisterIndex at;
  };

  void append(const ir::Instruction& instruction);
  ir::RegisterIndex hold(const Operand& value);
  void make_valid(ir::Instruction& instruction);
  Operand in_registers(const Operand& value, unsigned words);

  ir::Kernel& kernel_;
  ir::RegisterIndex next_register_ = ir::kFirstVirtual;
  ir::RegisterIndex next_predicate_ = ir::kFirstVirtual;
  ir::Guard guard_;
  std::uint32_t line_ = 0;
  ir::SourcePlace source_;
  std::vector<Held> held_;
};

}  // namespace heddle::lower
