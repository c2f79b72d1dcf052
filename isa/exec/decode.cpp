#include "isa/exec/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <span>

#include "isa/base/diagnostic.h"
#include "isa/cfg/assignment.h"
#include "isa/cfg/reconvergence.h"
#include "isa/exec/bulk_reduction.h"
#include "isa/exec/launch_bank.h"
#include "isa/exec/matrix_product.h"
#include "isa/exec/narrow_data.h"
#include "isa/exec/wide_value.h"
#include "isa/ir/executable.h"
#include "isa/ir/operand_rules.h"

namespace heddle::exec {

namespace {

constexpr std::uint32_t kWidestValue = 16;  // rows of the widest operand, a matrix of doubles

/// The number of a predicate or uniform register that is not virtual, so that it fits a byte.
std::uint8_t narrowed(ir::RegisterIndex index) { return static_cast<std::uint8_t>(index); }

std::vector<std::byte> bytes_of(const std::vector<std::uint32_t>& words) {
  const auto bytes = std::as_bytes(std::span(words));
  return {bytes.begin(), bytes.end()};
}

std::uint32_t word_at(const std::vector<std::byte>& bank, std::uint64_t offset) {
  std::uint32_t word = 0;
  if (offset >= bank.size()) return 0;
  std::memcpy(&word, bank.data() + offset, std::min<std::uint64_t>(sizeof word, bank.size() - offset));
  return word;
}

std::uint32_t sign_bits_of(ir::NumberType type) {
  switch (type) {
    case ir::NumberType::Float:
    case ir::NumberType::Double: return 0x80000000U;
    case ir::NumberType::Half2:
    case ir::NumberType::Bfloat2: return 0x80008000U;
    case ir::NumberType::Inverse: return ~0U;
    default: return 0;
  }
}

/// The sign of a float is in its last word; integers of two words are negated as a whole. A double that is NaN keeps its
/// sign.
void apply_sign(std::vector<std::uint32_t>& words, const ir::Operand& operand, std::uint32_t sign_bits) {
  if (sign_bits == 0) {
    if (operand.negated) negate(words.data(), static_cast<unsigned>(words.size()), 1);
    return;
  }
  if (sign_bits == ~0U && operand.negated) {
    for (std::uint32_t& inverted : words) inverted = ~inverted;
    return;
  }
  if (words.size() == 2 && is_double_nan(std::uint64_t{words[1]} << 32 | words[0])) return;
  std::uint32_t& word = words.back();
  if (operand.absolute) word &= ~sign_bits;
  word = part_of(operand.negated ? word ^ sign_bits : word, operand.part);
}

/// Whether the second predicate that a comparison writes is no opposite of the first.
bool has_second_result(ir::Opcode opcode) {
  return opcode == ir::Opcode::Hsetp2 || opcode == ir::Opcode::Hsetp2Bf16 || opcode == ir::Opcode::DsetpMin ||
         opcode == ir::Opcode::DsetpMax;
}

/// One more than the highest one used.
std::uint32_t uniform_registers(const ir::Kernel& kernel) {
  std::uint32_t count = 0;
  for (const ir::Instruction& instruction : kernel.instructions) {
    const ir::RegisterUse use = ir::register_use(instruction);
    for (const ir::SlotList* list : {&use.reads, &use.writes}) {
      for (const ir::RegisterSlot slot : *list) {
        if (ir::is_uniform_slot(slot)) count = std::max(count, slot - ir::kFirstUniform + 1U);
      }
    }
  }
  return count;
}

bool has_uniform_predicates(const ir::Kernel& kernel) {
  return std::any_of(kernel.instructions.begin(), kernel.instructions.end(), [](const ir::Instruction& instruction) {
    const ir::RegisterUse use = ir::register_use(instruction);
    return std::any_of(use.reads.begin(), use.reads.end(), ir::is_uniform_predicate_slot) ||
           std::any_of(use.writes.begin(), use.writes.end(), ir::is_uniform_predicate_slot);
  });
}

std::uint32_t register_slots(const ir::Kernel& kernel, std::uint32_t uniform_rows) {
  if (has_uniform_predicates(kernel)) return ir::kSlots;
  return uniform_rows == 0 ? ir::kFirstRegister + kernel.registers : ir::kFirstUniform + uniform_rows;
}

/// Where the next operand of its kind goes.
struct NextPlaces {
  SourceRows* source;
  std::uint8_t* out_predicate;
  unsigned immediate_shift;
};

/// Decodes instructions one by one, gathering the constants they name.
class Decoder {
 public:
  Decoder(const Launch& launch, unsigned lanes) : launch_(launch), lanes_(lanes) {
    result_.launch_bank = launch_bank(launch);
    result_.data_bank = bytes_of(launch.kernel.constant_data);
    result_.table_bank = bytes_of(launch.kernel.table_data);
    result_.uniform_rows = uniform_registers(launch.kernel);
    result_.warp_rows = launch.kernel.registers + result_.uniform_rows;
    result_.register_slots = register_slots(launch.kernel, result_.uniform_rows);
    result_.constants.assign(kWidestValue * lanes, 0);
  }

