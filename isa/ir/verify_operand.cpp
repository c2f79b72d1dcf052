// One operand of an instruction: what stands in its place, and whether it can.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "isa/ir/operand_rules.h"
#include "isa/ir/registers.h"
#include "isa/ir/special_register.h"
#include "isa/ir/texture_operands.h"
#include "isa/ir/verify.h"

namespace heddle::ir {

namespace {

using Kind = Operand::Kind;

constexpr std::array<std::string_view, 15> kKindNames = {"a register",
                                                         "a predicate",
                                                         "a number",
                                                         "a constant",
                                                         "a constant with an index",
                                                         "an address",
                                                         "a label",
                                                         "a special register",
                                                         "a convergence barrier",
                                                         "a scoreboard",
                                                         "a uniform register",
                                                         "descriptors",
                                                         "UPT",
                                                         "gsb0",
                                                         "a texture's shape"};

/// What is wrong with an operand, at one of its parts.
class OperandCheck {
 public:
  OperandCheck(const Kernel& kernel, const Instruction& instruction, unsigned place)
      : kernel_(kernel),
        instruction_(instruction),
        row_(info(instruction.opcode)),
        role_(row_.operands[place]),
        operand_(instruction.operands[place]),
        place_(place) {}

  std::optional<Problem> run() {
    if (!may_stand(role_, operand_.kind)) {
      add(Part::Operand, unexpected());
      return problem_;
    }
    check_left_out();
    check_value();
    check_signs();
    check_part();
    return problem_;
  }

 private:
  void add(Part part, std::string message, std::string found = {}) {
    if (!problem_) problem_ = Problem{0, part, place_, std::move(message), std::move(found)};
  }

  static bool may_stand(OperandRole role, Kind kind);
  [[nodiscard]] std::string unexpected() const {
    return fmt::format("expected {}, found {}", info(role_).expected,
                       kKindNames[static_cast<std::size_t>(operand_.kind)]);
  }
  void check_left_out();
  void check_value();
  void check_number();
  void check_predicate();
  void check_address();
  void check_register();
  void check_uniform(Part part, RegisterIndex first, unsigned width);
  void check_general(RegisterIndex first, unsigned width, unsigned alignment, std::string_view suffix);
  void check_run(Part part, RegisterName first, unsigned width, unsigned alignment, std::string_view suffix);
  void check_constant();
  void check_index();
  void check_constant_end(unsigned bytes);
  void check_params(unsigned bytes);
  [[nodiscard]] std::string shown_number() const { return fmt::format("{}", operand_.value); }
  [[nodiscard]] std::string shown_offset() const { return fmt::format("{:#x}", operand_.value); }
  [[nodiscard]] std::string advice() const;
  void check_signs();
  void check_part();
  void check_below(std::uint64_t end, std::string_view what) {
    if (operand_.index >= end)
      add(Part::Value, fmt::format("there is no {} number {}", what, operand_.index));
  }

