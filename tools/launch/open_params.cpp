#include "tools/launch/open_params.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::launch {

namespace {

constexpr std::uint32_t kWord = 4;

/// Whether .param can declare the value at this offset.
bool is_declarable(const OpenValue& value, std::uint32_t offset) {
  return value.bytes.size() == size_of(value.type) && offset % size_of(value.type) == 0;
}

struct Read {
  std::uint64_t end = 0;  ///< One more than its last byte.
  std::uint32_t line = 0;
};

/// The read of constant bank 0 with the highest end.
Read furthest_read(const ir::Kernel& kernel) {
  Read furthest;
  for (const ir::Instruction& instruction : kernel.instructions) {
    const ir::OpcodeInfo& row = ir::info(instruction.opcode);
    for (unsigned i = 0; i < row.operand_count; ++i) {
      const ir::Operand& operand = instruction.operands[i];
      if (operand.kind != ir::Operand::Kind::Constant || operand.bank != ir::kLaunchBank) continue;
      const std::uint64_t end = operand.value + ir::constant_bytes(instruction, row.operands[i]);
      if (end > furthest.end) furthest = {end, instruction.line};
    }
  }
  return furthest;
}

}  // namespace

void OpenParams::add(const std::string& name, const OpenValue& value, const ir::ParamSlot* slot) {
  const auto end = static_cast<std::uint32_t>(bytes_.size());
  const std::uint32_t offset =
      slot != nullptr ? slot->offset : (end + value.alignment - 1) / value.alignment * value.alignment;
  bytes_.resize(std::max<std::size_t>(end, offset + value.bytes.size()));
  std::copy(value.bytes.begin(), value.bytes.end(), bytes_.begin() + offset);
  if (is_declarable(value, offset)) named_.push_back({name, value.type, offset});
}

void OpenParams::declare_words(std::vector<ir::Param>& params, std::uint32_t base, std::uint32_t from,
                               std::uint32_t to) const {
  for (std::uint32_t offset = from; offset < to; offset += kWord)
    params.push_back({fmt::format("bytes_{:#x}", offset), ir::ParamType::U32, base + offset});
}

std::vector<ir::Param> OpenParams::declared(std::uint32_t base) const {
  std::vector<ir::Param> params;
  std::uint32_t end = 0;
  for (const Named& each : named_) {
    declare_words(params, base, end, each.offset);
    params.push_back({each.name, each.type, base + each.offset});
    end = each.offset + size_of(each.type);
  }
  declare_words(params, base, end, static_cast<std::uint32_t>(bytes_.size()));
  return params;
}

void check_open_params(const ir::Kernel& kernel, std::size_t bytes, const SourceLocation& where,
                       Diagnostics& problems) {
  const Read read = furthest_read(kernel);
  if (read.end <= kernel.param_base + bytes) return;
  problems.add(
      where,
      fmt::format(
          "line {} of {} reads parameters up to c[0x0][{:#x}], but 'params' has {} bytes, from {:#x} to "
          "{:#x}",
          read.line, kernel.file, read.end, bytes, kernel.param_base, kernel.param_base + bytes));
}

}  // namespace heddle::launch