  DecodedLaunch run(Divergence divergence) {
    check_lanes();
    const bool watch = ir::must_write_before_reading(launch_.kernel) && cfg::may_read_unwritten(launch_.kernel);
    const std::vector<Pc> reconvergence = divergence == Divergence::Stack
                                              ? cfg::reconvergence_points(launch_.kernel)
                                              : cfg::implicit_barriers(launch_.kernel);
    result_.is_labelled.resize(launch_.kernel.instructions.size());
    for (const ir::Label& label : launch_.kernel.labels) result_.is_labelled[label.pc] = true;
    result_.static_ops = stream::make_static_ops(launch_.kernel);
    stream::obey_control_codes(launch_.kernel, result_.static_ops);
    for (Pc pc = 0; pc < launch_.kernel.instructions.size(); ++pc) {
      const ir::Instruction& instruction = launch_.kernel.instructions[pc];
      result_.instructions.push_back(decode_one(instruction, reconvergence[pc]));
      describe_memory(result_.instructions.back(), instruction, result_.static_ops[pc]);
      if (watch) result_.watched.push_back(ir::needed_use(instruction));
    }
    for (Decoded& decoded : result_.instructions) place_rows(decoded);
    return std::move(result_);
  }

 private:
  /// Where rows, so far counted, begin in words; and whether the instruction needs no more than its rows.
  void place_rows(Decoded& decoded) const {
    decoded.out_offset *= lanes_;
    decoded.texture.more_offset *= lanes_;
    for (SourceRows* rows : {&decoded.a, &decoded.b, &decoded.c, &decoded.near_uniform, &decoded.far_uniform})
      rows->offset *= lanes_;
    decoded.is_plain = decoded.action == ir::Action::Lanes && !decoded.out_is_lost && !decoded.has_modified_source &&
                       !decoded.writes_predicates && decoded.predicate_sources == 0;
    decoded.is_plain_for_all = decoded.is_plain && decoded.guard.always() && result_.watched.empty();
  }

  /// A matrix is spread over 32 lanes; of wider warps each 32 have their own, but make no warpgroup.
  [[nodiscard]] bool has_lanes_for(ir::Action action) const {
    if (action == ir::Action::MultiplyInGroup) return lanes_ == kMatrixLanes;
    const bool is_matrix = action == ir::Action::MatrixMultiply || action == ir::Action::LoadMatrix ||
                           action == ir::Action::StoreMatrix;
    return lanes_ >= kMatrixLanes || !is_matrix;
  }

  void check_lanes() const {
    Diagnostics problems;
    for (const ir::Instruction& instruction : launch_.kernel.instructions) {
      const ir::OpcodeInfo& row = ir::info(instruction.opcode);
      if (has_lanes_for(row.action)) continue;
      problems.add({launch_.kernel.file, instruction.line},
                   fmt::format("{} needs warps of {} threads, not of {}", row.mnemonic, kMatrixLanes, lanes_));
    }
    problems.throw_if_any();
  }

