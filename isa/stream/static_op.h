// What the timing model knows of an instruction before it issues: where it runs and whom it waits for.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/base/types.h"
#include "isa/ir/kernel.h"
#include "isa/ir/register_use.h"
#include "isa/ir/timing_class.h"
#include "isa/stream/op_kind.h"
#include "isa/stream/register_reads.h"

namespace heddle::stream {

enum class MemorySpace : std::uint8_t { None, Global, Shared, Local };

inline constexpr std::uint8_t kMatrixRowBytes = 16;  ///< LDSM: 8 values of 16 bits.
inline constexpr unsigned kMatrixRows = 8;

/// The first one's number in the block is a multiple of that.
inline constexpr unsigned kWarpgroupWarps = 4;

inline constexpr std::uint32_t kNoConstant = ~0U;

/// What each issue asks for, down to `waits_for`, lies in one line of the host's cache.
struct alignas(64) StaticOp {
  Pc pc = 0;
  ir::TimingClass timing_class = ir::TimingClass::Nop;
  OpKind kind = OpKind::Compute;
  MemorySpace space = MemorySpace::None;  ///< Of a fence: None for the block, Global for everyone.
  std::uint8_t bytes_per_lane = 0;  ///< Memory operations only: from the address that the lane names.
  bool joins_lanes = false;         ///< Of Atomic: those that name one address are served together.
  std::uint8_t matrices = 0;        ///< Of LDSM: lanes 8 i to 8 i + 7 name the rows of matrix i.
  /// What sum_up() finds: the one slot that it makes busy, if it does nothing else; otherwise kNeverWritten.
  ir::RegisterSlot only_result = ir::kNeverWritten;
  std::uint32_t constant = kNoConstant;  ///< Byte of constant bank 3 that it names.
  bool has_constant_address = false;     ///< Of LDC: the lanes say which bytes, of bank 3 if `constant` names one.
  /// Of AwaitCopies and AwaitProducts: so many of the last groups need not be done.
  std::uint8_t groups_left = 0;
  std::uint8_t column_groups = 0;     ///< Of GroupProduct: columns / 8.
  bool has_matrix_in_shared = false;  ///< Of GroupProduct: A comes from shared memory, as B does.
  bool closes_group = false;          ///< Of GroupProduct: with those since the last one that did.
  bool names_launch = false;          ///< A constant of bank 0: a size of the launch, or a parameter.
  bool past_l1 = false;             ///< Of Load and Copy: the data neither come from L1 nor enter it.
  RegisterReads register_reads;     ///< Of kernels whose registers lie in banks.
  bool may_branch = false;          ///< The next instruction is known only when this one has resolved.
  bool may_scatter = false;         ///< Of those: registers say where each lane goes.
  bool waits_for_few = false;       ///< What sum_up() finds: only for registers, no more than usual.
  ir::SlotList waits_for;           ///< Every slot read or written, but guards written: all must be free before issue.
  ir::SlotList writes;              ///< Slots that the result makes busy.
  ir::SlotRange sums;               ///< Of GroupProduct: what it adds to, and so makes busy.
  bool is_stand_in = false;  ///< Of a trace: takes the place of an opcode that cannot be timed as itself.
};

/// Finds what most instructions have in common, so that the timing model need not ask each: last of all, once
/// the rest is known. Without it nothing is wrong, but slow.
void sum_up(StaticOp& op);

/// The timing view of an instruction of the table.
StaticOp make_static_op(const ir::Instruction& instruction, Pc pc);
/// Of all instructions of a kernel, by Pc: with the registers they read together, if these lie in banks.
std::vector<StaticOp> make_static_ops(const ir::Kernel& kernel);

}  // namespace heddle::stream
