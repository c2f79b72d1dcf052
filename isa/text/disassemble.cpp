#include "isa/text/disassemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "isa/base/narrow_float.h"
#include "isa/ir/modifier_rules.h"
#include "isa/ir/operand_rules.h"
#include "isa/ir/special_register.h"
#include "isa/ir/texture_operands.h"
#include "isa/text/names.h"

namespace heddle::text {

namespace {

using ir::Operand;
using ir::OperandRole;

constexpr std::uint32_t kSignBit = 0x80000000;

// -- labels ---------------------------------------------------------------------------------------

bool has_label(const ir::Kernel& kernel, std::string_view name) {
  return std::any_of(kernel.labels.begin(), kernel.labels.end(),
                     [name](const ir::Label& label) { return label.name == name; });
}

const ir::Label* first_label_at(const ir::Kernel& kernel, Pc pc) {
  const auto found = std::lower_bound(kernel.labels.begin(), kernel.labels.end(), pc,
                                      [](const ir::Label& label, Pc wanted) { return label.pc < wanted; });
  return found != kernel.labels.end() && found->pc == pc ? &*found : nullptr;
}

std::string label_text(const ir::Kernel& kernel, Pc pc) {
  if (const ir::Label* label = first_label_at(kernel, pc)) return label->name;
  std::string generated = fmt::format(".L_{}", pc);
  while (has_label(kernel, generated)) generated += '_';
  return generated;
}

// -- numbers and constants ------------------------------------------------------------------------

std::string float_text(std::uint32_t bits) {
  const char sign = (bits & kSignBit) != 0 ? '-' : '+';
  if ((bits & ~kSignBit) == kInfinityBits) return fmt::format("{}{}", sign, kInfinityName);
  if ((bits & ~kSignBit) == kQuietNanBits) return fmt::format("{}{}", sign, kQuietNanName);
  if ((bits & ~kSignBit) > kInfinityBits) return fmt::format("{:#x}", bits);
  return fmt::format("{}", std::bit_cast<float>(bits));
}

std::string double_text(std::uint64_t bits) {
  const char sign = bits >> 63 != 0 ? '-' : '+';
  const std::uint64_t magnitude = bits << 1 >> 1;
  if (magnitude == kDoubleInfinityBits) return fmt::format("{}{}", sign, kInfinityName);
  if (magnitude == kDoubleNanBits) return fmt::format("{}{}", sign, kQuietNanName);
  if (magnitude > kDoubleInfinityBits) return fmt::format("{:#x}", bits);
  return fmt::format("{}", std::bit_cast<double>(bits));
}

/// The high half first; in bits if one of them is no number.
template <typename Format>
std::string two_halves_text(std::uint32_t bits) {
  const double high = Format::value(bits >> 16);
  const double low = Format::value(bits);
  if (!std::isfinite(high) || !std::isfinite(low)) return fmt::format("{:#x}", bits);
  return fmt::format("{}, {}", static_cast<float>(high), static_cast<float>(low));
}

std::string number_text(std::uint64_t value, const ir::OpcodeInfo& row, OperandRole role, unsigned words) {
  const auto bits = static_cast<std::uint32_t>(value);
  if (ir::number_limit(row, role)) return fmt::format("{:#x}", bits);
  if (row.number_type == ir::NumberType::Float) return float_text(bits);
  if (row.number_type == ir::NumberType::Double) return double_text(value);
  if (row.number_type == ir::NumberType::Half2) return two_halves_text<Half>(bits);
  if (row.number_type == ir::NumberType::Bfloat2) return two_halves_text<Bfloat>(bits);
  if (words == 2) {
    const bool is_negative = ir::allows_negation(row, role) && value >> 63 != 0;
    return is_negative ? fmt::format("-{:#x}", 0 - value) : fmt::format("{:#x}", value);
  }
  const bool is_signed = ir::allows_negation(row, role) && (bits & kSignBit) != 0;
  return is_signed ? fmt::format("-{:#x}", 0 - bits) : fmt::format("{:#x}", bits);
}

/// By name where a name of just that size begins there.
std::string constant_text(const ir::Kernel& kernel, std::uint64_t offset, unsigned bytes) {
  for (const ir::NamedConstant& constant : ir::kLaunchConstants) {
    if (bytes == 4 && constant.offset(kernel) == offset) return fmt::format("c[{}]", constant.name);
  }
  const auto param =
      std::lower_bound(kernel.params.begin(), kernel.params.end(), offset,
                       [](const ir::Param& each, std::uint64_t wanted) { return each.offset < wanted; });
  const bool is_named =
      param != kernel.params.end() && param->offset == offset && size_of(param->type) == bytes;
  return is_named ? fmt::format("c[{}]", param->name) : fmt::format("c[0x0][{:#x}]", offset);
}

// -- operands -------------------------------------------------------------------------------------

std::string address_text(const Operand& address, OperandRole role) {
  const auto offset = static_cast<std::int64_t>(address.value);
  const std::string_view pair = role == OperandRole::GlobalAddress ? kPairSuffix : "";
  const std::string_view suffix = address.is_narrow ? kNarrowSuffix : pair;
  std::string base = fmt::format("{}{}{}", register_name(address.index), suffix, scale_suffix(address.scale));
  if (address.uniform != ir::kUniformZero || address.is_narrow) {
    const std::string uniform = uniform_name(address.uniform);
    const bool stands_alone = address.index == ir::kRegisterZero && address.scale == 1 && !address.is_narrow;
    base = stands_alone ? uniform + std::string(pair) : fmt::format("{}+{}", base, uniform);
  }
  if (offset == 0) return fmt::format("[{}]", base);
  return fmt::format("[{}{}{:#x}]", base, offset < 0 ? '-' : '+',
                     offset < 0 ? 0 - address.value : address.value);
}

/// A constant that has no name: bank, register and offset.
std::string place_text(const Operand& constant) {
  const std::string offset = fmt::format("{:#x}", constant.value);
  const bool is_uniform = constant.uniform != ir::kUniformZero;
  const bool is_indexed = is_uniform || constant.index != ir::kRegisterZero;
  if (constant.kind == Operand::Kind::Constant || !is_indexed)
    return fmt::format("c[{:#x}][{}]", constant.bank, offset);
  const std::string index = is_uniform ? uniform_name(constant.uniform) : register_name(constant.index);
  return fmt::format("c[{:#x}][{}]", constant.bank, constant.value == 0 ? index : index + "+" + offset);
}

/// What stands behind a register without a comma.
std::string distance_text(const Operand& operand, OperandRole role) {
  if (role == OperandRole::OptReturnReg) return " 0x0";
  if (role != OperandRole::JumpReg || operand.value == 0) return "";
  const bool is_negative = operand.value >> 63 != 0;
  return fmt::format(" {}{:#x}", is_negative ? "-" : "", is_negative ? 0 - operand.value : operand.value);
}

std::string unsigned_text(const ir::Kernel& kernel, const ir::Instruction& instruction, unsigned place) {
  const ir::OpcodeInfo& row = ir::info(instruction.opcode);
  const Operand& operand = instruction.operands[place];
  const OperandRole role = row.operands[place];
  switch (operand.kind) {
    case Operand::Kind::Register:
      if (role == OperandRole::SurfacePlace) return fmt::format("[{}]", register_name(operand.index));
      return register_name(operand.index);
    case Operand::Kind::Predicate:
      if (role == OperandRole::AllPreds) return std::string(kAllPredicatesName);
      if (role == OperandRole::AllUniformPreds) return std::string(kAllUniformPredicatesName);
      return predicate_name(operand.index);
    case Operand::Kind::Immediate:
      return number_text(operand.value, row, role, ir::operand_width(instruction, role));
    case Operand::Kind::IndexedConstant:
      return place_text(operand);
    case Operand::Kind::Constant:
      if (operand.bank != ir::kLaunchBank) return place_text(operand);
      return constant_text(kernel, operand.value, ir::constant_bytes(instruction, role));
    case Operand::Kind::Address:
      return address_text(operand, role);
    case Operand::Kind::Target:
      return label_text(kernel, static_cast<Pc>(operand.value));
    case Operand::Kind::ConvergenceBarrier:
      return convergence_barrier_name(operand.index);
    case Operand::Kind::Scoreboard:
      return fmt::format("SB{}", operand.index);
    case Operand::Kind::Uniform:
      if (role == OperandRole::OptHint) return fmt::format("{}[{}]", kHintName, uniform_name(operand.index));
      if (role == OperandRole::UniformPlace || role == OperandRole::UniformPairPlace ||
          role == OperandRole::UniformTile)
        return fmt::format("[{}]", uniform_name(operand.index));
      return uniform_name(operand.index);
    case Operand::Kind::Descriptors:
      return fmt::format("{}[{}]{}", kDescriptorsName, uniform_name(operand.index),
                         descriptor_signs(operand.value));
    case Operand::Kind::GroupScoreboard:
      return std::string(kGroupScoreboardName);
    case Operand::Kind::TextureShape:
      return std::string(ir::info(static_cast<ir::TextureShape>(operand.index)).name);
    case Operand::Kind::Special:
      return std::string(ir::kSpecialRegisterNames[operand.index]);
  }
  return {};
}

std::string operand_text(const ir::Kernel& kernel, const ir::Instruction& instruction, unsigned place) {
  const Operand& operand = instruction.operands[place];
  std::string text = unsigned_text(kernel, instruction, place);
  const std::string_view reuse = operand.reuse ? kReuse : std::string_view();
  if (operand.absolute) text = fmt::format("|{}{}|", text, reuse);
  text += register_part_text(operand.part);
  if (!operand.absolute) text += reuse;
  if (operand.kind == Operand::Kind::Register)
    text += distance_text(operand, ir::info(instruction.opcode).operands[place]);
  if (!operand.negated) return text;
  const bool is_predicate = operand.kind == Operand::Kind::Predicate;
  return fmt::format("{}{}", is_predicate ? '!' : negation_sign(ir::info(instruction.opcode)), text);
}

/// Optional operands of one kind are written up to the last one that says something.
bool is_left_out(const ir::Instruction& instruction, unsigned place) {
  const ir::OpcodeInfo& row = ir::info(instruction.opcode);
  const OperandRole role = row.operands[place];
  if (!ir::is_optional(role)) return false;
  for (; place < row.operand_count && row.operands[place] == role; ++place) {
    if (instruction.operands[place] != ir::omitted_operand(row, place)) return false;
  }
  return true;
}

std::string operands_text(const ir::Kernel& kernel, const ir::Instruction& instruction) {
  std::string text;
  for (unsigned i = 0; i < ir::info(instruction.opcode).operand_count; ++i) {
    if (is_left_out(instruction, i)) continue;
    text += text.empty() ? " " : ", ";
    text += operand_text(kernel, instruction, i);
  }
  return text;
}

std::string guard_text(ir::Guard guard) {
  if (guard.always()) return {};
  return fmt::format("@{}{} ", guard.negated ? "!" : "", predicate_name(guard.predicate));
}

// -- directives -----------------------------------------------------------------------------------

/// The alignment that puts a symbol where it is: the default one if that does, else the greatest.
std::uint64_t alignment_of(std::uint64_t end_before, std::uint64_t offset) {
  if (round_up(end_before, kDefaultSharedAlignment) == offset) return kDefaultSharedAlignment;
  return std::min<std::uint64_t>(std::uint64_t{1} << std::countr_zero(offset), kMostSharedAlignment);
}

std::string shared_symbols_text(const ir::Kernel& kernel) {
  std::string text;
  std::uint64_t end = 0;
  for (const ir::SharedSymbol& symbol : kernel.shared_symbols) {
    const std::uint64_t alignment = alignment_of(end, symbol.offset);
    text += fmt::format(".shared {} {}", symbol.name, symbol.bytes);
    if (alignment != kDefaultSharedAlignment) text += fmt::format(" align {}", alignment);
    text += '\n';
    end = symbol.offset + std::uint64_t{symbol.bytes};
  }
  return text;
}

std::string element_text(std::uint32_t bits, ir::ParamType type) {
  if (type == ir::ParamType::U32) return fmt::format("{}", bits);
  if (type == ir::ParamType::S32) return fmt::format("{}", static_cast<std::int32_t>(bits));
  return float_text(bits);
}

std::string constant_symbols_text(const ir::Kernel& kernel) {
  std::string text;
  for (const ir::ConstantSymbol& symbol : kernel.constant_symbols) {
    text += fmt::format(".const {} {}", symbol.name, param_type_name(symbol.type));
    for (std::uint32_t i = 0; i < symbol.count; ++i) {
      const std::uint32_t bits = kernel.constant_data[symbol.offset / 4 + i];
      text += fmt::format("{} {}", i == 0 ? "" : ",", element_text(bits, symbol.type));
    }
    text += '\n';
  }
  return text;
}

/// The compiler's tables, as nvdisasm prints the section of them, and the section of the code.
std::string table_text(const ir::Kernel& kernel) {
  std::string text =
      fmt::format(".target sm_{}\n.section .nv.constant2.{}\n", kernel.compute_capability, kernel.name);
  for (const std::uint32_t word : kernel.table_data) text += fmt::format(".word {:#x}\n", word);
  return text + fmt::format(".section .text.{}\n", kernel.name);
}

/// Below a line of a disassembly's frame, parameters are what the launch says.
std::string first_lines(const ir::Kernel& kernel) {
  if (!kernel.table_data.empty()) return table_text(kernel);
  if (!kernel.has_open_params) return fmt::format(".kernel {}\n", kernel.name);
  if (kernel.compute_capability == 0) return fmt::format("Function : {}\n", kernel.name);
  return fmt::format(".kernel {}\n.target sm_{}\n", kernel.name, kernel.compute_capability);
}

std::string head_text(const ir::Kernel& kernel) {
  std::string text = first_lines(kernel);
  if (!kernel.has_open_params && kernel.table_data.empty() && kernel.param_base != ir::kParamOffset)
    text += fmt::format(".param_base {:#x}\n", kernel.param_base);
  for (const ir::Param& param : kernel.params) {
    text += fmt::format(".param {} {}\n", param.name, param_type_name(param.type));
  }
  text += shared_symbols_text(kernel);
  text += constant_symbols_text(kernel);
  if (kernel.local_bytes != 0) text += fmt::format(".local {}\n", kernel.local_bytes);
  unsigned needed = 1;
  for (const ir::Instruction& instruction : kernel.instructions) {
    needed = std::max(needed, registers_needed(instruction));
  }
  const bool keeps_any =
      std::any_of(kernel.instructions.begin(), kernel.instructions.end(), ir::keeps_registers);
  if (kernel.banked && !keeps_any && !has_control_codes(kernel)) text += ".banked\n";
  if (kernel.registers > needed) text += fmt::format(".registers {}\n", kernel.registers);
  return text;
}

/// Each place that is jumped to or has a label, with the names to write there.
std::map<Pc, std::vector<std::string>> labels_by_place(const ir::Kernel& kernel) {
  std::map<Pc, std::vector<std::string>> places;
  for (const ir::Label& label : kernel.labels) places[label.pc].push_back(label.name);
  for (const ir::Instruction& instruction : kernel.instructions) {
    const ir::OpcodeInfo& row = ir::info(instruction.opcode);
    for (unsigned i = 0; i < row.operand_count; ++i) {
      if (instruction.operands[i].kind != Operand::Kind::Target) continue;
      const auto pc = static_cast<Pc>(instruction.operands[i].value);
      if (places[pc].empty()) places[pc].push_back(label_text(kernel, pc));
    }
  }
  return places;
}

}  // namespace

std::string disassemble(const ir::Kernel& kernel, Pc pc) {
  const ir::Instruction& instruction = kernel.instructions[pc];
  return guard_text(instruction.guard) + ir::opcode_text(instruction) + operands_text(kernel, instruction);
}

std::string disassemble(const ir::Kernel& kernel) {
  std::string text = head_text(kernel);
  const auto labels = labels_by_place(kernel);
  auto next_labels = labels.begin();
  for (Pc pc = 0; pc < kernel.instructions.size(); ++pc) {
    if (next_labels != labels.end() && next_labels->first == pc) {
      for (const std::string& name : next_labels->second) text += fmt::format("{}:\n", name);
      ++next_labels;
    }
    const ir::ControlCode& control = kernel.instructions[pc].control;
    const std::string code = control.is_given ? fmt::format("[{}] ", to_text(control)) : "";
    text += fmt::format("    {}{}\n", code, disassemble(kernel, pc));
  }
  return text;
}

}  // namespace heddle::text
