// Where the variables of a PTX function lie: parameters in constant bank 0, shared and local memory,
// constants.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/ir/kernel.h"
#include "isa/lower/target.h"
#include "isa/ptx/module.h"

namespace heddle::lower {

/// Offsets are bytes from the beginning of the state space. Parameters count from the beginning of constant
/// bank 0; a global variable has the offset in constant bank 3 at which its address lies.
class Layout {
 public:
  /// Lays out what the function names and enters it in `kernel`: parameters, shared and local bytes,
  /// constants. Throws InputError where something does not fit.
  Layout(const ptx::Module& module, const ptx::Function& function, const Target& target, ir::Kernel& kernel);

  /// Where something lies: its state space and its offset there.
  struct Place {
    ptx::StateSpace space = ptx::StateSpace::Generic;
    std::uint64_t offset = 0;
  };

  /// Where a variable or a parameter lies; nothing for those of other spaces, such as a module's global
  /// variables.
  [[nodiscard]] std::optional<Place> place_of(const ptx::SymbolRef& symbol) const;

 private:
  void place_parameters(const ptx::Function& function, const Target& target, ir::Kernel& kernel);
  void note_use(const ptx::Operand& operand);
  void place_dynamic(const ptx::Module& module, const ptx::Function& function, ir::Kernel& kernel);
  std::optional<Place> place_variable(const ptx::Module& module, const ptx::Variable& variable,
                                      ir::Kernel& kernel);
  static void note_pointed_to(const ptx::Module& module, ir::Kernel& kernel);

  std::vector<bool> is_used_;  // by variable of the module
  std::vector<std::optional<Place>> parameters_;
  std::vector<std::optional<Place>> module_variables_;
  std::vector<std::optional<Place>> local_variables_;
};

}  // namespace heddle::lower