  static void describe_memory(Decoded& decoded, const ir::Instruction& instruction, const stream::StaticOp& op) {
    if (op.space == stream::MemorySpace::None) return;
    decoded.space = op.space;
    decoded.bytes = op.bytes_per_lane;
    decoded.sign_extends = reads_signed(instruction);
    if (op.kind == stream::OpKind::Atomic) decoded.atomic = atomic_function(instruction);
  }

  /// What a bulk copy to global memory combines; the elements of a tensor are told by its map.
  static void describe_reduction(Decoded& decoded, const ir::Instruction& instruction) {
    decoded.reduction = instruction.modifiers.get(ir::ModifierGroup::AtomicOperation);
    if (instruction.opcode != ir::Opcode::Ublkred) return;
    const BulkElement element = bulk_element(instruction);
    decoded.bytes = static_cast<std::uint8_t>(bytes_of(element));
    decoded.atomic = bulk_reduction(decoded.reduction, element);
  }

  Decoded decode_one(const ir::Instruction& instruction, Pc reconvergence) {
    const ir::OpcodeInfo& row = ir::info(instruction.opcode);
    Decoded decoded;
    decoded.action = row.action;
    decoded.sign_bits = sign_bits_of(row.number_type);
    decoded.guard = {narrowed(instruction.guard.predicate), instruction.guard.negated};
    decoded.reconvergence = reconvergence;
    decoded.combine = instruction.modifiers.get(ir::ModifierGroup::Bool);
    decoded.shuffle = instruction.modifiers.get(ir::ModifierGroup::ShuffleMode);
    decoded.vote = instruction.modifiers.get(ir::ModifierGroup::VoteMode);
    decoded.reduction = instruction.modifiers.get(ir::ModifierGroup::Reduction);
    decoded.barrier_reduction = instruction.modifiers.get(ir::ModifierGroup::BarrierReduction);
    decoded.reduces_signed = instruction.modifiers.has(ir::Modifier::ReductionTypeS32);
    decoded.elements = matrix_elements(instruction);
    decoded.has_second_result = has_second_result(instruction.opcode);
    decoded.is_transposed =
        instruction.opcode == ir::Opcode::LdsmT || instruction.opcode == ir::Opcode::StsmT;
    decoded.keeps_predicate = instruction.opcode == ir::Opcode::R2urOr;
    decoded.tells_success = instruction.opcode == ir::Opcode::AtomsCast;
    if (instruction.opcode == ir::Opcode::BraDiv) decoded.branch_test = BranchTest::Diverged;
    if (instruction.modifiers.has(ir::Modifier::BranchVoteAny)) decoded.branch_test = BranchTest::Any;
    if (instruction.opcode == ir::Opcode::BraConv) decoded.branch_test = BranchTest::Converged;
    if (row.action == ir::Action::Lanes || row.action == ir::Action::UniformLanes)
      decoded.function = lane_function(instruction);
    NextPlaces next = {&decoded.a, decoded.out_predicate, 0};
    for (unsigned i = 0; i < row.operand_count; ++i) {
      const ir::OperandRole role = row.operands[i];
      const auto width = static_cast<std::uint8_t>(ir::operand_width(instruction, role));
      place(decoded, instruction.operands[i], role, width, next);
      if (role == ir::OperandRole::ConstData) place_constant(decoded, instruction, instruction.operands[i]);
    }
    if (ir::accesses_texture(row.action)) place_texture(decoded, instruction);
    if (ir::is_for_mbarrier(row.action)) describe_mbarrier(decoded, instruction);
    if (row.action == ir::Action::BulkStore) describe_reduction(decoded, instruction);
    decoded.has_modified_source = decoded.a.is_modified() || decoded.b.is_modified() || decoded.c.is_modified();
    return decoded;
  }

