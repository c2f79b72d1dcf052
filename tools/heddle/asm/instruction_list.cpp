#include "tools/heddle/asm/instruction_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "isa/ir/modifier_rules.h"

namespace heddle::command {

namespace {

constexpr std::string_view kLegend =
    R"(// Each instruction as it is written, then its timing class (heddle gpus h100:
// sm.instructions) and what it does. Guards: @P0 or @!P0 in front. [...] may be
// left out, one of a|b is written.
//
//   Rd, Pd, URd   register, predicate, uniform register written; Rd... as many
//                 registers as the data take
//   R, P, UR      the same, read; !P, and -R or |R| where the type has signs
//   .64, .128     first register of an aligned pair, or four
//   R*            first register of the sums of a warpgroup's product
//   src           register, number, or constant c[name], c[bank][byte];
//                 src.64 likewise
//   n             number
//   [R+n]         address; [R.64+n] of global memory. A uniform register may be
//                 added: [R2+UR4]. A name of shared memory stands for its
//                 offset: [R2+tile+4]
//   SR_...        special register, as SR_TID.X
//   a, b, c       in descriptions: the sources, in order
)";

constexpr std::string_view kTracesOnly = R"(
// Only traces have these, and name their registers: no kernel may have them.
)";

bool has_group(const ir::OpcodeInfo& row, ir::ModifierGroup group) {
  const auto groups = std::span(row.modifiers).first(row.modifier_count);
  return std::find(groups.begin(), groups.end(), group) != groups.end();
}

/// Whether the row allows this type. Not every operation of atomics exists for every type.
bool has_form(const ir::OpcodeInfo& row, ir::Modifier type) {
  if (row.action != ir::Action::Atomic || ir::info(type).group != ir::ModifierGroup::AtomicType) return true;
  const bool has_operations = has_group(row, ir::ModifierGroup::AtomicOperation);
  for (std::size_t i = 0; i < ir::kModifierTable.size(); ++i) {
    const ir::ModifierInfo& operation = ir::kModifierTable[i];
    if (operation.group != ir::ModifierGroup::AtomicOperation || operation.token.empty() == has_operations)
      continue;
    ir::Modifiers modifiers;
    modifiers.set(static_cast<ir::Modifier>(i));
    modifiers.set(type);
    if (ir::is_atomic_form(modifiers)) return true;
  }
  return false;
}

/// "(.LT|.EQ)", in brackets if it can be left out.
std::string choice_text(const ir::OpcodeInfo& row, unsigned place) {
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < ir::kModifierTable.size(); ++i) {
    const ir::ModifierInfo& modifier = ir::kModifierTable[i];
    const auto which = static_cast<ir::Modifier>(i);
    const bool is_of_group = modifier.group == row.modifiers[place] && !modifier.token.empty();
    if (is_of_group && ir::accepts(row, which) && has_form(row, which))
      tokens.push_back(fmt::format(".{}", modifier.token));
  }
  if (tokens.empty()) return {};
  const std::string_view brackets = row.modifier_required[place] ? "()" : "[]";
  return fmt::format("{}{}{}", brackets[0], fmt::join(tokens, "|"), brackets[1]);
}

std::string usage(const ir::OpcodeInfo& row) {
  std::string usage(row.mnemonic);
  for (unsigned i = 0; i < row.modifier_count; ++i) usage += choice_text(row, i);
  for (unsigned i = 0; i < row.operand_count; ++i)
    usage += fmt::format("{} {}", i == 0 ? "" : ",", ir::info(row.operands[i]).symbol);
  return usage;
}

void add_rows(std::string& list, bool are_executable) {
  for (std::size_t i = 0; i < ir::kOpcodes; ++i) {
    const ir::OpcodeInfo& row = ir::info(static_cast<ir::Opcode>(i));
    if (ir::is_executable(row) != are_executable) continue;
    list += fmt::format("\n{}\n    {}: {}\n", usage(row), ir::info(row.timing_class).key, row.summary);
  }
}

}  // namespace

std::string instruction_list() {
  std::string list(kLegend);
  add_rows(list, true);
  list += kTracesOnly;
  add_rows(list, false);
  return list;
}

}  // namespace heddle::command
