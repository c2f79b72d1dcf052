// What the selection of instructions works on: a PTX function, the kernel that is made of it, and what is
// known on the way. Each family of PTX instructions is a file of functions (select_*.cpp) that selections.def
// names.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "isa/ir/special_register.h"
#include "isa/lower/builder.h"
#include "isa/lower/layout.h"
#include "isa/lower/provenance.h"
#include "isa/lower/refusals.h"
#include "isa/lower/target.h"
#include "isa/lower/values.h"
#include "isa/ptx/module.h"

namespace heddle::lower {

/// The state of selecting one function. All select_*.cpp append to its builder.
struct Selection {
  Selection(const ptx::Module& of_module, const ptx::Function& of_function, const Target& for_target,
            const Layout& with_layout, ir::Kernel& into)
      : module(of_module),
        function(of_function),
        target(for_target),
        layout(with_layout),
        kernel(into),
        builder(into),
        values(of_function, builder),
        provenance(of_function) {}

  const ptx::Module& module;
  const ptx::Function& function;
  const Target& target;
  const Layout& layout;
  ir::Kernel& kernel;
  Builder builder;
  Values values;
  Provenance provenance;
  std::vector<std::pair<ir::SpecialRegister, ir::RegisterIndex>> specials;  ///< Read where all paths pass.
  /// Counts labels. What is written before the first one is written once; behind it, a register may hold the value
  /// of an earlier round of a loop while what it was made from has a new one.
  std::uint32_t block = 0;
  std::uint32_t block_begin = 0;  ///< Its first instruction in the body,
  std::uint32_t here = 0;         ///< and the one that is selected.
  bool is_entry_block = true;                    ///< All paths pass what is selected now.
  ir::RegisterIndex carry = ir::kPredicateTrue;  ///< CC.CF; PT before it is written.

  Pc emit(ir::Opcode opcode, std::initializer_list<Operand> operands,
          std::initializer_list<ir::Modifier> modifiers = {}) {
    return builder.emit(opcode, operands, modifiers);
  }

  // Reading a PTX operand.

  /// A value of up to 32 bits: a register, a number or a constant.
  Operand source(const ptx::Operand& operand);
  /// The same with the bits above a narrow value as its sign says.
  Operand extended(const ptx::Operand& operand, unsigned bits, bool is_signed);
  /// The address of a global variable, so many bytes into it.
  Words variable_address(const Layout::Place& place, std::uint64_t offset);
  /// The two words of a value of 64 bits.
  Words words(const ptx::Operand& operand);
  /// The same in a register pair, or a number or constant of 64 bits where an instruction takes those.
  Operand wide(const ptx::Operand& operand);
  Operand predicate(const ptx::Operand& operand);

  // Writing one.

  /// The register of up to 32 bits; RZ for _.
  Operand result(const ptx::Operand& operand);
  /// The first of two registers; RZ for _.
  Operand wide_result(const ptx::Operand& operand);
  Words word_results(const ptx::Operand& operand);
  Operand predicate_result(const ptx::Operand& operand);
  /// What lies above a narrow value that was just written.
  void note_extension(const ptx::Operand& operand, bool is_signed);
  /// Says that the register that was just written is this, which holds wherever it is read if nothing else
  /// writes it.
  void note_known(const ptx::Operand& operand, const Words& value);

  [[nodiscard]] bool is_guarded(const ptx::Instruction& instruction) const {
    return instruction.guard.reg != ptx::kNone;
  }
  /// The one instruction that writes the register, if there is one; null otherwise.
  [[nodiscard]] const ptx::Instruction* maker(const ptx::Operand& operand) const;
  /// A word of a register as something else that holds the same here; the register itself if nothing is known.
  [[nodiscard]] Operand word_of(const Value& value, unsigned word) const;
  /// The same of an address; nothing if nothing is known.
  [[nodiscard]] std::optional<KnownAddress> address_of(const Value& value) const;
  /// Whether the register is written once, so that an earlier value of it is still there.
  [[nodiscard]] bool is_lasting(const ptx::Operand& operand) const;

  /// "add.f16 is not supported"; throws Refused.
  [[noreturn]] static void refuse(const ptx::Instruction& instruction, const std::string& why = {});
};

/// Whether the operand is a number; of a float its bits in the type of that many bits.
std::optional<std::uint64_t> number_of(const ptx::Operand& operand, unsigned bits);

/// Lowers one instruction. Throws Refused.
void select(Selection& selection, const ptx::Instruction& instruction);

}  // namespace heddle::lower
