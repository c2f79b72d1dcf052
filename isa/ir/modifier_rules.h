// Which modifiers a row of the instruction table takes, and which go together.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/ir/instruction.h"

namespace heddle::ir {

/// The modifier of this row that is written so, if it has one; of several groups that have it, that of the first group
/// that is not among `taken`: .S8.U8 of a product names the elements of A, then those of B.
std::optional<Modifier> find_modifier(const OpcodeInfo& row, std::string_view token,
                                      const std::array<bool, kModifierGroups>& taken = {});

/// Whether the row accepts the modifier: its group is among the row's, and it can be written.
bool accepts(const OpcodeInfo& row, Modifier modifier);

/// The modifiers of a group that the row accepts, with their dots.
std::vector<std::string> modifier_texts(const OpcodeInfo& row, ModifierGroup group);

/// LDG.E.128: mnemonic and modifiers, without those that go without saying.
std::string opcode_text(const Instruction& instruction);

/// Whether the operation of an atomic exists for its type.
bool is_atomic_form(const Modifiers& modifiers);

/// The types that an operation of atomics exists for, as they are written.
std::vector<std::string_view> atomic_types(Modifier operation);

/// Whether there are copies of this size: cp.async takes 4, 8 or 16 bytes; if it bypasses L1, only 16 (PTX
/// ISA).
bool is_copy_form(const Modifiers& modifiers);

}  // namespace heddle::ir
