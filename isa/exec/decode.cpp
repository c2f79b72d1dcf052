#include "isa/exec/decode.h"

#include <cstring>
#include <map>

#include "isa/cfg/assignment.h"
#include "isa/cfg/reconvergence.h"

namespace heddle::exec {

namespace {

constexpr std::uint32_t kWidestValue = 4;  // rows of a 128-bit value

/// Constant bank 0 of a launch: sizes, then parameters.
std::vector<std::byte> constant_bank(const Launch& launch) {
  std::vector<std::byte> bank(ir::kParamOffset + launch.params.size());
  const Dim3 sizes[] = {launch.block, launch.grid};
  std::memcpy(bank.data() + ir::kBlockDimOffset, sizes, sizeof sizes);
  if (!launch.params.empty()) {
    std::memcpy(bank.data() + ir::kParamOffset, launch.params.data(), launch.params.size());
  }
  return bank;
}

std::uint32_t word_at(const std::vector<std::byte>& bank, std::uint64_t offset) {
  std::uint32_t word = 0;
  if (offset + sizeof word <= bank.size()) std::memcpy(&word, bank.data() + offset, sizeof word);
  return word;
}

std::uint32_t apply_sign(std::uint32_t word, const ir::Operand& operand, bool is_float) {
  if (is_float) {
    if (operand.absolute) word &= 0x7fffffffU;
    return operand.negated ? word ^ 0x80000000U : word;
  }
  return operand.negated ? 0U - word : word;
}

/// Decodes instructions one by one, gathering the constants they name.
class Decoder {
 public:
  Decoder(const Launch& launch, unsigned lanes) : launch_(launch), lanes_(lanes), bank_(constant_bank(launch)) {
    result_.warp_rows = launch.kernel.registers;
    result_.constants.assign(kWidestValue * lanes, 0);
  }

  DecodedLaunch run() {
    const bool watch = cfg::may_read_unwritten(launch_.kernel);
    const std::vector<Pc> meeting = cfg::reconvergence_points(launch_.kernel);
    for (Pc pc = 0; pc < launch_.kernel.instructions.size(); ++pc) {
      const ir::Instruction& instruction = launch_.kernel.instructions[pc];
      result_.static_ops.push_back(stream::make_static_op(instruction, pc));
      result_.instructions.push_back(decode_one(instruction, meeting[pc]));
      if (watch) result_.watched.push_back(ir::register_use(instruction));
    }
    return std::move(result_);
  }

 private:
  Decoded decode_one(const ir::Instruction& instruction, Pc meeting) {
    const ir::OpcodeInfo& row = ir::info(instruction.opcode);
    Decoded decoded;
    decoded.action = row.action;
    decoded.is_float = row.number_type == ir::NumberType::Float;
    decoded.guard = instruction.guard;
    decoded.reconvergence = meeting;
    decoded.combine = instruction.modifiers.get(ir::ModifierGroup::Bool);
    decoded.shuffle = instruction.modifiers.get(ir::ModifierGroup::ShuffleMode);
    if (row.action == ir::Action::Lanes) decoded.function = lane_function(instruction);
    SourceRows* next_source = &decoded.a;
    std::uint8_t* next_predicate = decoded.out_predicate;
    for (unsigned i = 0; i < row.operand_count; ++i) {
      const ir::OperandRole role = row.operands[i];
      const auto width = static_cast<std::uint8_t>(ir::operand_width(instruction, role));
      place(decoded, instruction.operands[i], role, width, next_source, next_predicate);
    }
    decoded.has_modified_source = decoded.a.negated || decoded.a.absolute || decoded.b.negated ||
                                  decoded.b.absolute || decoded.c.negated || decoded.c.absolute;
    return decoded;
  }

  void place(Decoded& decoded, const ir::Operand& operand, ir::OperandRole role, std::uint8_t width,
             SourceRows*& next_source, std::uint8_t*& next_predicate) {
    switch (role) {
      case ir::OperandRole::DstReg:
      case ir::OperandRole::DstPair:
      case ir::OperandRole::DstData:
        decoded.out_is_lost = operand.index == ir::kRegisterZero;
        decoded.out_row = operand.index;
        decoded.out_rows = width;
        if (role == ir::OperandRole::DstData) decoded.bytes = static_cast<std::uint8_t>(4 * width);
        break;
      case ir::OperandRole::DstPred:
        *next_predicate++ = operand.index;
        decoded.writes_predicates = true;
        break;
      case ir::OperandRole::SrcPred:
        decoded.predicate = {operand.index, operand.negated};
        break;
      case ir::OperandRole::GlobalAddress:
      case ir::OperandRole::SharedAddress:
        decoded.shared = role == ir::OperandRole::SharedAddress;
        decoded.offset = static_cast<std::int64_t>(operand.value);
        *next_source++ = source(operand, width, decoded.is_float);
        break;
      case ir::OperandRole::SrcData:
        decoded.bytes = static_cast<std::uint8_t>(4 * width);
        *next_source++ = source(operand, width, decoded.is_float);
        break;
      case ir::OperandRole::SrcReg:
      case ir::OperandRole::Src:
      case ir::OperandRole::SrcPair:
      case ir::OperandRole::ConstData:
        *next_source++ = source(operand, width, decoded.is_float);
        break;
      case ir::OperandRole::Immediate: decoded.immediate = static_cast<std::uint32_t>(operand.value); break;
      case ir::OperandRole::Special: decoded.immediate = operand.index; break;
      case ir::OperandRole::Target: decoded.target = static_cast<Pc>(operand.value); break;
    }
  }

  SourceRows source(const ir::Operand& operand, std::uint8_t width, bool is_float) {
    if (operand.kind == ir::Operand::Kind::Register || operand.kind == ir::Operand::Kind::Address) {
      if (operand.index == ir::kRegisterZero) return {0, width, true, operand.negated, operand.absolute};
      return {operand.index, width, false, operand.negated, operand.absolute};
    }
    std::vector<std::uint32_t> words(width);
    for (std::uint8_t i = 0; i < width; ++i) {
      const std::uint32_t word = operand.kind == ir::Operand::Kind::Constant
                                     ? word_at(bank_, operand.value + 4ULL * i)
                                     : static_cast<std::uint32_t>(operand.value >> (32 * i));
      words[i] = apply_sign(word, operand, is_float);
    }
    return {constant_rows(words), width, true, false, false};
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
  std::vector<std::byte> bank_;
  std::map<std::vector<std::uint32_t>, std::size_t> rows_of_;
  DecodedLaunch result_;
};

}  // namespace

DecodedLaunch decode(const Launch& launch, unsigned lanes) { return Decoder(launch, lanes).run(); }

}  // namespace heddle::exec
