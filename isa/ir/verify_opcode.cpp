// Which modifiers an opcode takes, which go together, and the guard.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "isa/ir/executable.h"
#include "isa/ir/modifier_rules.h"
#include "isa/ir/operand_rules.h"
#include "isa/ir/registers.h"
#include "isa/ir/texture_operands.h"
#include "isa/ir/verify.h"

namespace heddle::ir {

namespace {

Problem at_opcode(std::string message, const Instruction& instruction) {
  return {0, Part::Opcode, 0, std::move(message), opcode_text(instruction)};
}

/// A modifier that the row does not take, or one that it needs.
std::optional<Problem> modifier_problem(const Instruction& instruction) {
  static constexpr Modifiers kDefaults;
  const OpcodeInfo& row = info(instruction.opcode);
  for (std::size_t g = 0; g < kModifierGroups; ++g) {
    const auto group = static_cast<ModifierGroup>(g);
    const Modifier modifier = instruction.modifiers.get(group);
    const bool is_default = modifier == kDefaults.get(group);
    if (!is_default && !accepts(row, modifier))
      return at_opcode(fmt::format("'.{}' is no modifier of {}", info(modifier).token, row.mnemonic),
                       instruction);
  }
  for (unsigned i = 0; i < row.modifier_count; ++i) {
    const bool is_written = !info(instruction.modifiers.get(row.modifiers[i])).token.empty();
    if (row.modifier_required[i] && !is_written)
      return at_opcode(fmt::format("{} needs one of {}", row.mnemonic,
                                   fmt::join(modifier_texts(row, row.modifiers[i]), " ")),
                       instruction);
  }
  return std::nullopt;
}

std::optional<Problem> atomic_problem(const Instruction& instruction) {
  const Modifiers& modifiers = instruction.modifiers;
  if (info(instruction.opcode).action != Action::Atomic || is_atomic_form(modifiers)) return std::nullopt;
  const std::vector<std::string_view> types = atomic_types(modifiers.get(ModifierGroup::AtomicOperation));
  const std::string_view type = info(modifiers.get(ModifierGroup::AtomicType)).token;
  if (std::find(types.begin(), types.end(), type) != types.end())
    return at_opcode("{}: .FTZ is for .F32 only", instruction);
  return at_opcode(fmt::format("{{}} takes no .{} here; types are .{}", type, fmt::join(types, " .")),
                   instruction);
}

std::optional<Problem> copy_problem(const Instruction& instruction) {
  if (info(instruction.opcode).action != Action::Copy || is_copy_form(instruction.modifiers))
    return std::nullopt;
  return at_opcode("{}: a copy has 4, 8 or 16 bytes, past L1 only 16: .BYPASS.128", instruction);
}

/// Instructions on uniform registers have predicates of their own.
std::optional<Problem> guard_problem(const Instruction& instruction) {
  const RegisterIndex predicate = instruction.guard.predicate;
  if (!is_virtual(predicate) && predicate > kUniformPredicateTrue)
    return at_opcode(fmt::format("there is no predicate number {}", predicate), instruction);
  if (!runs_once(info(instruction.opcode)) || instruction.guard.always() || is_uniform_predicate(predicate))
    return std::nullopt;
  return at_opcode("{} takes no guard but a uniform predicate: it changes the register for all lanes",
                   instruction);
}

}  // namespace

std::optional<Problem> opcode_problem(const Instruction& instruction) {
  if (!is_executable(info(instruction.opcode)))
    return at_opcode(why_not_executable(instruction), instruction);
  for (const auto& check : {modifier_problem, atomic_problem, copy_problem, guard_problem}) {
    if (auto problem = check(instruction)) return problem;
  }
  return std::nullopt;
}

namespace {

/// Only the comparison of high words goes on with what that of the low words gave; pairs are compared at
/// once.
std::optional<Problem> high_word_problem(const Instruction& instruction) {
  const bool compares = instruction.opcode == Opcode::Isetp || instruction.opcode == Opcode::Uisetp;
  if (!compares) return std::nullopt;
  const OpcodeInfo& row = info(instruction.opcode);
  if (instruction.modifiers.has(Modifier::HighWordEx)) {
    const bool is_wide = instruction.modifiers.get(ModifierGroup::IntType) >= Modifier::IntTypeS64;
    if (!is_wide) return std::nullopt;
    return at_opcode(fmt::format("{}.EX compares words of 32 bits", row.mnemonic), instruction);
  }
  if (instruction.operands[row.operand_count - 1U] == omitted_operand(row, row.operand_count - 1U))
    return std::nullopt;
  return at_opcode(fmt::format("only {}.EX takes a sixth operand", row.mnemonic), instruction);
}

/// What the last predicate of IMNMX.S64 and the last source of VABSDIFF4 do is not known, but that compilers
/// write !PT and RZ.
std::optional<Problem> last_operand_problem(const Instruction& instruction) {
  const OpcodeInfo& row = info(instruction.opcode);
  const Operand& last = instruction.operands[row.operand_count == 0 ? 0 : row.operand_count - 1U];
  if (instruction.opcode == Opcode::ImnmxS64 || instruction.opcode == Opcode::ImnmxU64) {
    if (last.index != kPredicateTrue || !last.negated)
      return at_opcode(fmt::format("the last predicate of {} is !PT", row.mnemonic), instruction);
  } else if (instruction.opcode == Opcode::Vabsdiff4) {
    if (last.kind != Operand::Kind::Register || last.index != kRegisterZero)
      return at_opcode(fmt::format("the last operand of {} is RZ", row.mnemonic), instruction);
  }
  return std::nullopt;
}

bool is_whole_product(Opcode opcode) { return opcode == Opcode::Igmma || opcode == Opcode::Bgmma; }

/// The sums that a product adds to are those that it leaves, and what is transposed lies in shared memory.
std::optional<Problem> product_problem(const Instruction& instruction) {
  if (info(instruction.opcode).action != Action::MultiplyInGroup) return std::nullopt;
  const Operand& result = instruction.operands[0];
  const Operand& descriptors = instruction.operands[2];
  const Operand& sums = instruction.operands[3];
  const auto name = [](const Operand& operand) {
    return operand.index == kRegisterZero ? std::string("RZ")
                                          : to_text({RegisterFile::General, operand.index});
  };
  if (sums.index != kRegisterZero && sums.index != result.index) {
    return at_opcode(fmt::format("a product is added to the registers that it is left in: {} or RZ, not {}",
                                 name(result), name(sums)),
                     instruction);
  }
  if (has_matrix_in_registers(instruction) && (descriptors.value & (kTransposedA | kNegatedA)) != 0)
    return at_opcode("A lies in registers: only .negB and .tnspB can stand behind its descriptor", instruction);
  const Modifier shape = instruction.modifiers.get(ModifierGroup::ProductShape);
  const bool is_tf32 = instruction.modifiers.has(Modifier::ProductTypeTf32);
  const bool has_halves = instruction.opcode == Opcode::Hgmma && !is_tf32;
  if (is_tf32 != (shape >= Modifier::ProductShapeTf32N8 && shape <= Modifier::ProductShapeTf32N256))
    return at_opcode("products of TF32, and no others, have 8 places along K", instruction);
  if (instruction.modifiers.has(Modifier::ProductSumsF16) && !instruction.modifiers.has(Modifier::ProductTypeHalf))
    return at_opcode("sums of 16 bits are those of halves or of 8-bit floats", instruction);
  if (!has_halves && (descriptors.value & (kTransposedA | kTransposedB)) != 0)
    return at_opcode("only matrices of 16-bit elements can be transposed", instruction);
  if (is_whole_product(instruction.opcode) && (descriptors.value & (kNegatedA | kNegatedB)) != 0)
    return at_opcode("matrices of whole numbers cannot be negated", instruction);
  return std::nullopt;
}

/// A handle stands either among the coordinates or behind them.
std::optional<Problem> texture_problem(const Instruction& instruction) {
  const Action action = info(instruction.opcode).action;
  if (!accesses_texture(action)) return std::nullopt;
  const OpcodeInfo& row = info(instruction.opcode);
  const auto* place = std::find(row.operands.begin(), row.operands.end(), OperandRole::OptHandle);
  const auto handle = static_cast<unsigned>(place - row.operands.begin());
  const bool is_left_out = instruction.operands[handle] == omitted_operand(row, handle);
  if (is_left_out != is_bindless(instruction))
    return at_opcode(is_left_out ? "{} needs the handle of an object" : "{} has its handle among the coordinates",
                     instruction);
  if (action != Action::FetchTexture) return std::nullopt;
  const TextureShapeInfo& shape = info(texture_shape(instruction));
  if (instruction.operands[handle].kind == Operand::Kind::Register)
    return at_opcode("the handle of {} is a uniform register or a constant", instruction);
  if (instruction.opcode == Opcode::Tld4 && texture_shape(instruction) != TextureShape::D2)
    return at_opcode(fmt::format("{{}} of a texture {} is not known", shape.name), instruction);
  const bool is_scalar = instruction.modifiers.has(Modifier::TextureScalarScalar);
  const TextureWords words = texture_words(instruction);
  if (words.first > 4 || words.more > 4 || (is_scalar && is_bindless(instruction) && words.handle > words.first))
    return at_opcode(fmt::format("which registers {{}} of a texture {} takes is not known", shape.name), instruction);
  if (words.more == 0 && instruction.operands[3] != omitted_operand(row, 3))
    return at_opcode("{} has all that it reads in one operand", instruction);
  return std::nullopt;
}

}  // namespace

std::optional<Problem> combination_problem(const Instruction& instruction) {
  for (const auto& check : {high_word_problem, last_operand_problem, product_problem, texture_problem}) {
    if (auto problem = check(instruction)) return problem;
  }
  return std::nullopt;
}

}  // namespace heddle::ir
