#include "isa/ir/register_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "isa/ir/registers.h"
#include "isa/ir/texture_operands.h"

namespace heddle::ir {

namespace {

/// Where the first register of a file has its place. A predicate has two, if it is not a uniform one.
RegisterSlot first_slot(const RegisterRun& run) {
  switch (run.file) {
    case RegisterFile::General: return kFirstRegister;
    case RegisterFile::Uniform: return kFirstUniform;
    case RegisterFile::Predicate: return run.use == RegisterRun::Use::Guard ? kGuardSlots : kPredicateSlots;
    case RegisterFile::UniformPredicate: return kUniformPredicateSlots - kFirstUniformPredicate;
  }
  return 0;
}

RegisterSlot slot_of(const RegisterRun& run) {
  if (is_virtual(run.first)) throw std::logic_error("virtual registers have no place in the scoreboard");
  return static_cast<RegisterSlot>(first_slot(run) + run.first);
}

void add(SlotList& list, const RegisterRun& run) {
  const RegisterSlot first = slot_of(run);
  for (unsigned i = 0; i < run.count; ++i) list.add(static_cast<RegisterSlot>(first + i));
}

void add(RegisterUse& use, const RegisterRun& run) {
  const bool is_written = run.use == RegisterRun::Use::Written;
  if (run.are_sums) {
    use.reads_sums = use.reads_sums || !is_written;
    if (is_written) use.sums = {slot_of(run), run.count};
    return;
  }
  add(is_written ? use.writes : use.reads, run);
  // A result has the place of a guard, too, if these are two.
  if (is_written && run.file == RegisterFile::Predicate)
    use.writes.add(static_cast<RegisterSlot>(kGuardSlots + run.first));
}

}  // namespace

bool keeps_registers(const Instruction& instruction) {
  const auto end = instruction.operands.begin() + info(instruction.opcode).operand_count;
  return std::any_of(instruction.operands.begin(), end, [](const Operand& operand) { return operand.reuse; });
}

unsigned data_bytes(const Instruction& instruction) {
  if (instruction.opcode == Opcode::AtomsArrive) return 8;
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
  constexpr unsigned kShapes = 32;
  for (const ModifierGroup group :
       {ModifierGroup::ProductShape, ModifierGroup::ByteProductShape, ModifierGroup::BitProductShape}) {
    const auto place = static_cast<unsigned>(instruction.modifiers.get(group));
    const auto none = static_cast<unsigned>(default_modifier(group));
    if (place != none) return 8U * ((place - none - 1) % kShapes + 1);
  }
  return 0;
}

unsigned product_registers(const Instruction& instruction) {
  return product_columns(instruction) / (instruction.modifiers.has(Modifier::ProductSumsF16) ? 4 : 2);
}

unsigned tensor_rank(const Instruction& instruction) {
  return static_cast<unsigned>(instruction.modifiers.get(ModifierGroup::TensorRank)) -
         static_cast<unsigned>(Modifier::TensorRankNone);
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

constexpr unsigned kTexelsTogether = 2;  // channels in one operand

/// What stands before a tile's coordinates: its address and that of an mbarrier, the first alone, or none.
unsigned tile_places(Action action) {
  if (action == Action::BulkLoad) return 2;
  return action == Action::BulkStore ? 1 : 0;
}

unsigned channels_of(const Instruction& instruction) {
  return static_cast<unsigned>(std::popcount(texture_channels(instruction)));
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
    case RegisterCount::Eight:
      return 8;
    case RegisterCount::Sixteen:
      return 16;
    case RegisterCount::Data:
      return (data_bytes(instruction) + 3) / 4;
    case RegisterCount::Sums:
      return product_registers(instruction);
    case RegisterCount::Tile:
      return tile_places(info(instruction.opcode).action) + tensor_rank(instruction);
    case RegisterCount::Descriptors:
      return has_matrix_in_registers(instruction) ? 2 : 4;
    case RegisterCount::Texels:
      return std::min(channels_of(instruction), kTexelsTogether);
    case RegisterCount::MoreTexels:
      return channels_of(instruction) - std::min(channels_of(instruction), kTexelsTogether);
    case RegisterCount::Place:
      return texture_words(instruction).first;
    case RegisterCount::MorePlace:
      return texture_words(instruction).more;
  }
  return 1;
}

unsigned constant_bytes(const Instruction& instruction, OperandRole role) {
  return role == OperandRole::ConstData ? data_bytes(instruction) : 4 * operand_width(instruction, role);
}

SlotList address_use(const Instruction& instruction, std::size_t place) {
  SlotList list;
  for (const RegisterRun& run : address_registers(instruction, place)) add(list, run);
  return list;
}

RegisterUse register_use(const Instruction& instruction) {
  RegisterUse use;
  for (const RegisterRun& run : registers_of(instruction)) add(use, run);
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

std::string slot_name(RegisterSlot slot) {
  if (is_uniform_slot(slot)) return fmt::format("UR{}", slot - kFirstUniform);
  if (is_register_slot(slot)) return fmt::format("R{}", slot - kFirstRegister);
  if (is_uniform_predicate_slot(slot)) return fmt::format("UP{}", slot - kUniformPredicateSlots);
  return fmt::format("P{}", slot - (is_guard_slot(slot) ? kGuardSlots : kPredicateSlots));
}

}  // namespace heddle::ir
