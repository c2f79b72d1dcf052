#include "isa/lower/special_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace heddle::lower {

namespace {

using ir::Opcode;
using ptx::SpecialRegister;

std::optional<ir::SpecialRegister> read_by_s2r(const ptx::Operand& operand) {
  const unsigned axis = operand.element == ptx::Operand::kWhole ? 0 : operand.element;
  const auto along = [&](ir::SpecialRegister x) {
    return static_cast<ir::SpecialRegister>(static_cast<unsigned>(x) + axis);
  };
  switch (operand.special) {
    case SpecialRegister::Tid:
      return axis < 3 ? along(ir::SpecialRegister::TidX) : ir::SpecialRegister::Zero;
    case SpecialRegister::CtaId:
    case SpecialRegister::ClusterId:
      return axis < 3 ? along(ir::SpecialRegister::CtaidX) : ir::SpecialRegister::Zero;
    case SpecialRegister::LaneId:
      return ir::SpecialRegister::Laneid;
    case SpecialRegister::LaneMaskEq:
      return ir::SpecialRegister::OwnLane;
    case SpecialRegister::LaneMaskLt:
      return ir::SpecialRegister::LanesBelow;
    case SpecialRegister::LaneMaskLe:
      return ir::SpecialRegister::LanesUpTo;
    case SpecialRegister::LaneMaskGt:
      return ir::SpecialRegister::LanesAbove;
    case SpecialRegister::LaneMaskGe:
      return ir::SpecialRegister::LanesFrom;
    case SpecialRegister::ClusterCtaRank:
      return ir::SpecialRegister::ClusterRank;
    case SpecialRegister::SmId:
      return ir::SpecialRegister::SmId;
    case SpecialRegister::TotalSmemSize:
    case SpecialRegister::AggrSmemSize:  // none is reserved
      return ir::SpecialRegister::SharedSize;
    default:
      return std::nullopt;
  }
}

/// Sizes of the launch.
Operand size(const Selection& s, bool is_block, unsigned axis) {
  const ir::LaunchBankLayout& bank = ir::launch_bank_layout(s.kernel.param_base);
  return constant(ir::kLaunchBank, (is_block ? bank.block_dim : bank.grid_dim) + 4 * axis);
}

/// Threads are numbered x first, and warps in their order.
Operand warp_number(Selection& s) {
  const Operand plane = reg(s.builder.fresh());
  const Operand thread = reg(s.builder.fresh());
  const Operand warp = reg(s.builder.fresh());
  s.emit(Opcode::Imad, {plane, read_special(s, ir::SpecialRegister::TidZ), size(s, true, 1),
                        read_special(s, ir::SpecialRegister::TidY)});
  s.emit(Opcode::Imad, {thread, plane, size(s, true, 0), read_special(s, ir::SpecialRegister::TidX)});
  s.emit(Opcode::Shf, {warp, zero(), number(5), thread},
         {ir::Modifier::ShiftDirectionRight, ir::Modifier::ShiftTypeU32, ir::Modifier::HalfHigh});
  return warp;
}

/// The clock and the timer: both words are read at once.
void read_clock(Selection& s, const ptx::Instruction& instruction, ir::SpecialRegister low) {
  const Operand special{Operand::Kind::Special, static_cast<ir::RegisterIndex>(low)};
  const SpecialRegister which = instruction.operands[1].special;
  if (which == SpecialRegister::Clock64 || which == SpecialRegister::GlobalTimer) {
    s.emit(Opcode::Cs2r, {s.wide_result(instruction.operands[0]), special});
    return;
  }
  const ir::RegisterIndex both = s.builder.fresh(2);
  s.emit(Opcode::Cs2r, {reg(both), special});
  s.builder.move(
      s.result(instruction.operands[0]).index,
      reg(both + (which == SpecialRegister::ClockHi || which == SpecialRegister::GlobalTimerHi ? 1U : 0U)));
}

/// How many warps an SM of the target holds.
unsigned warps_of_sm(unsigned compute_capability) {
  switch (compute_capability) {
    case 75:
      return 32;
    case 86:
    case 87:
    case 89:
    case 120:
    case 121:
      return 48;
    default:
      return 64;
  }
}

/// Each block is a cluster by itself. Nobody defines what %pm<n> count, the driver what %envreg<n> holds:
/// zero. No shared memory is reserved. SMs need not be numbered without gaps, so that %nsmid may be more than
/// there are.
std::optional<std::uint32_t> fixed_value(const Selection& s, SpecialRegister special, unsigned axis) {
  constexpr std::uint32_t kMostSms = 1024;
  switch (special) {
    case SpecialRegister::NWarpId:
      return warps_of_sm(s.target.compute_capability);
    case SpecialRegister::NSmId:
      return kMostSms;
    case SpecialRegister::ClusterNCtaId:
      return axis < 3 ? 1 : 0;
    case SpecialRegister::ClusterNCtaRank:
      return 1;
    case SpecialRegister::ClusterCtaId:
    case SpecialRegister::Pm:
    case SpecialRegister::Pm64:
    case SpecialRegister::EnvReg:
    case SpecialRegister::ReservedSmemOffsetBegin:
    case SpecialRegister::ReservedSmemOffsetEnd:
    case SpecialRegister::ReservedSmemOffsetCap:
    case SpecialRegister::ReservedSmemOffset:
    case SpecialRegister::CurrentGraphExec:
      return 0;
    default:
      return std::nullopt;
  }
}

/// Half of an address: the upper one is that of %envreg1 (connect_system_variables()). Nothing for the others.
std::optional<Operand> grid_workspace(const Selection& s, const ptx::Operand& from) {
  const auto place = s.layout.place_of(from.symbol);
  if (!place) return std::nullopt;
  return constant(ir::kDataBank, place->offset + (from.number == 1 ? 4 : 0));
}

/// Into a register of 32 bits, or of 64 whose upper half is zero.
void move_into(Selection& s, const ptx::Operand& to, const Operand& value) {
  const bool is_wide = to.kind == ptx::Operand::Kind::Register && s.values[to.reg].words == 2;
  const ir::RegisterIndex first = (is_wide ? s.wide_result(to) : s.result(to)).index;
  s.builder.move(first, value);
  if (is_wide) s.builder.move(first + 1, zero());
  s.note_known(to, {value, zero()});
}

}  // namespace

