#include "isa/ir/opcode.h"

namespace heddle::ir {

namespace {

struct ModifierSlot {
  ModifierGroup group;
  bool required = false;

  // Implicit, so that a row can name a plain group beside required(...) ones.
  constexpr ModifierSlot(ModifierGroup named) : group(named) {}
  constexpr ModifierSlot(ModifierGroup named, bool must_be_there)
      : group(named), required(must_be_there) {}
};

constexpr ModifierSlot required(ModifierGroup group) { return {group, true}; }

struct OperandList {
  std::array<OperandRole, kMaxOperands> roles{};
  std::uint8_t count = 0;
};

struct ModifierList {
  std::array<ModifierGroup, kModifierGroups> groups{};
  std::array<bool, kModifierGroups> required{};
  std::uint8_t count = 0;
};

template <typename... Roles>
constexpr OperandList ops(Roles... roles) {
  OperandList list;
  ((list.roles[list.count++] = roles), ...);
  return list;
}

constexpr void append(ModifierList& list, ModifierSlot slot) {
  list.groups[list.count] = slot.group;
  list.required[list.count++] = slot.required;
}

template <typename... Slots>
constexpr ModifierList mods(Slots... slots) {
  ModifierList list;
  (append(list, slots), ...);
  return list;
}

constexpr OpcodeInfo row(std::string_view mnemonic, Action action, TimingClass timing_class,
                         NumberType number_type, const OperandList& operands,
                         const ModifierList& modifiers, std::string_view summary) {
  return {mnemonic,        action,           timing_class,       number_type,     operands.roles,
          operands.count,  modifiers.groups, modifiers.required, modifiers.count, summary};
}

constexpr std::array<OpcodeInfo, kOpcodes> make_table() {
  using enum OperandRole;
  using enum ModifierGroup;
  return {{
#define OPCODE(name, mnemonic, action, timing, type, operands, modifiers, summary) \
  row(mnemonic, Action::action, TimingClass::timing, NumberType::type, operands, modifiers, summary),
#include "isa/ir/opcodes.def"
#undef OPCODE
  }};
}

constexpr std::array<OpcodeInfo, kOpcodes> kTable = make_table();

consteval bool mnemonics_are_unique() {
  for (std::size_t i = 0; i < kOpcodes; ++i) {
    for (std::size_t j = i + 1; j < kOpcodes; ++j) {
      if (kTable[i].mnemonic == kTable[j].mnemonic) return false;
    }
  }
  return true;
}
static_assert(mnemonics_are_unique(), "opcodes.def names a mnemonic twice");

/// Whether `mnemonic` is the beginning of `text`, ending where a dotted part ends.
bool begins(std::string_view text, std::string_view mnemonic) {
  return text.starts_with(mnemonic) &&
         (text.size() == mnemonic.size() || text[mnemonic.size()] == '.');
}

}  // namespace

const OpcodeInfo& info(Opcode opcode) { return kTable[static_cast<std::size_t>(opcode)]; }

std::optional<Opcode> find_opcode(std::string_view text) {
  std::optional<Opcode> best;
  for (std::size_t i = 0; i < kOpcodes; ++i) {
    const auto candidate = static_cast<Opcode>(i);
    if (!begins(text, kTable[i].mnemonic)) continue;
    if (!best || kTable[i].mnemonic.size() > info(*best).mnemonic.size()) best = candidate;
  }
  return best;
}

}  // namespace heddle::ir