  /// It writes no uniform register, though its form has one.
  static void describe_mbarrier(Decoded& decoded, const ir::Instruction& instruction) {
    constexpr std::uint8_t kBytes = 8;
    const ir::Modifiers& modifiers = instruction.modifiers;
    const bool is_by_copies = decoded.action == ir::Action::ArriveAfterCopies;
    decoded.is_for_warp = false;
    decoded.space = stream::MemorySpace::Shared;
    decoded.bytes = kBytes;
    decoded.arrival = modifiers.get(is_by_copies ? ir::ModifierGroup::CopyArrival : ir::ModifierGroup::Arrival);
    decoded.departs = modifiers.has(ir::Modifier::DepartureOptout);
    decoded.waits = modifiers.has(ir::Modifier::PhaseWaitWait);
  }

  void place_texture(Decoded& decoded, const ir::Instruction& instruction) {
    const ir::TextureWords words = ir::texture_words(instruction);
    TextureForm& form = decoded.texture;
    form.shape = ir::texture_shape(instruction);
    form.channels = ir::texture_channels(instruction);
    form.place = static_cast<std::uint8_t>(words.place);
    form.by_number = instruction.opcode == ir::Opcode::Tld;
    form.gathers = instruction.opcode == ir::Opcode::Tld4;
    const auto channel = static_cast<unsigned>(instruction.modifiers.get(ir::ModifierGroup::GatheredChannel));
    if (form.gathers)
      form.gathered = static_cast<std::uint8_t>(channel - static_cast<unsigned>(ir::Modifier::GatheredChannelR));
    form.boundary = instruction.modifiers.get(ir::ModifierGroup::SurfaceBoundary);
    if (!ir::is_bindless(instruction)) return;
    const bool is_first = words.handle < words.first;
    decoded.c = is_first ? decoded.a : decoded.b;
    if (!decoded.c.constant) decoded.c.offset += is_first ? words.handle : words.handle - words.first;
    decoded.c.rows = 1;
  }

  /// A register, a uniform one, or a word of the launch's bank.
  void place_handle(Decoded& decoded, const ir::Operand& handle) {
    if (handle.kind != ir::Operand::Kind::Immediate) decoded.c = source(handle, 1, 0);
  }

  void place_handle_word(Decoded& decoded, const ir::Operand& word) {
    if (decoded.c.rows == 0)
      decoded.c = {constant_rows({word_at(result_.launch_bank, word.value * 4)}), 1, true};
  }

  static void place_result(Decoded& decoded, bool is_lost, std::uint32_t row, std::uint8_t rows) {
    decoded.out_is_lost = is_lost;
    decoded.out_offset = row;
    decoded.out_rows = rows;
  }

  void place_uniform_result(Decoded& decoded, const ir::Operand& operand, std::uint8_t rows) const {
    decoded.is_for_warp = true;
    place_result(decoded, operand.index == ir::kUniformZero, uniform_row(operand.index), rows);
  }

  /// What is added to the register of an address.
  void place_address(Decoded& decoded, const ir::Operand& operand, ir::OperandRole role, std::uint8_t width) {
    decoded.offset = static_cast<std::int64_t>(operand.value);
    const bool has_uniform = operand.uniform != ir::kUniformZero;
    if (role == ir::OperandRole::GlobalAddress) {
      if (has_uniform) decoded.far_uniform = {uniform_row(operand.uniform), width};
    } else {
      decoded.shared_offset = decoded.offset;
      decoded.scale = operand.scale;
      if (has_uniform) decoded.near_uniform = {uniform_row(operand.uniform), 1};
    }
  }

  /// Puts an operand where its role says: by what the instruction does with the registers that it names.
  void place(Decoded& decoded, const ir::Operand& operand, ir::OperandRole role, std::uint8_t width,
             NextPlaces& next) {
    switch (ir::info(role).access) {
      case ir::RegisterAccess::Writes: return place_written(decoded, operand, role, width);
      case ir::RegisterAccess::WritesPredicate: return place_written_predicate(decoded, operand, next);
      case ir::RegisterAccess::ReadsPredicate: return place_read_predicate(decoded, operand, role);
      case ir::RegisterAccess::Reads:
      case ir::RegisterAccess::MayRead: return place_read(decoded, operand, role, width, next);
      case ir::RegisterAccess::None: return place_other(decoded, operand, role, width, next);
    }
  }

