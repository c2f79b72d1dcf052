// The registers that an instruction names, physical or virtual: what control-flow analyses and register
// allocation ask.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>

#include "isa/ir/instruction.h"

namespace heddle::ir {

/// The register files of a warp: R, UR, P, UP.
enum class RegisterFile : std::uint8_t { General, Uniform, Predicate, UniformPredicate };

/// One register, named as operands name it: UP0 is index 8 of file UniformPredicate.
struct RegisterName {
  RegisterFile file = RegisterFile::General;
  RegisterIndex index = 0;

  friend auto operator<=>(const RegisterName&, const RegisterName&) = default;
};

/// R12, UR4, P0, UP0; and as PTX has them %r0, %ur0, %p0, %up0 the virtual ones.
std::string to_text(RegisterName name);

/// Registers of one file side by side, of which an instruction reads or writes each.
struct RegisterRun {
  /// What the instruction does with the run; Guard: it reads the predicate as its guard.
  enum class Use : std::uint8_t { Read, Guard, Written };

  RegisterFile file = RegisterFile::General;
  Use use = Use::Read;
  /// The sums of a warpgroup's product: perhaps 128 registers, which are written when the product is done.
  bool are_sums = false;
  std::uint16_t count = 0;
  RegisterIndex first = 0;
};

/// At most a guard, eight operands, an address having two registers, and seven predicates of a mask.
class RegisterRuns {
 public:
  void add(const RegisterRun& run) { runs_[count_++] = run; }
  [[nodiscard]] const RegisterRun* begin() const { return runs_.data(); }
  [[nodiscard]] const RegisterRun* end() const { return runs_.data() + count_; }

 private:
  std::uint8_t count_ = 0;
  std::array<RegisterRun, 24> runs_;
};

/// What the instruction reads and writes: the guard's predicate, then operand by operand. RZ, URZ, PT and UPT
/// are left out.
RegisterRuns registers_of(const Instruction& instruction);

/// The registers that the address at this place of the operands is made of.
RegisterRuns address_registers(const Instruction& instruction, std::size_t place);

/// Whether one of them is virtual.
bool has_virtual_registers(const Instruction& instruction);

}  // namespace heddle::ir
