#include "sim/trace/replay/opcode_class.h"

#include <optional>
#include <stdexcept>

#include "isa/ir/texture_operands.h"

namespace heddle::trace {

namespace {

enum class Match : std::uint8_t { Exact, Generic, Near };

struct Rule {
  std::string_view pattern;
  std::string_view row;
  std::uint8_t registers;
  Match match;
};

constexpr Rule kRules[] = {
#define TRACE_RULE(pattern, row, registers, match) {pattern, row, registers, Match::match},
#include "sim/trace/replay/opcode_rules.def"
#undef TRACE_RULE
};

bool begins(std::string_view opcode, std::string_view part) {
  return opcode.starts_with(part) && (opcode.size() == part.size() || opcode[part.size()] == '.');
}

bool has_wildcard(const Rule& rule) { return rule.pattern.back() == '*'; }

std::string_view letters(const Rule& rule) {
  return rule.pattern.substr(0, rule.pattern.size() - (has_wildcard(rule) ? 1 : 0));
}

bool fits(const Rule& rule, std::string_view opcode) {
  return has_wildcard(rule) ? opcode.starts_with(letters(rule)) : begins(opcode, rule.pattern);
}

const Rule* longest(std::string_view opcode, bool wildcards) {
  const Rule* best = nullptr;
  for (const Rule& rule : kRules) {
    if (has_wildcard(rule) != wildcards || !fits(rule, opcode)) continue;
    if (best == nullptr || letters(rule).size() > letters(*best).size()) best = &rule;
  }
  return best;
}

ir::Opcode row_of(const Rule& rule) {
  const auto row = ir::find_opcode(rule.row);
  if (!row) throw std::logic_error("opcode_rules.def names a row that there is not");
  return *row;
}

std::string_view behind_first_part(std::string_view opcode) {
  const std::size_t dot = opcode.find('.');
  return dot == std::string_view::npos ? std::string_view() : opcode.substr(dot);
}

std::optional<ir::Modifier> find_modifier(const ir::OpcodeInfo& row, std::string_view token) {
  for (unsigned g = 0; g < row.modifier_count; ++g) {
    for (std::size_t i = 0; i < ir::kModifierTable.size(); ++i) {
      const ir::ModifierInfo& info = ir::kModifierTable[i];
      if (info.group == row.modifiers[g] && info.token == token) return static_cast<ir::Modifier>(i);
    }
  }
  return std::nullopt;
}

/// Calls visit(modifier) for each part between the dots; the argument is empty if the row has no such
/// modifier.
template <typename Visitor>
void for_each_modifier(const ir::OpcodeInfo& row, std::string_view dotted, Visitor visit) {
  while (!dotted.empty()) {
    dotted.remove_prefix(1);
    const std::size_t dot = dotted.find('.');
    visit(find_modifier(row, dotted.substr(0, dot)));
    dotted = dot == std::string_view::npos ? std::string_view() : dotted.substr(dot);
  }
}

/// The modifiers tell which arrival at an mbarrier it is. With a further modifier its meaning is unknown.
bool is_unknown_arrival(ir::Opcode opcode, std::string_view dotted) {
  const ir::OpcodeInfo& row = ir::info(opcode);
  bool is_unknown = false;
  if (row.action != ir::Action::ArriveMbarrier) return false;
  for_each_modifier(row, dotted,
                    [&](std::optional<ir::Modifier> known) { is_unknown = is_unknown || !known; });
  return is_unknown;
}

/// Which registers a fetch reads and writes, its operands say, which a trace does not have.
std::optional<ir::Opcode> row_with_registers(std::string_view opcode) {
  const auto row = ir::find_opcode(opcode);
  if (!row || ir::accesses_texture(ir::info(*row).action)) return std::nullopt;
  return row;
}

/// Finds the more specific of two matches: a row of the instruction table, or a rule with the whole name. If
/// a row takes addresses for global ones, a rule with the same name has precedence.
std::optional<OpcodeClass> by_name(std::string_view opcode) {
  const auto row = row_with_registers(opcode);
  const Rule* rule = longest(opcode, false);
  const bool is_generic = rule != nullptr && rule->match == Match::Generic;
  const std::size_t least = rule == nullptr ? 0 : rule->pattern.size() + (is_generic ? 1 : 0);
  if (row && ir::info(*row).mnemonic.size() >= least) {
    const std::string_view modifiers = opcode.substr(ir::info(*row).mnemonic.size());
    if (!is_unknown_arrival(*row, modifiers)) return OpcodeClass{*row, false, false, 0, modifiers};
  }
  if (rule == nullptr) return std::nullopt;
  return OpcodeClass{row_of(*rule), rule->match == Match::Near, rule->match == Match::Generic,
                     rule->registers, behind_first_part(opcode)};
}

}  // namespace

OpcodeClass classify(std::string_view opcode) {
  if (const auto found = by_name(opcode)) return *found;
  if (const Rule* rule = longest(opcode, true); rule != nullptr && letters(*rule).size() > 1) {
    return {row_of(*rule), true, false, rule->registers, behind_first_part(opcode)};
  }
  if (opcode.starts_with('U') && opcode.size() > 1) {
    OpcodeClass twin = classify(opcode.substr(1));
    twin.is_near = true;
    return twin;
  }
  const Rule* rule = longest(opcode, true);
  return {row_of(*rule), true, false, rule->registers, behind_first_part(opcode)};
}

ir::Instruction instruction_of(const OpcodeClass& found) {
  ir::Instruction instruction;
  instruction.opcode = found.row;
  ir::Modifiers& modifiers = instruction.modifiers;
  for_each_modifier(ir::info(found.row), found.modifiers, [&](std::optional<ir::Modifier> known) {
    if (!known) return;
    const ir::ModifierGroup group = ir::info(*known).group;
    if (modifiers.get(group) == ir::default_modifier(group)) modifiers.set(*known);
  });
  return instruction;
}

bool has_token(std::string_view opcode, std::string_view token) {
  while (!opcode.empty()) {
    const std::size_t dot = opcode.find('.');
    if (opcode.substr(0, dot) == token) return true;
    if (dot == std::string_view::npos) return false;
    opcode.remove_prefix(dot + 1);
  }
  return false;
}

}  // namespace heddle::trace
