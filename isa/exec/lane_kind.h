// Which translation unit has the lane functions of an opcode's row: semantics_integer.cpp,
// semantics_float.cpp and so on. They are apart so that they compile side by side.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "isa/exec/semantics.h"
#include "isa/ir/opcode.h"

namespace heddle::exec {

/// The type of the operands, one kind for each translation unit. Conversions have two types and a kind of
/// their own.
enum class LaneKind : std::uint8_t { None, Integer, Float, Double, Half, Convert };

/// Where an opcode's lane function is: the kind whose translation unit has it, and the row that it is written
/// for.
struct LaneRow {
  LaneKind kind = LaneKind::None;   ///< None: its action is neither Lanes nor UniformLanes.
  ir::Opcode as = ir::Opcode::Nop;  ///< The row whose function it has: its own, or the one behind the U.
};

constexpr LaneKind lane_kind(ir::TimingClass timing_class, ir::NumberType type) {
  if (timing_class == ir::TimingClass::Convert || timing_class == ir::TimingClass::IntToFloat)
    return LaneKind::Convert;
  if (timing_class == ir::TimingClass::Fp16) return LaneKind::Half;
  if (type == ir::NumberType::Double) return LaneKind::Double;
  return type == ir::NumberType::Float ? LaneKind::Float : LaneKind::Integer;
}

namespace detail {

/// The columns of opcodes.def that kinds and twins are derived from.
struct NamedRow {
  std::string_view mnemonic;
  ir::Action action;
  ir::TimingClass timing_class;
  ir::NumberType type;
};

inline constexpr std::array<NamedRow, ir::kOpcodes> kNamedRows = {{
#define OPCODE(name, mnemonic, action, timing, type, ...) \
  {mnemonic, ir::Action::action, ir::TimingClass::timing, ir::NumberType::type},
#include "isa/ir/opcodes.def"
#undef OPCODE
}};

/// "UIADD3.X" is IADD3.X of the uniform datapath; "LDCU" has its U at the end.
constexpr std::string_view without_u(std::string_view mnemonic) {
  return mnemonic.front() == 'U' ? mnemonic.substr(1) : mnemonic.substr(0, mnemonic.size() - 1);
}

/// The row behind the U, or the row itself if there is none: UIADD3.64 has no twin.
constexpr std::size_t twin_of(std::size_t row) {
  const std::string_view wanted = without_u(kNamedRows[row].mnemonic);
  for (std::size_t i = 0; i < ir::kOpcodes; ++i) {
    if (kNamedRows[i].action == ir::Action::Lanes && kNamedRows[i].mnemonic == wanted) return i;
  }
  return row;
}

constexpr std::array<LaneRow, ir::kOpcodes> make_lane_rows() {
  std::array<LaneRow, ir::kOpcodes> rows{};
  for (std::size_t i = 0; i < ir::kOpcodes; ++i) {
    const bool is_uniform = kNamedRows[i].action == ir::Action::UniformLanes;
    if (!is_uniform && kNamedRows[i].action != ir::Action::Lanes) continue;
    const std::size_t as = is_uniform ? twin_of(i) : i;
    rows[i] = {lane_kind(kNamedRows[as].timing_class, kNamedRows[as].type), static_cast<ir::Opcode>(as)};
  }
  return rows;
}

}  // namespace detail

/// By opcode.
inline constexpr std::array<LaneRow, ir::kOpcodes> kLaneRows = detail::make_lane_rows();

/// The function of a row of that kind, for the instruction's modifiers and operands, compiled for the machine
/// at hand.
template <LaneKind kKind>
LaneFunction function_of_kind(ir::Opcode row, const ir::Instruction& instruction);

template <>
LaneFunction function_of_kind<LaneKind::Integer>(ir::Opcode row, const ir::Instruction& instruction);
template <>
LaneFunction function_of_kind<LaneKind::Float>(ir::Opcode row, const ir::Instruction& instruction);
template <>
LaneFunction function_of_kind<LaneKind::Double>(ir::Opcode row, const ir::Instruction& instruction);
template <>
LaneFunction function_of_kind<LaneKind::Half>(ir::Opcode row, const ir::Instruction& instruction);
template <>
LaneFunction function_of_kind<LaneKind::Convert>(ir::Opcode row, const ir::Instruction& instruction);

}  // namespace heddle::exec
