// What the timing model knows of an instruction before it issues: where it runs and what it waits for.
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

/// The memory that an instruction accesses. Constants are none of these: see StaticOp::constant.
enum class MemorySpace : std::uint8_t { None, Global, Shared, Local };

inline constexpr std::uint8_t kMatrixRowBytes = 16;  ///< LDSM: 8 values of 16 bits.
inline constexpr unsigned kMatrixRows = 8;

/// Warps in a warpgroup. The number of its first warp in the block is a multiple of that.
inline constexpr unsigned kWarpgroupWarps = 4;

inline constexpr std::uint32_t kNoConstant = ~0U;

/// What the timing model knows of one static instruction. It does not change while a grid runs. What each issue
/// asks for, down to `waits_for`, lies in one line of the host's cache.
struct alignas(64) StaticOp {
  Pc pc = 0;
  ir::TimingClass timing_class = ir::TimingClass::Nop;
  OpKind kind = OpKind::Compute;
  MemorySpace space = MemorySpace::None;  ///< For a fence: None if it is for the block, Global if for everyone.
  std::uint8_t bytes_per_lane = 0;  ///< Bytes that each lane moves, from the address that it names; 0: no access.
  bool joins_lanes = false;         ///< Atomic: lanes that name one address are served together.
  std::uint8_t matrices = 0;        ///< LDSM: lanes 8 i to 8 i + 7 name the rows of matrix i.
  /// Set by sum_up(): the one slot that it makes busy, if it does nothing else; otherwise kNeverWritten.
  ir::RegisterSlot only_result = ir::kNeverWritten;
  std::uint32_t constant = kNoConstant;  ///< Byte of constant bank 3 that it names.
  bool has_constant_address = false;     ///< LDC: the lanes say which bytes, of bank 3 if `constant` names one.
  /// AwaitCopies and AwaitProducts: so many of the last groups need not be done.
  std::uint8_t groups_left = 0;
  std::uint8_t column_groups = 0;     ///< GroupProduct: columns / 8.
  bool has_matrix_in_shared = false;  ///< GroupProduct: A comes from shared memory, as B does.
  bool closes_group = false;          ///< GroupProduct: it ends the group of products since the last one that did.
  bool names_launch = false;          ///< It names a constant of bank 0: a size of the launch, or a parameter.
  bool past_l1 = false;             ///< Load and Copy: they bypass L1, which neither has nor gets their data.
  RegisterReads register_reads;     ///< The registers it reads together, if the kernel's registers lie in banks.
  bool may_branch = false;          ///< The next instruction is known only when this one has resolved.
  bool may_scatter = false;         ///< A branch whose registers say where each lane goes.
  bool waits_for_few = false;       ///< sum_up() found that it waits for registers only, and for few of them.
  /// Every slot read or written, but guards written: all must be free before issue. With a control code, the
  /// dependence barriers that it waits for: they take the places of the first slots.
  ir::SlotList waits_for;
  ir::SlotList writes;              ///< Slots that the result makes busy; with a control code a barrier, or none.
  ir::SlotRange sums;               ///< GroupProduct: the registers that it adds to, and so makes busy.
  bool is_stand_in = false;  ///< In a trace: it takes the place of an opcode that cannot be timed as itself.
  /// With a control code: after so many cycles the warp's next instruction may issue. 0: it has none.
  std::uint8_t stall = 0;
  std::uint8_t until_read = ir::kNoBarrier;  ///< With one: the barrier that is up until the sources are read.
  bool has_unwatched_result = false;         ///< With one: it writes registers, but raises no barrier for that.

  /// Whether its warp waits for what its control code says, rather than for registers.
  [[nodiscard]] bool has_control_code() const { return stall != 0; }
  /// Whether it writes registers or predicates.
  [[nodiscard]] bool has_result() const { return writes.size() != 0 || has_unwatched_result; }
};

/// Sets the fields that let the timing model take shortcuts for most instructions. To be called last, when
/// the other fields are set. Without it the model is slower, but not wrong.
void sum_up(StaticOp& op);

/// The StaticOp of an instruction.
StaticOp make_static_op(const ir::Instruction& instruction, Pc pc);
/// The StaticOps of all instructions of a kernel, by Pc. If its registers lie in banks, with the registers
/// that each instruction reads together. They wait for registers, whatever control codes there are.
std::vector<StaticOp> make_static_ops(const ir::Kernel& kernel);
/// Those of instructions with control codes wait from now on for what these say.
void obey_control_codes(const ir::Kernel& kernel, std::vector<StaticOp>& ops);

}  // namespace heddle::stream
