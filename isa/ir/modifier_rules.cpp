#include "isa/ir/modifier_rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::ir {

namespace {

struct AtomicForm {
  Modifier operation;
  Modifier type;
};

constexpr AtomicForm kAtomicForms[] = {
#define ATOMIC_FORM(operation, type, ...) {Modifier::AtomicOperation##operation, Modifier::AtomicType##type},
#include "isa/ir/atomic_forms.def"
#undef ATOMIC_FORM
    // Compare-and-swap and counts, which have no operation among their modifiers.
    {Modifier::AtomicOperationNone, Modifier::AtomicTypeU32},
    {Modifier::AtomicOperationNone, Modifier::AtomicTypeU64},
};

bool has_group(const OpcodeInfo& row, ModifierGroup group) {
  const auto* end = row.modifiers.begin() + row.modifier_count;
  return std::find(row.modifiers.begin(), end, group) != end;
}

bool is_unordered_compare(Modifier modifier) {
  return modifier >= Modifier::CompareLtu && modifier <= Modifier::CompareNan;
}

}  // namespace

bool accepts(const OpcodeInfo& row, Modifier modifier) {
  if (info(modifier).token.empty() || !has_group(row, info(modifier).group)) return false;
  const bool is_wide = modifier == Modifier::IntTypeS64 || modifier == Modifier::IntTypeU64;
  if (is_wide && !has_group(row, ModifierGroup::Compare)) return false;
  // Integers are always ordered: the forms that hold for NaN belong to floats.
  return row.number_type >= NumberType::Float || !is_unordered_compare(modifier);
}

std::optional<Modifier> find_modifier(const OpcodeInfo& row, std::string_view token,
                                      const std::array<bool, kModifierGroups>& taken) {
  std::optional<Modifier> last;
  for (std::size_t i = 0; i < kModifierTable.size(); ++i) {
    const auto modifier = static_cast<Modifier>(i);
    if (kModifierTable[i].token != token || !accepts(row, modifier)) continue;
    last = modifier;
    if (!taken[static_cast<std::size_t>(kModifierTable[i].group)]) break;
  }
  return last;
}

std::vector<std::string> modifier_texts(const OpcodeInfo& row, ModifierGroup group) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < kModifierTable.size(); ++i) {
    const auto modifier = static_cast<Modifier>(i);
    if (info(modifier).group == group && accepts(row, modifier))
      texts.push_back(fmt::format(".{}", info(modifier).token));
  }
  return texts;
}

std::string opcode_text(const Instruction& instruction) {
  const OpcodeInfo& row = info(instruction.opcode);
  std::string text(row.mnemonic);
  for (unsigned i = 0; i < row.modifier_count; ++i) {
    const Modifier modifier = instruction.modifiers.get(row.modifiers[i]);
    const bool is_default = modifier == default_modifier(row.modifiers[i]);
    if (is_default && !row.modifier_required[i]) continue;
    text += fmt::format(".{}", info(modifier).token);
  }
  return text;
}

bool is_atomic_form(const Modifiers& modifiers) {
  const Modifier type = modifiers.get(ModifierGroup::AtomicType);
  if (modifiers.has(Modifier::AtomicDenormalsFlushed) && type != Modifier::AtomicTypeF32) return false;
  return std::any_of(std::begin(kAtomicForms), std::end(kAtomicForms), [&](const AtomicForm& form) {
    return modifiers.has(form.operation) && form.type == type;
  });
}

std::vector<std::string_view> atomic_types(Modifier operation) {
  std::vector<std::string_view> types;
  for (const AtomicForm& form : kAtomicForms) {
    if (form.operation == operation) types.push_back(info(form.type).token);
  }
  return types;
}

bool is_copy_form(const Modifiers& modifiers) {
  switch (modifiers.get(ModifierGroup::Width)) {
    case Modifier::WidthB128:
      return true;
    case Modifier::WidthB32:
    case Modifier::WidthB64:
      return !modifiers.has(Modifier::BypassL1);
    default:
      return false;
  }
}

}  // namespace heddle::ir
