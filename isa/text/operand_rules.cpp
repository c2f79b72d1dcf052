#include "isa/text/operand_rules.h"

#include <algorithm>
#include <limits>

#include "isa/ir/register_use.h"

namespace heddle::text {

namespace {

using ir::OperandRole;

constexpr std::uint32_t kMostAwaited = 63;    // a scoreboard counts to that
constexpr std::uint32_t kMostGroupsLeft = 7;  // wgmma.wait_group (PTX ISA)

bool is_pair(OperandRole role) { return role == OperandRole::SrcPair || role == OperandRole::SrcUniformPair; }

bool is_number_source(OperandRole role) {
  return role == OperandRole::SrcReg || is_pair(role) || takes_numbers(role);
}

bool has_group(const ir::OpcodeInfo& row, ir::ModifierGroup group) {
  const auto* end = row.modifiers.begin() + row.modifier_count;
  return std::find(row.modifiers.begin(), end, group) != end;
}

bool is_float(ir::NumberType type) { return type >= ir::NumberType::Float; }

bool is_unordered_compare(ir::Modifier modifier) {
  return modifier >= ir::Modifier::CompareLtu && modifier <= ir::Modifier::CompareNan;
}

}  // namespace

bool takes_numbers(OperandRole role) {
  return role == OperandRole::Src || role == OperandRole::SrcWide || role == OperandRole::SrcUniform ||
         role == OperandRole::SrcUniformWide;
}

bool takes_uniforms(OperandRole role) {
  return role == OperandRole::Src || role == OperandRole::SrcPair || role == OperandRole::SrcWide ||
         role == OperandRole::SrcUniform || role == OperandRole::SrcUniformWide ||
         role == OperandRole::OptLaneMask;
}

bool allows_negation(const ir::OpcodeInfo& row, OperandRole role) {
  if (row.number_type == ir::NumberType::Addend) return is_pair(role);
  const bool is_sum = row.number_type == ir::NumberType::Sum || row.number_type == ir::NumberType::Inverse;
  return (is_number_source(role) || role == OperandRole::OptLaneMask) && (is_sum || is_float(row.number_type));
}

bool allows_absolute(const ir::OpcodeInfo& row, OperandRole role) {
  return is_number_source(role) && is_float(row.number_type);
}

bool allows_float_literals(const ir::OpcodeInfo& row) {
  return row.number_type == ir::NumberType::Bits || is_float(row.number_type);
}

bool may_be_negated(const ir::OpcodeInfo& row, unsigned place) {
  constexpr unsigned kAddend = 3;
  return !row.mnemonic.starts_with("LEA.HI") || place == kAddend;
}

char negation_sign(const ir::OpcodeInfo& row) {
  return row.number_type == ir::NumberType::Inverse ? '~' : '-';
}

bool writes_true_only(ir::Opcode opcode) {
  return opcode == ir::Opcode::Vimnmx || opcode == ir::Opcode::VimnmxS16 || opcode == ir::Opcode::VimnmxU16 ||
         opcode == ir::Opcode::ImnmxS64 || opcode == ir::Opcode::ImnmxU64 ||
         opcode == ir::Opcode::Uiadd364 ||
         (ir::info(opcode).action == ir::Action::Atomic && opcode != ir::Opcode::AtomsCast);
}

std::uint32_t immediate_limit(const ir::OpcodeInfo& row) {
  if (row.action == ir::Action::AwaitCopies) return kMostAwaited;
  if (row.action == ir::Action::AwaitProducts) return kMostGroupsLeft;
  if (has_group(row, ir::ModifierGroup::Lut)) return 255;
  if (row.action == ir::Action::PackPredicates || row.action == ir::Action::UnpackPredicates) return 127;
  if (row.action == ir::Action::Lanes || row.action == ir::Action::UniformLanes) return 31;  // a shift
  return std::numeric_limits<std::uint32_t>::max();
}

std::optional<ir::Operand> omitted_operand(const ir::OpcodeInfo& row, unsigned place) {
  const ir::OperandRole role = row.operands[place];
  if (role == OperandRole::OptDstUniform) return ir::Operand{ir::Operand::Kind::Uniform, ir::kUniformZero};
  if (role == OperandRole::OptDstReg || role == OperandRole::OptDstData || role == OperandRole::OptReturnReg)
    return ir::Operand{ir::Operand::Kind::Register, ir::kRegisterZero};
  if (role == OperandRole::OptLaneMask) return ir::Operand{ir::Operand::Kind::Immediate, 0, false, false, std::numeric_limits<std::uint32_t>::max()};
  if (role == OperandRole::OptThreads || role == OperandRole::BarrierId) return ir::Operand{};
  if (role == OperandRole::OptMatrixA || role == OperandRole::OptGroup || role == OperandRole::OptCondition)
    return ir::Operand{};
  if (role == OperandRole::OptAdds) return ir::Operand{ir::Operand::Kind::UniformPredicate};
  const bool is_uniform = role == OperandRole::OptDstUniformPred || role == OperandRole::OptSrcUniformPred ||
                          role == OperandRole::SrcUniformPred;
  const std::uint8_t always = is_uniform ? ir::kUniformPredicateTrue : ir::kPredicateTrue;
  if (ir::is_optional(role)) {
    const bool is_source = role == OperandRole::OptSrcPred || role == OperandRole::OptSrcUniformPred;
    return ir::Operand{ir::Operand::Kind::Predicate, always, is_source};
  }
  if (place + 1 != row.operand_count) return std::nullopt;
  const bool is_condition = role == OperandRole::SrcPred || role == OperandRole::SrcUniformPred;
  if (has_group(row, ir::ModifierGroup::Lut) && is_condition)
    return ir::Operand{ir::Operand::Kind::Predicate, always, true, false, 0};
  return std::nullopt;
}

bool accepts(const ir::OpcodeInfo& row, ir::Modifier modifier) {
  if (ir::info(modifier).token.empty() || !has_group(row, ir::info(modifier).group)) return false;
  const bool is_wide = modifier == ir::Modifier::IntTypeS64 || modifier == ir::Modifier::IntTypeU64;
  if (is_wide && !has_group(row, ir::ModifierGroup::Compare)) return false;
  // Integers are always ordered: the forms that hold for NaN belong to floats.
  return is_float(row.number_type) || !is_unordered_compare(modifier);
}

std::optional<ir::Modifier> find_modifier(const ir::OpcodeInfo& row, std::string_view token) {
  for (std::size_t i = 0; i < ir::kModifierTable.size(); ++i) {
    const auto modifier = static_cast<ir::Modifier>(i);
    if (ir::kModifierTable[i].token == token && accepts(row, modifier)) return modifier;
  }
  return std::nullopt;
}

bool allows_part(const ir::Instruction& instruction, OperandRole role, ir::RegisterPart part) {
  const ir::OpcodeInfo& row = ir::info(instruction.opcode);
  const bool is_source = role == OperandRole::SrcReg || role == OperandRole::Src || role == OperandRole::SrcUniform;
  if (!is_source) return false;
  if (part == ir::RegisterPart::LowTwice || part == ir::RegisterPart::HighTwice)
    return row.number_type == ir::NumberType::Half2 || row.number_type == ir::NumberType::Bfloat2;
  const ir::Modifier type = instruction.modifiers.get(ir::ModifierGroup::SourceInteger);
  if (part == ir::RegisterPart::UpperHalf)
    return type == ir::Modifier::SourceIntegerS16 || type == ir::Modifier::SourceIntegerU16;
  return type == ir::Modifier::SourceIntegerS8 || type == ir::Modifier::SourceIntegerU8;
}

unsigned registers_needed(const ir::Instruction& instruction) {
  const ir::RegisterUse use = ir::register_use(instruction);
  unsigned needed = use.sums.count == 0 ? 0 : use.sums.first + use.sums.count - ir::kFirstRegister;
  for (const ir::SlotList* list : {&use.reads, &use.writes}) {
    for (const ir::RegisterSlot slot : *list) {
      if (ir::is_register_slot(slot)) needed = std::max(needed, slot - ir::kFirstRegister + 1U);
    }
  }
  return needed;
}

}  // namespace heddle::text