  void place_written(Decoded& decoded, const ir::Operand& operand, ir::OperandRole role,
                     std::uint8_t rows) const {
    if (role == ir::OperandRole::DstMoreTexels) {
      decoded.texture.more_is_lost = operand.index == ir::kRegisterZero;
      decoded.texture.more_offset = operand.index;
      return;
    }
    if (ir::is_uniform_role(role) || operand.kind == ir::Operand::Kind::Uniform)
      return place_uniform_result(decoded, operand, rows);
    place_result(decoded, operand.index == ir::kRegisterZero, operand.index, rows);
  }

  static void place_written_predicate(Decoded& decoded, const ir::Operand& operand, NextPlaces& next) {
    *next.out_predicate++ = narrowed(operand.index);
    decoded.writes_predicates = decoded.writes_predicates || !ir::is_true_predicate(operand.index);
    decoded.is_for_warp = decoded.is_for_warp || ir::is_uniform_predicate(operand.index);
  }

  static void place_read_predicate(Decoded& decoded, const ir::Operand& operand, ir::OperandRole role) {
    if (role == ir::OperandRole::OptCondition) {
      if (operand.kind != ir::Operand::Kind::Predicate) return;
      if (ir::Guard{operand.index, operand.negated}.always()) return;
    }
    // Behind another predicate, one that is left out reads as false anyway.
    const bool is_last = role == ir::OperandRole::OptSrcPred || role == ir::OperandRole::OptSrcUniformPred;
    const bool is_false = ir::is_true_predicate(operand.index) && operand.negated;
    if (is_last && is_false && decoded.predicate_sources != 0) return;
    decoded.predicates[decoded.predicate_sources++] = {narrowed(operand.index), operand.negated};
  }

  void place_read(Decoded& decoded, const ir::Operand& operand, ir::OperandRole role, std::uint8_t width,
                  NextPlaces& next) {
    switch (role) {
      case ir::OperandRole::OptMatrixA:
        if (operand.kind == ir::Operand::Kind::Register) decoded.a = source(operand, width, 0);
        return;
      case ir::OperandRole::Descriptors:
        decoded.b = {uniform_row(operand.index), width};
        decoded.immediate = static_cast<std::uint32_t>(operand.value);
        return;
      case ir::OperandRole::OptHint: return;
      case ir::OperandRole::OptHandle: return place_handle(decoded, operand);
      case ir::OperandRole::SrcMetadata: decoded.near_uniform = source(operand, width, 0); return;
      case ir::OperandRole::SrcSums:
        if (operand.index != ir::kRegisterZero) decoded.c = {operand.index, width};
        return;
      case ir::OperandRole::SharedAddress:
      case ir::OperandRole::LocalAddress:
      case ir::OperandRole::GlobalAddress:
        place_address(decoded, operand, role, width);
        if (operand.is_narrow) width = 1;
        break;
      case ir::OperandRole::OptReturnReg:
        if (operand.index == ir::kRegisterZero) return;
        break;
      case ir::OperandRole::JumpReg: decoded.offset = static_cast<std::int64_t>(operand.value); break;
      default: break;
    }
    *next.source++ = source(operand, width, decoded.sign_bits);
  }

  /// An operand that names no register as a value.
  void place_other(Decoded& decoded, const ir::Operand& operand, ir::OperandRole role, std::uint8_t width,
                   NextPlaces& next) {
    switch (role) {
      case ir::OperandRole::ConstData:
        *next.source++ = source(operand, width, decoded.sign_bits);
        return;
      case ir::OperandRole::Immediate:
        decoded.immediate |= static_cast<std::uint32_t>(operand.value) << next.immediate_shift;
        next.immediate_shift += 8;
        return;
      case ir::OperandRole::OptHandleWord: return place_handle_word(decoded, operand);
      case ir::OperandRole::ConvergenceBarrier:
      case ir::OperandRole::Special: decoded.immediate = operand.index; return;
      case ir::OperandRole::Target: decoded.target = static_cast<Pc>(operand.value); return;
      case ir::OperandRole::AllUniformPreds: decoded.first_packed = ir::kFirstUniformPredicate; return;
      default: return;  // PR and scoreboards: the action says all
    }
  }

