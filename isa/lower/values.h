// Where the registers of a PTX function lie in the IR, and what is known of what they hold.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "isa/lower/builder.h"
#include "isa/ptx/function.h"

namespace heddle::lower {

/// The operands that an instruction writes: their places in Instruction::operands.
std::vector<std::size_t> written_operands(const ptx::Instruction& instruction);

/// Calls visit(register) for each register of PTX that the operand names, its elements' among them.
template <typename Visit>
void each_register(const ptx::Operand& operand, Visit visit) {
  if (operand.reg != ptx::kNone) visit(operand.reg);
  for (const ptx::Operand& element : operand.elements) each_register(element, visit);
}

/// What an address is known to be made of.
struct KnownAddress {
  std::uint32_t base = ptx::kNone;  ///< A PTX register that is written once.
  std::int64_t offset = 0;
};

/// One register of PTX. A value of 64 bits has two virtual registers side by side, one of up to 32 bits has
/// one; above a value of 8 or 16 bits there may be anything.
struct Value {
  ir::RegisterIndex first = 0;  ///< The first of its virtual registers, or its virtual predicate.
  std::uint8_t words = 1;
  std::uint8_t bits = 32;
  bool is_predicate = false;
  std::uint32_t definitions = 0;
  std::uint32_t uses = 0;
  /// The instruction in the body, where there is one definition without a guard.
  std::uint32_t definition = ptx::kNone;
  bool is_zero_extended = false;  ///< Above a value of 8 or 16 bits the register holds zeros.
  bool is_sign_extended = false;  ///< It holds copies of the value's highest bit there.
  /// Word by word, the number, the constant or the other register that it is.
  std::array<std::optional<Operand>, 2> known;
  std::optional<KnownAddress> address;
  std::uint32_t noted_in = 0;  ///< The block in which `known` and `address` were found, see Selection::block.

  /// Whether what is known of it where it is written holds wherever it is read.
  [[nodiscard]] bool is_single() const { return definition != ptx::kNone; }
};

/// The registers of one PTX function, by their index in Function::registers.
class Values {
 public:
  Values(const ptx::Function& function, Builder& builder);

  [[nodiscard]] Value& operator[](std::uint32_t reg) { return values_[reg]; }
  [[nodiscard]] const Value& operator[](std::uint32_t reg) const { return values_[reg]; }

 private:
  void count(const ptx::Function& function);

  std::vector<Value> values_;
};

}  // namespace heddle::lower
