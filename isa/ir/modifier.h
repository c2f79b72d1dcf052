// The vocabulary of dotted modifiers, made from modifiers.def.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace heddle::ir {

/// The groups of modifiers. An instruction has one modifier of each group that its opcode allows.
enum class ModifierGroup : std::uint8_t {
#define MODIFIER_GROUP(group) group,
#define MODIFIER(group, name, token)
#include "isa/ir/modifiers.def"
#undef MODIFIER_GROUP
#undef MODIFIER
  kCount
};

inline constexpr std::size_t kModifierGroups = static_cast<std::size_t>(ModifierGroup::kCount);

/// Every modifier of every group, in the order of the table.
enum class Modifier : std::uint16_t {
#define MODIFIER_GROUP(group)
#define MODIFIER(group, name, token) group##name,
#include "isa/ir/modifiers.def"
#undef MODIFIER_GROUP
#undef MODIFIER
  kCount
};

/// A row of modifiers.def.
struct ModifierInfo {
  ModifierGroup group;
  std::string_view token;  ///< As written after the dot; empty for a meaning that is not written.
};

inline constexpr std::array<ModifierInfo, static_cast<std::size_t>(Modifier::kCount)>
    kModifierTable = {{
#define MODIFIER_GROUP(group)
#define MODIFIER(group, name, token) {ModifierGroup::group, token},
#include "isa/ir/modifiers.def"
#undef MODIFIER_GROUP
#undef MODIFIER
    }};

constexpr const ModifierInfo& info(Modifier modifier) {
  return kModifierTable[static_cast<std::size_t>(modifier)];
}

/// The first row of a group: what an instruction means that names none.
constexpr Modifier default_modifier(ModifierGroup group) {
  std::size_t row = 0;
  while (kModifierTable[row].group != group) ++row;
  return static_cast<Modifier>(row);
}

/// One modifier of each group.
class Modifiers {
 public:
  constexpr Modifiers() {
    for (std::size_t g = 0; g < kModifierGroups; ++g) {
      values_[g] = default_modifier(static_cast<ModifierGroup>(g));
    }
  }
  constexpr void set(Modifier modifier) {
    values_[static_cast<std::size_t>(info(modifier).group)] = modifier;
  }
  [[nodiscard]] constexpr Modifier get(ModifierGroup group) const {
    return values_[static_cast<std::size_t>(group)];
  }
  [[nodiscard]] constexpr bool has(Modifier modifier) const {
    return get(info(modifier).group) == modifier;
  }
  friend bool operator==(const Modifiers&, const Modifiers&) = default;

 private:
  std::array<Modifier, kModifierGroups> values_{};
};

}  // namespace heddle::ir