  const Kernel& kernel_;
  const Instruction& instruction_;
  const OpcodeInfo& row_;
  OperandRole role_;
  const Operand& operand_;
  unsigned place_;
  std::optional<Problem> problem_;
};

/// What an operand in this role can be; a number without meaning stands for what is left out.
bool OperandCheck::may_stand(OperandRole role, Kind kind) {
  switch (role) {
    case OperandRole::SrcPair:
    case OperandRole::Src:
    case OperandRole::SrcWide:
      if (kind == Kind::Constant) return true;
      break;
    case OperandRole::DstAny:
      return kind == Kind::Register || kind == Kind::Uniform;
    case OperandRole::BarrierId:
    case OperandRole::OptThreads:
    case OperandRole::OptMatrixA:
      return kind == Kind::Register || kind == Kind::Immediate;
    case OperandRole::OptCondition:
      return kind == Kind::Predicate || kind == Kind::Immediate;
    case OperandRole::OptLaneMask:
      return kind == Kind::Uniform || kind == Kind::Immediate;
    case OperandRole::ConstData:
      return kind == Kind::Constant || kind == Kind::IndexedConstant;
    case OperandRole::GlobalAddress:
    case OperandRole::SharedAddress:
    case OperandRole::LocalAddress:
      return kind == Kind::Address;
    case OperandRole::Immediate:
    case OperandRole::OptHandleWord:
    case OperandRole::OptChannels:
      return kind == Kind::Immediate;
    case OperandRole::OptHandle:
      return kind == Kind::Register || kind == Kind::Uniform || kind == Kind::Immediate;
    case OperandRole::TextureShape:
      return kind == Kind::TextureShape;
    case OperandRole::Target:
      return kind == Kind::Target;
    case OperandRole::Special:
      return kind == Kind::Special;
    case OperandRole::ConvergenceBarrier:
      return kind == Kind::ConvergenceBarrier;
    case OperandRole::Scoreboard:
      return kind == Kind::Scoreboard;
    case OperandRole::Descriptors:
      return kind == Kind::Descriptors;
    case OperandRole::OptGroup:
      return kind == Kind::GroupScoreboard || kind == Kind::Immediate;
    case OperandRole::GroupScoreboard:
      return kind == Kind::GroupScoreboard;
    case OperandRole::AllPreds:
    case OperandRole::AllUniformPreds:
      return kind == Kind::Predicate;
    default:
      break;
  }
  if (is_written_predicate(role) || info(role).access == RegisterAccess::ReadsPredicate)
    return kind == Kind::Predicate;
  if (kind == Kind::Immediate) return takes_numbers(role);
  if (kind == Kind::Target) return takes_numbers(role);  // a label stands for its instruction's number
  if (kind == Kind::Uniform) return is_uniform_role(role) || takes_uniforms(role);
  return kind == Kind::Register && !is_uniform_role(role);
}

/// Where no number can stand, one without meaning stands for what is left out.
void OperandCheck::check_left_out() {
  const bool is_number = role_ == OperandRole::OptCondition || role_ == OperandRole::OptMatrixA ||
                         role_ == OperandRole::OptGroup || role_ == OperandRole::OptLaneMask;
  if (!is_number || operand_.kind != Kind::Immediate || operand_ == omitted_operand(row_, place_)) return;
  add(Part::Operand, unexpected());
}

void OperandCheck::check_value() {
  switch (operand_.kind) {
    case Kind::Register:
      return check_register();
    case Kind::Predicate:
      return check_predicate();
    case Kind::Immediate:
      return check_number();
    case Kind::Constant:
    case Kind::IndexedConstant:
      return check_constant();
    case Kind::Address:
      return check_address();
    case Kind::Special:
      return check_below(static_cast<std::uint64_t>(SpecialRegister::kCount), "special register");
    case Kind::ConvergenceBarrier:
      return check_below(kMaxConvergenceBarrier + 1U, "convergence barrier");
    case Kind::Scoreboard:
      if (instruction_.control.is_given) return check_below(kDependenceBarriers, "scoreboard");
      return check_below(1, "scoreboard that groups of copies count on,");
    case Kind::Uniform:
      if (instruction_.opcode == Opcode::SyncsExch && is_written_register(role_) && operand_.index != kUniformZero)
        return add(Part::Value, "what SYNCS.EXCH.64 would return goes to URZ alone, not to {}",
                   to_text({RegisterFile::Uniform, operand_.index}));
      return check_uniform(Part::Value, operand_.index, operand_width(instruction_, role_));
    case Kind::Descriptors:
      if (operand_.index == kUniformZero)
        add(Part::Value, "expected a uniform register UR0 to UR62, found {}", "URZ");
      if ((operand_.value & ~(kTransposedA | kTransposedB | kNegatedA | kNegatedB)) != 0)
        add(Part::Value, "there are two matrices to transpose or negate");
      return check_uniform(Part::Value, operand_.index, operand_width(instruction_, role_));
    case Kind::TextureShape:
      return check_below(kTextureShapes.size(), "shape of a texture");
    case Kind::Target:  // function_problems() knows how many instructions there are
    case Kind::GroupScoreboard:
      return;
  }
}

/// Numbers that are sources have any value of their size.
void OperandCheck::check_number() {
  const auto limit = number_limit(row_, role_);
  if (limit && operand_.value > *limit)
    add(Part::Value, fmt::format("expected a number from 0 to {}, found {{}}", *limit), shown_number());
  const bool is_word = takes_numbers(role_) && operand_width(instruction_, role_) == 1;
  if (is_word && operand_.value >> 32 != 0) add(Part::Value, "{} does not fit 32 bits", shown_number());
}

void OperandCheck::check_predicate() {
  const RegisterIndex index = operand_.index;
  const bool is_written = is_written_predicate(role_);
  if (is_written && operand_.negated)
    return add(Part::Operand, "a predicate that is written cannot be negated");
  if (!is_virtual(index) && index > kUniformPredicateTrue)
    return add(Part::Value, fmt::format("there is no predicate number {}", index));
  const PredicateFile file = predicate_file(role_);
  const std::string_view expected = file == PredicateFile::Warp ? "a uniform predicate" : "a predicate";
  if (file != PredicateFile::Either && is_uniform_predicate(index) != (file == PredicateFile::Warp)) {
    const RegisterFile of =
        is_uniform_predicate(index) ? RegisterFile::UniformPredicate : RegisterFile::Predicate;
    const bool is_true = is_true_predicate(index);
    return add(Part::Value, fmt::format("expected {}, found {{}}", expected),
               is_true ? (is_uniform_predicate(index) ? "UPT" : "PT") : to_text({of, index}));
  }
  if (is_written && writes_true_only(instruction_.opcode) && !is_true_predicate(index))
    add(Part::Operand,
        fmt::format("the predicate of {} is {}", row_.mnemonic, file == PredicateFile::Warp ? "UPT" : "PT"));
}

void OperandCheck::check_register() {
  const unsigned width = operand_width(instruction_, role_);
  const bool are_sums = role_ == OperandRole::DstSums || role_ == OperandRole::SrcSums;
  const unsigned alignment = are_sums ? kSumsAlignment : std::min(std::bit_ceil(width), kMostAlignment);
  check_general(operand_.index, width, alignment, "");
  const auto distance = static_cast<std::int64_t>(operand_.value);
  const std::int64_t most = role_ == OperandRole::JumpReg ? std::numeric_limits<std::int32_t>::max() : 0;
  if (distance < -most || distance > most)
    add(Part::Value, fmt::format("no register is {} bytes away", distance));
}

void OperandCheck::check_general(RegisterIndex first, unsigned width, unsigned alignment,
                                 std::string_view suffix) {
  if (first != kRegisterZero)
    check_run(Part::Value, {RegisterFile::General, first}, width, alignment, suffix);
}

void OperandCheck::check_uniform(Part part, RegisterIndex first, unsigned width) {
  if (first == kUniformZero) return;
  if (!is_virtual(first) && first > kUniformZero)
    return add(
        part,
        fmt::format("{{}} is no uniform register; uniform registers are UR0 to UR{} and URZ", kMaxUniform),
        to_text({RegisterFile::Uniform, first}));
  const unsigned alignment = role_ == OperandRole::UniformTile ? 1 : width;
  check_run(part, {RegisterFile::Uniform, first}, width, alignment, "");
}

/// Several registers begin at a multiple of their number, and none is past the last. Where virtual ones will
/// lie is not known yet.
void OperandCheck::check_run(Part part, RegisterName first, unsigned width, unsigned alignment,
                             std::string_view suffix) {
  if (width <= 1 || is_virtual(first.index)) return;
  const bool is_uniform = first.file == RegisterFile::Uniform;
  const std::string_view what = is_uniform ? "uniform registers" : "registers";
  const std::string found = to_text(first) + std::string(suffix);
  if (first.index % alignment != 0) {
    add(part,
        fmt::format("{{}} cannot begin {} {}; their first number must be a multiple of {}", width, what,
                    alignment),
        found);
  }
  const RegisterIndex last = is_uniform ? kMaxUniform : kMaxRegister;
  if (first.index + width - 1 > last) {
    add(part,
        fmt::format("{{}} cannot begin {} {}; the last one is {}", width, what, to_text({first.file, last})),
        found);
  }
}

void OperandCheck::check_address() {
  const bool is_global = role_ == OperandRole::GlobalAddress;
  const unsigned width = is_global ? 2 : 1;
  const unsigned base_width = operand_.is_narrow ? 1 : width;
  check_general(operand_.index, base_width, base_width, base_width == 2 ? ".64" : "");
  check_uniform(Part::Uniform, operand_.uniform, width);
  const bool is_scaled = operand_.scale != 1;
  const bool is_scale = operand_.scale == 4 || operand_.scale == 8 || operand_.scale == 16;
  if (is_scaled && (!is_scale || role_ != OperandRole::SharedAddress))
    add(Part::Value, fmt::format("an address of {} cannot count {} bytes", row_.mnemonic, operand_.scale));
  if (operand_.is_narrow && !is_global)
    add(Part::Value, fmt::format("addresses of {} have 32 bits anyway", row_.mnemonic));
  const auto offset = static_cast<std::int64_t>(operand_.value);
  if (offset < std::numeric_limits<std::int32_t>::min() || offset > std::numeric_limits<std::int32_t>::max())
    add(Part::Operand, fmt::format("the offset {} does not fit 32 bits with a sign", offset));
}

/// Dumps by nvdisasm -c have no sections of data.
constexpr std::string_view kNoTables =
    "constant bank 0x2 has the compiler's tables, which this file does not: nvdisasm without -c prints them";

void OperandCheck::check_constant() {
  const unsigned bytes = constant_bytes(instruction_, role_);
  if (!is_constant_bank(operand_.bank))
    return add(Part::Value, fmt::format("there is no constant bank {:#x}", operand_.bank));
  if (operand_.bank == kTableBank && kernel_.table_data.empty()) return add(Part::Value, std::string(kNoTables));
  if (operand_.value > kConstantBankBytes - bytes) {
    return add(
        Part::Value,
        fmt::format("{{}} is past the end of the constant bank, which has {:#x} bytes", kConstantBankBytes),
        shown_offset());
  }
  const bool is_indexed = operand_.index != kRegisterZero || operand_.uniform != kUniformZero;
  if (operand_.kind == Kind::IndexedConstant && is_indexed) return check_index();
  if (operand_.value % bytes != 0) {
    return add(Part::Value,
               fmt::format("a constant of {} bytes lies at a multiple of {}, not at {{}}", bytes, bytes),
               shown_offset());
  }
  check_constant_end(bytes);
}

/// One register is added, on the uniform datapath a uniform one.
void OperandCheck::check_index() {
  const bool is_uniform = operand_.uniform != kUniformZero;
  check_uniform(Part::Uniform, operand_.uniform, 1);
  if (operand_.index == kRegisterZero) return;
  if (is_uniform) add(Part::Operand, "the address of a constant has one register only");
  if (row_.action == Action::UniformLanes)
    add(Part::Operand, "expected a uniform register, or an offset, found {}",
        to_text({RegisterFile::General, operand_.index}));
}

/// What lies before the parameters and has no name reads as 0: the driver has words there.
void OperandCheck::check_constant_end(unsigned bytes) {
  const std::uint64_t end = operand_.value + bytes;
  if (operand_.bank == kTableBank) {
    const std::size_t tables = 4 * kernel_.table_data.size();
    if (end > tables)
      add(Part::Value, fmt::format("{{}} is past the end of the tables, which have {:#x} bytes", tables),
          shown_offset());
  } else if (operand_.bank == kDataBank) {
    const std::size_t data = 4 * kernel_.constant_data.size();
    if (end > data)
      add(Part::Value,
          fmt::format("{{}} is past the end of the constants declared so far, which have {:#x} bytes", data),
          shown_offset());
  } else if (operand_.value >= kernel_.param_base && !kernel_.has_open_params) {
    check_params(bytes);
  }
}

void OperandCheck::check_params(unsigned bytes) {
  const std::uint64_t end = params_end(kernel_);
  if (operand_.value + bytes <= end) return;
  add(Part::Value,
      fmt::format("{{}} is past the end of the parameters declared so far, which lie from {:#x} to {:#x}{}",
                  kernel_.param_base, end, advice()),
      shown_offset());
}

/// To whom it may be that copied code for another compute capability.
std::string OperandCheck::advice() const {
  const auto* layout = std::find_if(std::rbegin(kLaunchBankLayouts), std::rend(kLaunchBankLayouts),
                                    [this](const auto& each) { return each.params <= operand_.value; })
                           .base() -
                       1;
  if (layout->params <= kernel_.param_base) return {};
  return fmt::format("; those of code for compute capability {} do after .param_base {:#x}",
                     layout->params == kParamOffset90 ? "9.0" : "10.0 and later", layout->params);
}

void OperandCheck::check_signs() {
  const bool is_truth = operand_.kind == Kind::Predicate;
  // Numbers have their sign in their value.
  const bool is_number = operand_.kind == Kind::Immediate || operand_.kind == Kind::Target;
  const bool has_sign = !is_number && allows_negation(row_, role_) && may_be_negated(row_, place_);
  const bool may_be_negative = is_truth || has_sign;
  if (operand_.negated && !may_be_negative) {
    const bool inverts = row_.number_type == NumberType::Inverse;
    add(Part::Operand,
        fmt::format("{} takes no {} operands", row_.mnemonic, inverts ? "inverted" : "negated"));
  }
  if (operand_.absolute && (is_number || !allows_absolute(row_, role_)))
    add(Part::Operand, fmt::format("{} takes no absolute values |...|", row_.mnemonic));
}

void OperandCheck::check_part() {
  const bool is_number = operand_.kind == Kind::Immediate || operand_.kind == Kind::Target;
  if (operand_.part != RegisterPart::All && (is_number || !allows_part(instruction_, role_, operand_.part)))
    add(Part::Value, fmt::format("{} takes no part of a register here", row_.mnemonic));
  if (operand_.reuse && (operand_.kind != Kind::Register || is_written_register(role_)))
    add(Part::Value, "only a register that is read can be kept by .reuse");
}

}  // namespace

std::optional<Problem> operand_problem(const Kernel& kernel, const Instruction& instruction, unsigned place) {
  return OperandCheck(kernel, instruction, place).run();
}

}  // namespace heddle::ir
