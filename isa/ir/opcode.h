// The instruction table as C++ sees it, made from opcodes.def.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/ir/modifier.h"
#include "isa/ir/timing_class.h"

namespace heddle::ir {

/// The rows of opcodes.def. What one does is in its Action and its OpcodeInfo: no code needs to switch on it.
enum class Opcode : std::uint16_t {
#define OPCODE(name, ...) name,
#include "isa/ir/opcodes.def"
#undef OPCODE
  kCount
};

inline constexpr std::size_t kOpcodes = static_cast<std::size_t>(Opcode::kCount);

/// Who carries an instruction out.
enum class Action : std::uint8_t {
  Lanes,            ///< each lane by itself: registers and predicates in, registers and predicates out
  SpecialRegister,  ///< needs to know which thread a lane is
  Shuffle,          ///< lanes read one another's registers
  Vote,             ///< in how many lanes a predicate holds
  MatchAny,         ///< which lanes have the same value
  MatchAll,         ///< whether all have
  Reduce,           ///< all lanes' values made one
  Elect,            ///< one lane of all
  PackPredicates,   ///< predicates to the bits of a register
  UnpackPredicates, ///< and back
  MatrixMultiply,   ///< all lanes together hold the matrices
  LoadMatrix,       ///< each row goes to several lanes
  StoreMatrix,      ///< each row comes from several lanes
  MultiplyInGroup,  ///< as MatrixMultiply, but by four warps, and while they go on
  ArriveInGroup,    ///< the four warps wait for one another
  AwaitProducts,    ///< or for groups of products
  UniformLanes,     ///< as Lanes, for uniform registers and predicates
  ToUniform,        ///< a register of one lane to a uniform register
  LoadConstant,     ///< lanes read constants whose places a register says
  Load,
  Store,
  FetchTexture,     ///< texels of a texture object, by coordinates
  LoadSurface,
  StoreSurface,
  Atomic,           ///< memory is read, changed and written back, lane by lane
  Branch,
  IndirectBranch,   ///< to the instruction whose number a register holds
  Call,
  Return,
  Arm,            ///< lanes become members of a convergence barrier
  Converge,       ///< and wait for one another there
  Leave,          ///< or are waited for no longer
  SaveBarrier,    ///< a register keeps for whom they wait, while the barrier's name serves another
  RestoreBarrier, ///< and gives it back
  WarpSync,       ///< lanes named by a mask wait for one another
  WarpSyncApart,  ///< and go on apart from lanes of other masks
  Yield,          ///< other lanes of the warp may go first
  Trap,           ///< the launch ends with an error
  Sleep,          ///< the warp pauses
  Barrier,        ///< warps of the block wait for one another
  BarrierArrive,  ///< or let others know that they have come
  BarrierReduce,  ///< or also count predicates
  BarrierResult,  ///< what came of the count
  BlockFence,     ///< memory operations are performed, for the block
  Fence,          ///< or for everyone
  InvalidateL1,   ///< what the SM has in L1 is not taken from there again
  Copy,           ///< from global to shared memory, while the warp goes on
  CommitCopies,
  AwaitCopies,
  InitMbarrier,
  ArriveMbarrier,
  ArriveAfterCopies,  ///< at an mbarrier, when the warp's copies are done
  TestMbarrier,       ///< or wait for its phase
  ClusterArrive,      ///< blocks of a cluster wait for one another
  ClusterWait,
  BulkLoad,           ///< from global to shared memory; an mbarrier tells when it is done
  BulkStore,          ///< back
  CommitBulk,         ///< the bulk stores since the last one make a group
  ProxyFence,
  Exit,
  Nop,
};

/// Whether an mbarrier is changed or read, by lanes that name it.
constexpr bool is_for_mbarrier(Action action) {
  return action == Action::InitMbarrier || action == Action::ArriveMbarrier || action == Action::ArriveAfterCopies ||
         action == Action::TestMbarrier;
}

/// Whether lanes may go on elsewhere than at the next instruction.
constexpr bool is_jump(Action action) {
  return action == Action::Branch || action == Action::IndirectBranch || action == Action::Call ||
         action == Action::Return;
}

/// Whether warps of the block meet there.
constexpr bool is_block_barrier(Action action) {
  return action == Action::Barrier || action == Action::BarrierArrive || action == Action::BarrierReduce;
}

/// What the sources of an instruction are: how a bare number is read, `1` being one or 1.0f, and which signs a
/// source may have.
enum class NumberType : std::uint8_t {
  Integer,   ///< whole numbers without signs
  Sum,       ///< whole numbers, perhaps -R1
  Inverse,   ///< whole numbers, perhaps ~R1: the high words of sums
  Addend,    ///< whole numbers, the 64-bit one perhaps -R2: what is added to a product
  Bits,      ///< words that nobody looks into: a number of any kind stands for its bits
  Float,     ///< perhaps -R1, |R1|; so are those that follow
  Double,    ///< in register pairs
  Half2,     ///< two halves in a register, a sign counting for both
  Bfloat2,   ///< two bfloat16 in a register
};

/// What may stand in an operand's place: operand_roles.def says which each is.
enum class OperandRole : std::uint8_t {
#define OPERAND_ROLE(name, ...) name,
#include "isa/ir/operand_roles.def"
#undef OPERAND_ROLE
};

/// Whether an operand of this role may be left out.
enum class Presence : std::uint8_t { Required, Optional };

/// What an instruction does with the registers that an operand names.
enum class RegisterAccess : std::uint8_t {
  None,     ///< It names none as a value. A constant may have an index; PR is what its place says.
  Reads,    ///< General registers, or uniform ones; those of an address, too.
  MayRead,  ///< What stands there can also be a constant or a number, or be left out.
  Writes,
  ReadsPredicate,
  WritesPredicate,
};

/// How many registers follow one another from the one that is named. For a constant: how many words.
enum class RegisterCount : std::uint8_t {
  One,
  Two,
  Four,
  Eight,
  Sixteen,
  Data,         ///< As many as data_bytes() take.
  Texels,       ///< Of a texture fetch: see isa/ir/texture_operands.h for this and the following ones.
  MoreTexels,
  Place,
  MorePlace,
  Sums,         ///< N / 2, N being the columns of a warpgroup's product; N / 4 where sums have 16 bits.
  Tile,         ///< The place of a tile and its coordinates.
  Descriptors,  ///< The descriptors of the matrices that a warpgroup's product has in shared memory.
};

/// A row of operand_roles.def.
struct OperandRoleInfo {
  Presence presence;
  RegisterAccess access;
  RegisterCount count;
  std::string_view symbol;    ///< In lists of instructions: "Rd", "[P]".
  std::string_view expected;  ///< In messages: "a register".
  std::string_view summary;
};

inline constexpr auto kOperandRoleTable = std::to_array<OperandRoleInfo>({
#define OPERAND_ROLE(name, presence, access, count, symbol, expected, summary) \
  {Presence::presence, RegisterAccess::access, RegisterCount::count, symbol, expected, summary},
#include "isa/ir/operand_roles.def"
#undef OPERAND_ROLE
});

constexpr const OperandRoleInfo& info(OperandRole role) {
  return kOperandRoleTable[static_cast<std::size_t>(role)];
}

inline constexpr std::size_t kMaxOperands = 8;

/// The row of an opcode.
struct OpcodeInfo {
  std::string_view mnemonic;
  Action action;
  TimingClass timing_class;
  NumberType number_type;
  std::array<OperandRole, kMaxOperands> operands;
  std::uint8_t operand_count;
  std::array<ModifierGroup, kModifierGroups> modifiers;  ///< In the order they are printed.
  std::array<bool, kModifierGroups> modifier_required;   ///< Beside `modifiers`.
  std::uint8_t modifier_count;
  std::string_view summary;
};

const OpcodeInfo& info(Opcode opcode);

/// Whether a kernel may have such an instruction. Bulk copies without operands are known from traces, which say what came
/// of them.
constexpr bool is_executable(const OpcodeInfo& row) {
  const bool is_bulk = row.action == Action::BulkLoad || row.action == Action::BulkStore;
  return !is_bulk || row.operand_count != 0;
}

constexpr bool is_optional(OperandRole role) { return info(role).presence == Presence::Optional; }

/// Whether the instruction writes the registers that are named. Predicates are not counted.
constexpr bool is_written_register(OperandRole role) { return info(role).access == RegisterAccess::Writes; }

/// What stands there may be a constant or a number, too.
constexpr bool is_read_register(OperandRole role) {
  return info(role).access == RegisterAccess::Reads || info(role).access == RegisterAccess::MayRead;
}

constexpr bool is_written_predicate(OperandRole role) {
  return info(role).access == RegisterAccess::WritesPredicate;
}

/// Whether it is carried out by the uniform datapath, once for the warp.
constexpr bool runs_once(const OpcodeInfo& row) {
  bool once = row.action == Action::UniformLanes;
  for (unsigned i = 0; i < row.operand_count; ++i) once = once || row.operands[i] == OperandRole::AllUniformPreds;
  return once;
}

/// The longest mnemonic of the table that `text` starts with, up to its end or a dot: IMAD.WIDE.U32 finds
/// IMAD.WIDE. Nothing if no row fits.
std::optional<Opcode> find_opcode(std::string_view text);

}  // namespace heddle::ir