Operand read_special(Selection& s, ir::SpecialRegister special) {
  const auto found = std::find_if(s.specials.begin(), s.specials.end(),
                                  [&](const auto& one) { return one.first == special; });
  if (found != s.specials.end()) return reg(found->second);
  const ir::RegisterIndex to = s.builder.fresh();
  s.emit(Opcode::S2r, {reg(to), {Operand::Kind::Special, static_cast<ir::RegisterIndex>(special)}});
  if (s.is_entry_block && s.builder.guard().always()) s.specials.emplace_back(special, to);
  return reg(to);
}

void select_special(Selection& s, const ptx::Instruction& instruction) {
  const ptx::Operand& from = instruction.operands[1];
  const unsigned axis = from.element == ptx::Operand::kWhole ? 0 : from.element;
  switch (from.special) {
    case SpecialRegister::Ntid:
      return move_into(s, instruction.operands[0], axis < 3 ? size(s, true, axis) : zero());
    case SpecialRegister::NCtaId:
    case SpecialRegister::NClusterId:
      return move_into(s, instruction.operands[0], axis < 3 ? size(s, false, axis) : zero());
    case SpecialRegister::Clock:
    case SpecialRegister::ClockHi:
    case SpecialRegister::Clock64:
      return read_clock(s, instruction, ir::SpecialRegister::ClockLo);
    case SpecialRegister::GlobalTimer:
    case SpecialRegister::GlobalTimerLo:
    case SpecialRegister::GlobalTimerHi:
      return read_clock(s, instruction, ir::SpecialRegister::TimerLo);
    case SpecialRegister::DynamicSmemSize:
      return move_into(s, instruction.operands[0],
                       constant(ir::kLaunchBank, ir::launch_bank_layout(s.kernel.param_base).dynamic_shared));
    case SpecialRegister::GridId:
      return move_into(s, instruction.operands[0],
                       constant(ir::kLaunchBank, ir::launch_bank_layout(s.kernel.param_base).grid_number));
    case SpecialRegister::EnvReg:
      if (const auto half = grid_workspace(s, from)) return move_into(s, instruction.operands[0], *half);
      break;
    case SpecialRegister::WarpId:
      return move_into(s, instruction.operands[0], warp_number(s));
    default:
      break;
  }
  if (const auto value = fixed_value(s, from.special, axis))
    return move_into(s, instruction.operands[0], number(*value));
  const auto special = read_by_s2r(from);
  if (!special)
    Selection::refuse(instruction, fmt::format("{} is not supported", ptx::info(from.special).word));
  move_into(s, instruction.operands[0], read_special(s, *special));
}

}  // namespace heddle::lower
