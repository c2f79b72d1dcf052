// Which registers an instruction of fixed latency reads, and which of them it keeps: for the ports of
// register banks.
#pragma once

#include <array>
#include <cstdint>

#include "isa/ir/instruction.h"
#include "isa/ir/timing_class.h"

namespace heddle::stream {

/// The registers of the instruction's numbers, by operand slot, which is their order; RZ where there is none.
struct RegisterReads {
  static constexpr unsigned kOperands = 3;

  std::array<std::uint8_t, kOperands> registers = {ir::kRegisterZero, ir::kRegisterZero, ir::kRegisterZero};
  std::uint8_t kept = 0;  ///< Bit i: operand i is written with .reuse.
  bool is_timed = false;  ///< False: how the instruction reads is not modelled, and the rest says nothing.

  friend bool operator==(const RegisterReads&, const RegisterReads&) = default;
};

/// Timed are instructions of fixed latency whose numbers are single registers: what the others do is not
/// known.
RegisterReads register_reads(const ir::Instruction& instruction);

}  // namespace heddle::stream
