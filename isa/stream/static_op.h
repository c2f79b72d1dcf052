// What the timing model knows of an instruction before it issues: where it runs and whom it waits for.
#pragma once

#include <cstdint>

#include "isa/base/types.h"
#include "isa/ir/register_use.h"
#include "isa/ir/timing_class.h"

namespace heddle::stream {

/// What an instruction asks for beyond a pipe.
enum class OpKind : std::uint8_t { Compute, Load, Store, Atomic, Barrier, Exit };

enum class MemorySpace : std::uint8_t { None, Global, Shared, Local };

inline constexpr std::uint8_t kMatrixRowBytes = 16;  ///< LDSM: 8 values of 16 bits.
inline constexpr unsigned kMatrixRows = 8;

inline constexpr std::uint32_t kNoConstant = ~0U;

struct StaticOp {
  Pc pc = 0;
  ir::TimingClass timing_class = ir::TimingClass::Nop;
  OpKind kind = OpKind::Compute;
  MemorySpace space = MemorySpace::None;
  std::uint8_t bytes_per_lane = 0;  ///< Memory operations only: from the address that the lane names.
  std::uint8_t matrices = 0;        ///< Of LDSM: lanes 8 i to 8 i + 7 name the rows of matrix i.
  std::uint32_t constant = kNoConstant;  ///< Byte of constant bank 3 that it names.
  bool has_constant_address = false;     ///< Of LDC: the lanes say which bytes, of bank 3 if `constant` names one.
  std::uint8_t barrier = 0;         ///< Named barrier, for barriers only.
  bool may_branch = false;          ///< The next instruction is known only when this one has resolved.
  ir::SlotList waits_for;           ///< Every slot read or written: all must be free before issue.
  ir::SlotList writes;              ///< Slots that the result makes busy.
};

/// The timing view of an instruction of the table.
StaticOp make_static_op(const ir::Instruction& instruction, Pc pc);

}  // namespace heddle::stream
