#include "isa/ir/operand_rules.h"

#include <algorithm>
#include <limits>

#include "isa/base/cuda_limits.h"
#include "isa/ir/registers.h"
#include "isa/ir/texture_operands.h"

namespace heddle::ir {

namespace {

constexpr std::uint32_t kMostAwaited = 63;    // a scoreboard counts to that
constexpr std::uint32_t kMostGroupsLeft = 7;  // wgmma.wait_group (PTX ISA)

bool is_pair(OperandRole role) { return role == OperandRole::SrcPair || role == OperandRole::SrcUniformPair; }

bool is_number_source(OperandRole role) {
  return role == OperandRole::SrcReg || is_pair(role) || takes_numbers(role);
}

bool has_group(const OpcodeInfo& row, ModifierGroup group) {
  const auto* end = row.modifiers.begin() + row.modifier_count;
  return std::find(row.modifiers.begin(), end, group) != end;
}

bool is_float(NumberType type) { return type >= NumberType::Float; }

}  // namespace

bool takes_numbers(OperandRole role) {
  return role == OperandRole::Src || role == OperandRole::SrcWide || role == OperandRole::SrcUniform ||
         role == OperandRole::SrcUniformWide;
}

bool takes_uniforms(OperandRole role) {
  return role == OperandRole::Src || role == OperandRole::SrcPair || role == OperandRole::SrcWide ||
         role == OperandRole::SrcUniform || role == OperandRole::SrcUniformWide ||
         role == OperandRole::OptLaneMask || role == OperandRole::OptHandle;
}

bool allows_negation(const OpcodeInfo& row, OperandRole role) {
  if (row.number_type == NumberType::Addend) return is_pair(role);
  const bool is_sum = row.number_type == NumberType::Sum || row.number_type == NumberType::Inverse;
  return (is_number_source(role) || role == OperandRole::OptLaneMask) &&
         (is_sum || is_float(row.number_type));
}

bool allows_absolute(const OpcodeInfo& row, OperandRole role) {
  return is_number_source(role) && is_float(row.number_type);
}

bool may_be_negated(const OpcodeInfo& row, unsigned place) {
  constexpr unsigned kAddend = 3;
  return !row.mnemonic.starts_with("LEA.HI") || place == kAddend;
}

bool writes_true_only(Opcode opcode) {
  return opcode == Opcode::Vimnmx || opcode == Opcode::VimnmxS16 || opcode == Opcode::VimnmxU16 ||
         opcode == Opcode::ImnmxS64 || opcode == Opcode::ImnmxU64 || opcode == Opcode::Uiadd364 ||
         (info(opcode).action == Action::Atomic && opcode != Opcode::AtomsCast);
}

namespace {

/// Which of four lanes hold what says which elements of a sparse matrix are given: all, two of them, or one.
std::uint32_t greatest_selector(const OpcodeInfo& row) {
  const unsigned registers = row.operands[1] == OperandRole::SrcQuad ? 4 : 2;
  const unsigned lanes = has_group(row, ModifierGroup::ByteA) ? registers : registers / 2;
  return 4 / lanes - 1;
}

/// The greatest number that an operand may have which is always a number.
std::uint32_t immediate_limit(const OpcodeInfo& row) {
  if (row.action == Action::AwaitCopies) return kMostAwaited;
  if (row.action == Action::MatrixMultiply) return greatest_selector(row);
  if (row.action == Action::AwaitProducts) return kMostGroupsLeft;
  if (has_group(row, ModifierGroup::Lut)) return 255;
  if (row.action == Action::PackPredicates || row.action == Action::UnpackPredicates) return 127;
  if (row.action == Action::Lanes || row.action == Action::UniformLanes) return 31;  // a shift
  return std::numeric_limits<std::uint32_t>::max();
}

}  // namespace

std::optional<std::uint32_t> number_limit(const OpcodeInfo& row, OperandRole role) {
  if (role == OperandRole::Immediate) return immediate_limit(row);
  if (role == OperandRole::OptHandle) return kLaunchBank;
  if (role == OperandRole::OptHandleWord) return kConstantBankBytes / 4 - 1;
  if (role == OperandRole::OptChannels) return kAllChannels;
  if (role == OperandRole::BarrierId) return kMaxBlockBarrier;
  if (role == OperandRole::OptThreads) return kMostThreadsPerBlock;
  return std::nullopt;
}

std::optional<Operand> omitted_operand(const OpcodeInfo& row, unsigned place) {
  const OperandRole role = row.operands[place];
  if (role == OperandRole::OptDstUniform || role == OperandRole::OptHandle || role == OperandRole::OptHint)
    return Operand{Operand::Kind::Uniform, kUniformZero};
  if (role == OperandRole::OptChannels) return Operand{Operand::Kind::Immediate, 0, false, false, kAllChannels};
  if (role == OperandRole::OptHandleWord) return Operand{};
  if (role == OperandRole::OptDstReg || role == OperandRole::OptDstData || role == OperandRole::OptReturnReg ||
      role == OperandRole::OptMorePlace)
    return Operand{Operand::Kind::Register, kRegisterZero};
  if (role == OperandRole::OptLaneMask)
    return Operand{Operand::Kind::Immediate, 0, false, false, std::numeric_limits<std::uint32_t>::max()};
  if (role == OperandRole::OptThreads || role == OperandRole::BarrierId) return Operand{};
  if (role == OperandRole::OptMatrixA || role == OperandRole::OptGroup || role == OperandRole::OptCondition)
    return Operand{};
  const bool is_uniform = role == OperandRole::OptDstUniformPred || role == OperandRole::OptSrcUniformPred ||
                          role == OperandRole::SrcUniformPred || role == OperandRole::OptAdds;
  const std::uint8_t always = is_uniform ? kUniformPredicateTrue : kPredicateTrue;
  if (is_optional(role)) {
    const bool is_source = role == OperandRole::OptSrcPred || role == OperandRole::OptSrcUniformPred;
    return Operand{Operand::Kind::Predicate, always, is_source};
  }
  if (place + 1 != row.operand_count) return std::nullopt;
  const bool is_condition = role == OperandRole::SrcPred || role == OperandRole::SrcUniformPred;
  if (has_group(row, ModifierGroup::Lut) && is_condition)
    return Operand{Operand::Kind::Predicate, always, true, false, 0};
  return std::nullopt;
}

bool allows_part(const Instruction& instruction, OperandRole role, RegisterPart part) {
  const OpcodeInfo& row = info(instruction.opcode);
  const bool is_source =
      role == OperandRole::SrcReg || role == OperandRole::Src || role == OperandRole::SrcUniform;
  if (!is_source) return false;
  if (part == RegisterPart::LowTwice || part == RegisterPart::HighTwice)
    return row.number_type == NumberType::Half2 || row.number_type == NumberType::Bfloat2;
  const Modifier type = instruction.modifiers.get(ModifierGroup::SourceInteger);
  if (part == RegisterPart::UpperHalf)
    return type == Modifier::SourceIntegerS16 || type == Modifier::SourceIntegerU16;
  return type == Modifier::SourceIntegerS8 || type == Modifier::SourceIntegerU8;
}

unsigned registers_needed(const Instruction& instruction) {
  unsigned needed = 0;
  for (const RegisterRun& run : registers_of(instruction)) {
    const bool counts = run.file == RegisterFile::General && !is_virtual(run.first);
    if (counts) needed = std::max(needed, run.first + run.count);
  }
  return needed;
}

PredicateFile predicate_file(OperandRole role) {
  switch (role) {
    case OperandRole::DstUniformPred:
    case OperandRole::OptDstUniformPred:
    case OperandRole::SrcUniformPred:
    case OperandRole::OptSrcUniformPred:
    case OperandRole::OptAdds:
    case OperandRole::AllUniformPreds:
      return PredicateFile::Warp;
    case OperandRole::DstPred:
    case OperandRole::OptDstPred:
    case OperandRole::AllPreds:
      return PredicateFile::Lanes;
    default:
      return PredicateFile::Either;
  }
}

bool is_uniform_role(OperandRole role) {
  switch (role) {
    case OperandRole::DstUniform:
    case OperandRole::DstUniformData:
    case OperandRole::DstUniformPair:
    case OperandRole::OptDstUniform:
    case OperandRole::SrcUniform:
    case OperandRole::SrcUniformPair:
    case OperandRole::SrcUniformWide:
    case OperandRole::OptLaneMask:
    case OperandRole::UniformPlace:
    case OperandRole::UniformPairPlace:
    case OperandRole::UniformTile:
    case OperandRole::OptHint:
      return true;
    default:
      return false;
  }
}

bool is_constant_bank(std::uint64_t bank) {
  return bank == kLaunchBank || bank == kDataBank || bank == kTableBank;
}

std::uint64_t params_end(const Kernel& kernel) {
  if (kernel.params.empty()) return kernel.param_base;
  return kernel.params.back().offset + size_of(kernel.params.back().type);
}

}  // namespace heddle::ir
