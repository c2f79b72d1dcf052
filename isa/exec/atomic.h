// Atomic operations: what one lane does to memory, and how a warp's lanes take their turns.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/base/types.h"
#include "isa/ir/instruction.h"

namespace heddle::exec {

/// Returns what memory holds afterwards. Values of 32 bits are in the low halves; `b` is for compare-and-swap
/// only.
using AtomicFunction = std::uint64_t (*)(std::uint64_t old, std::uint64_t a, std::uint64_t b);

/// The function for an instruction whose opcode's action is Atomic.
AtomicFunction atomic_function(const ir::Instruction& instruction);

/// That of an operation (AtomicOperation) on values of a type (AtomicType); null if there is none.
AtomicFunction find_atomic(ir::Modifier operation, ir::Modifier type);

/// A warp's atomic with all that it needs, so that it can be applied later. Rows have `lanes_per_row` words;
/// values of 64 bits take two rows.
struct WarpAtomic {
  AtomicFunction function = nullptr;
  unsigned bytes = 4;  ///< 4 or 8; of bulk reductions 2, too
  LaneMask lanes = 0;
  const Addr* addresses = nullptr;  ///< Per lane, aligned to `bytes`.
  const std::uint32_t* a = nullptr;
  const std::uint32_t* b = nullptr;
  std::uint32_t* old = nullptr;  ///< Receives what was there; may point to `a` or `b`.
  bool tells_success = false;    ///< `old` receives 1 instead if memory held `a`, else 0.
  unsigned lanes_per_row = 32;

  [[nodiscard]] unsigned words() const { return bytes == 8 ? 2 : 1; }
};

/// Applies the atomic to host memory whose first byte has the address `base`: lane by lane, the lowest first,
/// so that lanes that name one address see one another's results. Returns whether memory has changed.
bool apply(const WarpAtomic& atomic, std::byte* host, Addr base);

}  // namespace heddle::exec
