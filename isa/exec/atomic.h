// Atomic operations: what one lane does to memory, and how a warp's lanes take their turns.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/base/types.h"
#include "isa/ir/instruction.h"

namespace heddle::exec {

/// What memory holds afterwards. Values of 32 bits are the low halves; `b` is for compare-and-swap only.
using AtomicFunction = std::uint64_t (*)(std::uint64_t old, std::uint64_t a, std::uint64_t b);

/// The function for an instruction whose opcode's action is Atomic.
AtomicFunction atomic_function(const ir::Instruction& instruction);

/// A warp's atomic with all it needs: whoever holds it decides when it happens. Rows are `lanes_per_row`
/// words, values of 64 bits two rows.
struct WarpAtomic {
  AtomicFunction function = nullptr;
  unsigned bytes = 4;  ///< 4 or 8
  LaneMask lanes = 0;
  const Addr* addresses = nullptr;  ///< Per lane, aligned to `bytes`.
  const std::uint32_t* a = nullptr;
  const std::uint32_t* b = nullptr;
  std::uint32_t* old = nullptr;  ///< Receives what was there; may be `a` or `b`.
  bool tells_success = false;    ///< It receives whether that was `a`, 1 or 0, instead.
  unsigned lanes_per_row = 32;
};

/// Applies it to host memory, of which `base` is the first address: lane by lane, the lowest first, so that
/// each lane of those that name one address finds what the one before it has left. Whether one has changed
/// anything.
bool apply(const WarpAtomic& atomic, std::byte* host, Addr base);

}  // namespace heddle::exec