  [[nodiscard]] std::uint32_t uniform_row(ir::RegisterIndex index) const {
    return launch_.kernel.registers + index;
  }

  [[nodiscard]] const std::vector<std::byte>& bank(const ir::Operand& constant) const {
    return bank_of(result_, constant.bank);
  }

  /// What LDC reads: known now, unless a register says where.
  void place_constant(Decoded& decoded, const ir::Instruction& instruction, const ir::Operand& constant) {
    decoded.bytes = static_cast<std::uint8_t>(ir::data_bytes(instruction));
    decoded.sign_extends = reads_signed(instruction);
    if (constant.kind == ir::Operand::Kind::IndexedConstant) {
      decoded.action = ir::Action::LoadConstant;
      decoded.offset = static_cast<std::int64_t>(constant.value);
      decoded.bank = constant.bank;
    } else if (decoded.bytes < 4) {
      decoded.a = narrow_constant(instruction, constant);
    }
  }

  SourceRows narrow_constant(const ir::Instruction& instruction, const ir::Operand& constant) {
    const std::uint64_t offset = constant.value;
    const std::uint32_t word = word_at(bank(constant), offset / 4 * 4) >> (8 * (offset % 4));
    const std::uint32_t value = widened(word, ir::data_bytes(instruction), reads_signed(instruction));
    return {constant_rows({value}), 1, true};
  }

  SourceRows source(const ir::Operand& operand, std::uint8_t width, std::uint32_t sign_bits) {
    if (operand.kind == ir::Operand::Kind::IndexedConstant) {
      return {operand.uniform == ir::kUniformZero ? operand.index : uniform_row(operand.uniform), 1};
    }
    if (operand.kind == ir::Operand::Kind::Uniform) {
      const bool is_zero = operand.index == ir::kUniformZero;
      return {is_zero ? 0 : uniform_row(operand.index),
              width,
              is_zero,
              operand.negated,
              operand.absolute,
              operand.part};
    }
    if (operand.kind == ir::Operand::Kind::Register || operand.kind == ir::Operand::Kind::Address) {
      if (operand.index == ir::kRegisterZero) return {0, width, true, operand.negated, operand.absolute, operand.part};
      return {operand.index, width, false, operand.negated, operand.absolute, operand.part};
    }
    std::vector<std::uint32_t> words(width);
    for (std::uint8_t i = 0; i < width; ++i) {
      const std::uint32_t word = operand.kind == ir::Operand::Kind::Constant
                                     ? word_at(bank(operand), operand.value + 4ULL * i)
                                     : static_cast<std::uint32_t>(operand.value >> (32 * i));
      words[i] = word;
    }
    apply_sign(words, operand, sign_bits);
    return {constant_rows(words), width, true};
  }

  /// Rows that hold these words in every lane; equal values share them.
  std::uint32_t constant_rows(const std::vector<std::uint32_t>& words) {
    const auto [known, is_new] = rows_of_.try_emplace(words, result_.constants.size() / lanes_);
    if (is_new) {
      for (const std::uint32_t word : words) {
        result_.constants.insert(result_.constants.end(), lanes_, word);
      }
    }
    return static_cast<std::uint32_t>(known->second);
  }

  const Launch& launch_;
  unsigned lanes_;
  std::map<std::vector<std::uint32_t>, std::size_t> rows_of_;
  DecodedLaunch result_;
};

}  // namespace

const std::vector<std::byte>& bank_of(const DecodedLaunch& launch, std::uint8_t bank) {
  if (bank == ir::kTableBank) return launch.table_bank;
  return bank == ir::kDataBank ? launch.data_bank : launch.launch_bank;
}

DecodedLaunch decode(const Launch& launch, unsigned lanes, Divergence divergence) {
  ir::require_executable(launch.kernel);
  return Decoder(launch, lanes).run(divergence);
}

}  // namespace heddle::exec
