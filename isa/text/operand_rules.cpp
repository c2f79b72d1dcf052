#include "isa/text/operand_rules.h"

#include <algorithm>
#include <array>
#include <limits>

#include "isa/ir/register_use.h"

namespace heddle::text {

namespace {

using ir::OperandRole;

/// In the order of ir::OperandRole.
constexpr std::array<std::string_view, 15> kRoleTexts = {
    "a register",
    "the first register of a pair",
    "a register",
    "a predicate",
    "a register",
    "a register, a number or a constant c[...]",
    "the first register of a pair, or a constant c[...]",
    "a register",
    "a predicate",
    "a constant c[...]",
    "an address such as [R2.64+0x10]",
    "an address such as [R2+0x10]",
    "a number",
    "a label",
    "a special register such as SR_TID.X",
};
static_assert(kRoleTexts.size() == static_cast<std::size_t>(OperandRole::Special) + 1);

bool is_number_source(OperandRole role) { return role == OperandRole::SrcReg || role == OperandRole::Src; }

bool has_group(const ir::OpcodeInfo& row, ir::ModifierGroup group) {
  const auto* end = row.modifiers.begin() + row.modifier_count;
  return std::find(row.modifiers.begin(), end, group) != end;
}

bool is_plain_integer(const ir::OpcodeInfo& row) {
  return row.number_type == ir::NumberType::Integer && row.modifier_count == 0;
}

/// Integer rows with three numbers and no modifiers add and multiply (IADD3, IMAD); those with fewer only
/// move them (MOV, SEL).
bool adds_integers(const ir::OpcodeInfo& row) {
  const auto* end = row.operands.begin() + row.operand_count;
  return is_plain_integer(row) && std::count_if(row.operands.begin(), end, is_number_source) == 3;
}

bool is_unordered_compare(ir::Modifier modifier) {
  return modifier >= ir::Modifier::CompareLtu && modifier <= ir::Modifier::CompareNan;
}

}  // namespace

std::string_view role_text(OperandRole role) { return kRoleTexts[static_cast<std::size_t>(role)]; }

bool allows_negation(const ir::OpcodeInfo& row, OperandRole role) {
  return is_number_source(role) && (row.number_type == ir::NumberType::Float || adds_integers(row));
}

bool allows_absolute(const ir::OpcodeInfo& row, OperandRole role) {
  return is_number_source(role) && row.number_type == ir::NumberType::Float;
}

bool allows_float_literals(const ir::OpcodeInfo& row) {
  return row.number_type == ir::NumberType::Float || (is_plain_integer(row) && !adds_integers(row));
}

std::uint32_t immediate_limit(const ir::OpcodeInfo& row) {
  if (row.action == ir::Action::Barrier) return 15;
  if (has_group(row, ir::ModifierGroup::Lut)) return 255;
  return std::numeric_limits<std::uint32_t>::max();
}

std::optional<ir::Operand> omitted_operand(const ir::OpcodeInfo& row, unsigned place) {
  if (place + 1 != row.operand_count) return std::nullopt;
  if (row.action == ir::Action::Barrier) return ir::Operand{};
  if (has_group(row, ir::ModifierGroup::Lut) && row.operands[place] == OperandRole::SrcPred) {
    return ir::Operand{ir::Operand::Kind::Predicate, ir::kPredicateTrue, true, false, 0};
  }
  return std::nullopt;
}

bool accepts(const ir::OpcodeInfo& row, ir::Modifier modifier) {
  if (ir::info(modifier).token.empty() || !has_group(row, ir::info(modifier).group)) return false;
  // Integers are always ordered: the forms that hold for NaN belong to floats.
  return row.number_type == ir::NumberType::Float || !is_unordered_compare(modifier);
}

std::optional<ir::Modifier> find_modifier(const ir::OpcodeInfo& row, std::string_view token) {
  for (std::size_t i = 0; i < ir::kModifierTable.size(); ++i) {
    const auto modifier = static_cast<ir::Modifier>(i);
    if (ir::kModifierTable[i].token == token && accepts(row, modifier)) return modifier;
  }
  return std::nullopt;
}

unsigned registers_needed(const ir::Instruction& instruction) {
  const ir::RegisterUse use = ir::register_use(instruction);
  unsigned needed = 0;
  for (const ir::SlotList* list : {&use.reads, &use.writes}) {
    for (const ir::RegisterSlot slot : *list) {
      if (ir::is_register_slot(slot)) needed = std::max(needed, slot - ir::kFirstRegister + 1U);
    }
  }
  return needed;
}

}  // namespace heddle::text
