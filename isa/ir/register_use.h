// Which registers an instruction reads and writes: for the scoreboard and for checks of the text.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "isa/ir/instruction.h"

namespace heddle::ir {

/// One place a result can lie: the predicates, then the registers, then uniform registers and predicates. A predicate
/// has two places, since its value reaches a guard or a branch later than it reaches an operand; a uniform one has one.
using RegisterSlot = std::uint16_t;

inline constexpr RegisterSlot kPredicateSlots = 0;   ///< The first predicate, as an operand.
inline constexpr RegisterSlot kGuardSlots = 8;       ///< The first predicate, as a guard.
inline constexpr RegisterSlot kFirstRegister = 16;   ///< R0
inline constexpr RegisterSlot kFirstUniform = kFirstRegister + kMaxRegister + 1;  ///< UR0
inline constexpr RegisterSlot kUniformPredicateSlots = kFirstUniform + kMaxUniform + 1;  ///< UP0
inline constexpr RegisterSlot kSlots = kUniformPredicateSlots + kPredicateTrue;

constexpr bool is_register_slot(RegisterSlot slot) { return slot >= kFirstRegister && slot < kFirstUniform; }
constexpr bool is_uniform_slot(RegisterSlot slot) {
  return slot >= kFirstUniform && slot < kUniformPredicateSlots;
}
constexpr bool is_uniform_predicate_slot(RegisterSlot slot) { return slot >= kUniformPredicateSlots; }
/// Uniform registers and predicates: all lanes of a warp have the same.
constexpr bool is_shared_slot(RegisterSlot slot) { return slot >= kFirstUniform; }
constexpr bool is_guard_slot(RegisterSlot slot) { return slot >= kGuardSlots && slot < kFirstRegister; }

/// R12, UR4, P0 or UP0.
std::string slot_name(RegisterSlot slot);

inline constexpr RegisterSlot kNeverWritten = kPredicateSlots + kPredicateTrue;

/// At most 44 slots; most instructions need few, a product of matrices of doubles 41.
class SlotList {
 public:
  /// Most lists are no longer. Who looks at so many places, be they in the list or not, need not ask how many
  /// are.
  static constexpr unsigned kUsual = 4;

  SlotList() { slots_.fill(kNeverWritten); }
  /// What lies at place `i`; kNeverWritten beyond the list.
  [[nodiscard]] RegisterSlot operator[](unsigned i) const { return slots_[i]; }

  void add(RegisterSlot slot) { slots_[count_++] = slot; }
  [[nodiscard]] const RegisterSlot* begin() const { return slots_.data(); }
  [[nodiscard]] const RegisterSlot* end() const { return slots_.data() + count_; }
  [[nodiscard]] unsigned size() const { return count_; }

 private:
  std::uint8_t count_ = 0;
  std::array<RegisterSlot, 44> slots_;  // a product of doubles reads 32, writes 8, and has a guard
};

/// Slots side by side: the sums of a warpgroup's product, too many for a list.
struct SlotRange {
  RegisterSlot first = 0;
  std::uint16_t count = 0;
};

/// What an instruction reads and writes, as the scoreboard sees it.
struct RegisterUse {
  SlotList reads;   ///< RZ, URZ, PT and UPT left out.
  SlotList writes;  ///< A written predicate appears as operand slot and as guard slot.
  SlotRange sums;   ///< The sums of a warpgroup's product, which are written, too.
  bool reads_sums = false;  ///< The product adds to its sums, so that it reads them first.
};

/// The instruction must have no virtual registers.
RegisterUse register_use(const Instruction& instruction);

/// The same without what need not have been written before: a register of which PRMT leaves bytes where they are, as
/// compilers write half of one; and what is stored on the stack, [R1+n], where functions save registers of their callers,
/// whether those have written them or not.
RegisterUse needed_use(const Instruction& instruction);

/// What the address that stands at this place of the operands is made of.
SlotList address_use(const Instruction& instruction, std::size_t place);

}  // namespace heddle::ir
