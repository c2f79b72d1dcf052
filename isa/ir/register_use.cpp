#include "isa/ir/register_use.h"

#include <algorithm>

namespace heddle::ir {

namespace {

void add_registers(SlotList& list, std::uint8_t first, unsigned width) {
  if (first == kRegisterZero) return;
  for (unsigned i = 0; i < width; ++i) list.add(static_cast<RegisterSlot>(kFirstRegister + first + i));
}

void add_uniforms(SlotList& list, std::uint8_t first, unsigned width) {
  for (unsigned i = first; i < first + width && i <= kMaxUniform; ++i)
    list.add(static_cast<RegisterSlot>(kFirstUniform + i));
}

void add_predicate(SlotList& list, std::uint8_t predicate, RegisterSlot base) {
  if (is_true_predicate(predicate)) return;
  if (is_uniform_predicate(predicate)) base = kUniformPredicateSlots - kFirstUniformPredicate;
  list.add(static_cast<RegisterSlot>(base + predicate));
}

/// A result has the place of a guard, too, if these are two.
void add_written_predicate(SlotList& list, std::uint8_t predicate) {
  add_predicate(list, predicate, kPredicateSlots);
  if (!is_uniform_predicate(predicate)) add_predicate(list, predicate, kGuardSlots);
}

/// C, if it is not left out, is where D is.
void add_sums(RegisterUse& use, const Instruction& instruction, unsigned place, bool are_written) {
  const Operand& operand = instruction.operands[place];
  if (operand.index == kRegisterZero) return;
  if (!are_written) {
    use.reads_sums = true;
    return;
  }
  use.sums = {static_cast<RegisterSlot>(kFirstRegister + operand.index),
              static_cast<std::uint16_t>(product_columns(instruction) / 2)};
}

/// The predicates, from `first` on, that the mask, the last operand, has.
void add_masked(RegisterUse& use, const Instruction& instruction, std::uint8_t first, bool are_written) {
  const std::uint64_t mask = instruction.operands[info(instruction.opcode).operand_count - 1].value;
  for (std::uint8_t i = 0; i < kPredicateTrue; ++i) {
    if ((mask >> i & 1) == 0) continue;
    const auto predicate = static_cast<std::uint8_t>(first + i);
    if (are_written) {
      add_written_predicate(use.writes, predicate);
    } else {
      add_predicate(use.reads, predicate, kPredicateSlots);
    }
  }
}

}  // namespace

bool keeps_registers(const Instruction& instruction) {
  const auto end = instruction.operands.begin() + info(instruction.opcode).operand_count;
  return std::any_of(instruction.operands.begin(), end, [](const Operand& operand) { return operand.reuse; });
}

unsigned data_bytes(const Instruction& instruction) {
  switch (instruction.modifiers.get(ModifierGroup::Width)) {
    case Modifier::WidthU8:
    case Modifier::WidthS8:
      return 1;
    case Modifier::WidthU16:
    case Modifier::WidthS16:
      return 2;
    case Modifier::WidthB64:
      return 8;
    case Modifier::WidthB128:
      return 16;
    default:
      break;
  }
  switch (instruction.modifiers.get(ModifierGroup::MatrixCount)) {
    case Modifier::MatrixCountTwo:
      return 8;
    case Modifier::MatrixCountFour:
      return 16;
    default:
      return instruction.modifiers.get(ModifierGroup::AtomicType) >= Modifier::AtomicTypeU64 ? 8 : 4;
  }
}

unsigned product_columns(const Instruction& instruction) {
  const Modifier shape = instruction.modifiers.get(ModifierGroup::ProductShape);
  return 8U * (static_cast<unsigned>(shape) - static_cast<unsigned>(Modifier::ProductShapeNone));
}

bool has_matrix_in_registers(const Instruction& instruction) {
  const OpcodeInfo& row = info(instruction.opcode);
  for (unsigned i = 0; i < row.operand_count; ++i) {
    if (row.operands[i] == OperandRole::OptMatrixA)
      return instruction.operands[i].kind == Operand::Kind::Register;
  }
  return false;
}

namespace {

/// Comparisons name the type of what they compare: ISETP.GE.S64.AND.
bool compares_pairs(const Instruction& instruction) {
  return instruction.modifiers.get(ModifierGroup::IntType) >= Modifier::IntTypeS64;
}

}  // namespace

unsigned operand_width(const Instruction& instruction, OperandRole role) {
  switch (info(role).count) {
    case RegisterCount::One:
      return is_read_register(role) && compares_pairs(instruction) ? 2 : 1;
    case RegisterCount::Two:
      return 2;
    case RegisterCount::Four:
      return 4;
    case RegisterCount::Data:
      return (data_bytes(instruction) + 3) / 4;
    case RegisterCount::Sums:
      return product_columns(instruction) / 2;
    case RegisterCount::Descriptors:
      return has_matrix_in_registers(instruction) ? 2 : 4;
  }
  return 1;
}

unsigned constant_bytes(const Instruction& instruction, OperandRole role) {
  return role == OperandRole::ConstData ? data_bytes(instruction) : 4 * operand_width(instruction, role);
}

SlotList address_use(const Instruction& instruction, std::size_t place) {
  const Operand& address = instruction.operands[place];
  const unsigned width = operand_width(instruction, info(instruction.opcode).operands[place]);
  SlotList list;
  add_registers(list, address.index, address.is_narrow ? 1 : width);
  add_uniforms(list, address.uniform, width);
  return list;
}

RegisterUse register_use(const Instruction& instruction) {
  RegisterUse use;
  const OpcodeInfo& row = info(instruction.opcode);
  add_predicate(use.reads, instruction.guard.predicate, kGuardSlots);
  for (unsigned i = 0; i < row.operand_count; ++i) {
    const Operand& operand = instruction.operands[i];
    const OperandRole role = row.operands[i];
    SlotList& list = is_written_register(role) || is_written_predicate(role) ? use.writes : use.reads;
    if (role == OperandRole::DstSums || role == OperandRole::SrcSums) {
      add_sums(use, instruction, i, role == OperandRole::DstSums);
      continue;
    }
    if (role == OperandRole::OptAdds && operand.negated) use.reads_sums = false;
    switch (operand.kind) {
      case Operand::Kind::Uniform:
      case Operand::Kind::Descriptors:
        add_uniforms(list, operand.index, operand_width(instruction, role));
        break;
      case Operand::Kind::Address:
        for (const RegisterSlot slot : address_use(instruction, i)) list.add(slot);
        break;
      case Operand::Kind::Register:
        add_registers(list, operand.index, operand_width(instruction, role));
        break;
      case Operand::Kind::IndexedConstant:
        add_registers(list, operand.index, 1);
        add_uniforms(list, operand.uniform, 1);
        break;
      case Operand::Kind::Predicate:
        if (role == OperandRole::AllPreds || role == OperandRole::AllUniformPreds) {
          add_masked(use, instruction, role == OperandRole::AllPreds ? 0 : kFirstUniformPredicate, i == 0);
        } else if (is_written_predicate(role)) {
          add_written_predicate(use.writes, operand.index);
        } else {
          add_predicate(use.reads, operand.index, kPredicateSlots);
        }
        break;
      default:
        break;
    }
  }
  return use;
}

namespace {

/// Whether each byte of a or c that the selector names is one of the result's register and stays in its place.
bool keeps_bytes_in_place(const Instruction& instruction) {
  const Operand& result = instruction.operands[0];
  const Operand& selector = instruction.operands[2];
  const bool is_known = instruction.modifiers.has(Modifier::PermuteModeAny) && selector.kind == Operand::Kind::Immediate;
  if (!is_known || result.kind != Operand::Kind::Register) return false;
  for (unsigned byte = 0; byte < 4; ++byte) {
    const unsigned named = selector.value >> (4 * byte) & 15;
    const Operand& source = instruction.operands[(named & 4) == 0 ? 1 : 3];
    const bool is_own = source.kind == Operand::Kind::Register && source.index == result.index;
    if (is_own && (named & 11) != byte) return false;
  }
  return true;
}

bool stores_on_stack(const Instruction& instruction) {
  constexpr std::uint8_t kStackPointer = 1;  // R1, of all code that NVIDIA's compilers make
  const Operand& address = instruction.operands[0];
  return instruction.opcode == Opcode::Stl && address.index == kStackPointer && address.uniform == kUniformZero;
}

/// How many registers from `first` on are read though they need not have been written.
SlotRange unneeded(const Instruction& instruction) {
  const auto from = [](const Operand& operand, unsigned count) {
    return SlotRange{static_cast<RegisterSlot>(kFirstRegister + operand.index), static_cast<std::uint16_t>(count)};
  };
  if (instruction.opcode == Opcode::Prmt && keeps_bytes_in_place(instruction)) return from(instruction.operands[0], 1);
  const Operand& data = instruction.operands[1];
  if (stores_on_stack(instruction) && data.index != 1)
    return from(data, operand_width(instruction, OperandRole::SrcData));
  return {};
}

}  // namespace

RegisterUse needed_use(const Instruction& instruction) {
  RegisterUse use = register_use(instruction);
  const SlotRange without = unneeded(instruction);
  if (without.count == 0) return use;
  SlotList needed;
  for (const RegisterSlot slot : use.reads) {
    if (slot < without.first || slot >= without.first + without.count) needed.add(slot);
  }
  use.reads = needed;
  return use;
}

}  // namespace heddle::ir
