// The simulated program's mistakes: what a real GPU reports as an error, or hangs on.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "isa/base/types.h"

namespace heddle::stream {

/// What went wrong in the simulated program.
enum class FaultKind : std::uint8_t {
  OutOfBounds,        ///< An address that no buffer, or not the block's or the thread's own memory, holds.
  Misaligned,         ///< An address that is no multiple of the access's size.
  UseAfterFree,       ///< An address in a buffer that has been freed.
  UnwrittenRegister,  ///< A register is read that was never written.
  Barrier,            ///< Warps or lanes disagree about a barrier, or some of them do not come.
  ControlFlow,        ///< A jump, call or return leads to no place.
  Lanes,              ///< An instruction of the whole warp or warpgroup is not executed by all of it.
  Trap,               ///< The program itself says that something is wrong: a failed assertion, __trap().
  Deadlock,           ///< No warp can go on.
  CycleLimit,         ///< The launch takes longer than it may.
  Other,
};

/// Where a fault happened, as far as it happened in one place.
struct FaultPlace {
  std::optional<Pc> pc;               ///< The instruction.
  std::uint32_t line = 0;             ///< Its line in the kernel's text; 0: not known.
  std::optional<BlockId> block;       ///< By its linear index in the grid.
  std::optional<std::uint32_t> warp;  ///< In its block.
  std::optional<unsigned> lane;       ///< In its warp.
  std::optional<Addr> address;
};

/// The message names kernel, instruction, block, warp, lane and address, as far as they apply. The command
/// prints it and ends with exit code 3.
class KernelFault : public std::runtime_error {
 public:
  KernelFault(FaultKind kind, const std::string& message, const FaultPlace& place = {})
      : std::runtime_error(message), kind_(kind), place_(place) {}

  /// The same fault with another message.
  [[nodiscard]] KernelFault with_message(const std::string& message) const {
    return {kind_, message, place_};
  }

  [[nodiscard]] FaultKind kind() const { return kind_; }
  [[nodiscard]] const FaultPlace& place() const { return place_; }

 private:
  FaultKind kind_;
  FaultPlace place_;
};

}  // namespace heddle::stream
