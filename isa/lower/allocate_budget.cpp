#include "isa/lower/allocate_budget.h"

#include <algorithm>

#include "isa/ir/registers.h"

namespace heddle::lower {

namespace {

// The same from Volta to Blackwell: each of an SM's four partitions has 16384 registers, which warps get in
// units of kRegisterUnit for each thread, and room for 16 warps.
constexpr unsigned kRegistersOfLane = 16384 / 32;
constexpr unsigned kMostWarps = 16;

}  // namespace

unsigned register_budget(unsigned registers) {
  constexpr unsigned kMost = ir::kMaxRegister + 1U;
  const unsigned with_reserved = registers + kReservedRegisters;
  const unsigned handed_out = (with_reserved + kRegisterUnit - 1) / kRegisterUnit * kRegisterUnit;
  const unsigned warps = std::clamp(kRegistersOfLane / handed_out, 1U, kMostWarps);
  return std::min(kRegistersOfLane / warps / kRegisterUnit * kRegisterUnit, kMost) - kReservedRegisters;
}

}  // namespace heddle::lower
