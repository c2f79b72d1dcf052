// The instruction table: rows make sense, and mnemonics are found.
#include "isa/ir/opcode.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "tests/support/catch.h"

namespace heddle::ir {
namespace {

std::vector<Opcode> all_opcodes() {
  std::vector<Opcode> all;
  for (std::size_t i = 0; i < kOpcodes; ++i) all.push_back(static_cast<Opcode>(i));
  return all;
}

std::vector<Modifier> modifiers_of(ModifierGroup group) {
  std::vector<Modifier> members;
  for (std::size_t i = 0; i < kModifierTable.size(); ++i) {
    if (kModifierTable[i].group == group) members.push_back(static_cast<Modifier>(i));
  }
  return members;
}

bool takes(const OpcodeInfo& row, ModifierGroup group) {
  const auto* end = row.modifiers.begin() + row.modifier_count;
  return std::find(row.modifiers.begin(), end, group) != end;
}

TEST_CASE("every mnemonic finds its own row") {
  for (const Opcode opcode : all_opcodes()) {
    const OpcodeInfo& row = info(opcode);
    CAPTURE(row.mnemonic);
    CHECK(find_opcode(row.mnemonic) == opcode);
    CHECK(find_opcode(std::string(row.mnemonic) + ".ANYTHING") == opcode);
    CHECK(find_opcode(std::string(row.mnemonic) + "X") != opcode);
  }
}

TEST_CASE("the longest mnemonic wins, and only whole dotted parts count") {
  CHECK(find_opcode("IMAD") == Opcode::Imad);
  CHECK(find_opcode("IMAD.WIDE") == Opcode::ImadWide);
  CHECK(find_opcode("IMAD.WIDE.U32") == Opcode::ImadWide);
  CHECK(find_opcode("IMAD.WIDER") == Opcode::Imad);
  CHECK(find_opcode("IMAD.MOV.U32") == Opcode::Imad);
  CHECK(find_opcode("BAR.SYNC.DEFER_BLOCKING") == Opcode::BarSync);
}

TEST_CASE("what is no mnemonic finds nothing") {
  for (const char* text :
       {"", ".", "I", "IMADD", "imad", " IMAD", "BAR", "BAR.", "BAR.SYNCH", "IMAD WIDE", ".IMAD"}) {
    CAPTURE(text);
    CHECK(find_opcode(text) == std::nullopt);
  }
}

TEST_CASE("rows are within their limits and explained") {
  std::set<std::string_view> mnemonics;
  for (const Opcode opcode : all_opcodes()) {
    const OpcodeInfo& row = info(opcode);
    CAPTURE(row.mnemonic);
    CHECK(mnemonics.insert(row.mnemonic).second);
    CHECK_FALSE(row.mnemonic.empty());
    CHECK_FALSE(row.summary.empty());
    CHECK(row.operand_count <= kMaxOperands);
    CHECK(row.modifier_count <= kModifierGroups);
    const std::set<ModifierGroup> groups(row.modifiers.begin(), row.modifiers.begin() + row.modifier_count);
    CHECK(groups.size() == row.modifier_count);  // none twice
  }
}

TEST_CASE("a group that a row requires can only be met by writing one of its tokens") {
  for (const Opcode opcode : all_opcodes()) {
    const OpcodeInfo& row = info(opcode);
    for (unsigned i = 0; i < row.modifier_count; ++i) {
      CAPTURE(row.mnemonic, i);
      const std::vector<Modifier> members = modifiers_of(row.modifiers[i]);
      const auto written =
          std::count_if(members.begin(), members.end(), [](Modifier m) { return !info(m).token.empty(); });
      CHECK(written >= (row.modifier_required[i] && members.size() > 1 ? 2 : 1));
    }
  }
}

TEST_CASE("no two modifiers that one row accepts are written alike, unless their order tells them apart") {
  for (const Opcode opcode : all_opcodes()) {
    const OpcodeInfo& row = info(opcode);
    std::map<std::string_view, unsigned> groups;
    for (unsigned i = 0; i < row.modifier_count; ++i) {
      for (const Modifier modifier : modifiers_of(row.modifiers[i])) {
        if (info(modifier).token.empty()) continue;
        CAPTURE(row.mnemonic, info(modifier).token);
        const auto [known, is_new] = groups.emplace(info(modifier).token, i);
        // .S8.U8 of a product: both must be there. A lone .B of TLD4 is the one that must.
        const bool are_ordered =
            known->second != i && (row.modifier_required[i] || row.modifier_required[known->second]);
        CHECK((is_new || are_ordered));
      }
    }
  }
}

TEST_CASE("operands fit the action that carries a row out") {
  const auto count = [](const OpcodeInfo& row, OperandRole role) {
    return std::count(row.operands.begin(), row.operands.begin() + row.operand_count, role);
  };
  for (const Opcode opcode : all_opcodes()) {
    const OpcodeInfo& row = info(opcode);
    CAPTURE(row.mnemonic);
    const auto addresses = count(row, OperandRole::GlobalAddress) + count(row, OperandRole::SharedAddress) +
                           count(row, OperandRole::LocalAddress);
    const bool is_atomic = row.action == Action::Atomic;
    const bool is_access =
        row.action == Action::Load || row.action == Action::LoadMatrix || row.action == Action::Store ||
        row.action == Action::StoreMatrix || is_for_mbarrier(row.action) || opcode == Opcode::SyncsCctl;
    const bool is_copy = row.action == Action::Copy;
    const bool is_hint = opcode == Opcode::CctlPf2;
    CHECK(addresses == (is_access || is_atomic || is_hint ? 1 : is_copy ? 2 : 0));
    const bool has_target = row.action == Action::Branch || row.action == Action::Call || row.action == Action::Arm ||
                            opcode == Opcode::WarpsyncCollective || opcode == Opcode::WarpsyncCollectiveAll;
    CHECK(count(row, OperandRole::Target) == (has_target ? 1 : 0));
    CHECK(count(row, OperandRole::Special) == (row.action == Action::SpecialRegister ? 1 : 0));
    if (row.action == Action::Load) CHECK(count(row, OperandRole::DstData) == 1);
    if (row.action == Action::Store) CHECK(count(row, OperandRole::SrcData) == 1);
    CHECK(count(row, OperandRole::DstPred) + count(row, OperandRole::OptDstPred) <= 2);
    CHECK(count(row, OperandRole::SrcPred) + count(row, OperandRole::OptSrcPred) <= 3);
    const bool has_data = count(row, OperandRole::DstData) + count(row, OperandRole::SrcData) +
                              count(row, OperandRole::DstUniformData) !=
                          0;
    const bool has_width = takes(row, ModifierGroup::Width) || takes(row, ModifierGroup::MatrixCount);
    CHECK((has_width || is_atomic) == (has_data || is_copy));
    const bool has_one_form = opcode == Opcode::AtomsCount || opcode == Opcode::AtomsArrive;
    CHECK(takes(row, ModifierGroup::AtomicType) == (is_atomic && !has_one_form));
  }
}

TEST_CASE("modifiers begin as the first of each group and are set apart from one another") {
  Modifiers modifiers;
  for (std::size_t g = 0; g < kModifierGroups; ++g) {
    const auto group = static_cast<ModifierGroup>(g);
    CHECK(modifiers.get(group) == modifiers_of(group).front());
    CHECK(default_modifier(group) == modifiers_of(group).front());
    CHECK(modifiers.has(default_modifier(group)));
  }
  CHECK(modifiers.has(Modifier::IntTypeS32));
  CHECK(modifiers.has(Modifier::WidthB32));
  CHECK(modifiers.has(Modifier::RoundingNearest));
  modifiers.set(Modifier::CompareGe);
  modifiers.set(Modifier::IntTypeU32);
  modifiers.set(Modifier::CompareLt);
  CHECK(modifiers.has(Modifier::CompareLt));
  CHECK_FALSE(modifiers.has(Modifier::CompareGe));
  CHECK(modifiers.has(Modifier::IntTypeU32));
  CHECK(modifiers.get(ModifierGroup::Bool) == Modifier::BoolNone);
  Modifiers other;
  CHECK_FALSE(modifiers == other);
  other.set(Modifier::IntTypeU32);
  other.set(Modifier::CompareLt);
  CHECK(modifiers == other);
}

TEST_CASE("every group of the table has members, all in one piece") {
  for (std::size_t g = 0; g < kModifierGroups; ++g) {
    CHECK_FALSE(modifiers_of(static_cast<ModifierGroup>(g)).empty());
  }
  CHECK(std::is_sorted(kModifierTable.begin(), kModifierTable.end(),
                       [](const ModifierInfo& a, const ModifierInfo& b) { return a.group < b.group; }));
}

TEST_CASE("every timing class and stall reason has a key of its own") {
  std::set<std::string_view> keys;
  for (const TimingClassInfo& row : kTimingClassTable) {
    CHECK_FALSE(row.key.empty());
    CHECK(keys.insert(row.key).second);
    // Who finds no room waits for a math pipe, or for the queue to memory.
    CHECK(row.uses_mio() == (row.throttle != StallReason::MathPipeThrottle));
  }
  std::set<std::string_view> stalls;
  for (const StallReasonInfo& row : kStallReasonTable) CHECK(stalls.insert(row.key).second);
  CHECK(info(TimingClass::LoadGlobal).uses_mio());
  CHECK(info(TimingClass::Shuffle).uses_mio());
  CHECK_FALSE(info(TimingClass::Fp32).uses_mio());
}

}  // namespace
}  // namespace heddle::ir
