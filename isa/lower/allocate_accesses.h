// Every read and write of a register in a kernel, with the registers numbered without gaps.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "isa/ir/kernel.h"
#include "isa/ir/registers.h"

namespace heddle::lower {

inline constexpr std::size_t kRegisterFiles = 4;

/// One register that an instruction reads or writes.
struct Access {
  std::uint32_t number = 0;  ///< The register's number; later, that of its web.
  ir::RegisterFile file = ir::RegisterFile::General;
  bool is_written = false;
  /// A write that starts a new value, perhaps under a guard: nobody needs what the register held before.
  bool starts = false;
  std::uint8_t run = 0;     ///< Which of registers_of() it belongs to.
  std::uint16_t place = 0;  ///< In that run.
};

/// The condition under which a lane executes an instruction: its guard.
struct Condition {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::uint32_t predicate = kNone;  ///< Its register number; none: always, or never.
  bool negated = false;
  bool always = true;
};

/// The accesses of a kernel, by instruction. Made anew when the kernel has changed; Webs replaces the
/// registers' numbers by those of webs.
class Accesses {
 public:
  explicit Accesses(const ir::Kernel& kernel);

  /// What `pc` reads and writes, run by run as registers_of() has them.
  [[nodiscard]] std::span<Access> of(Pc pc) {
    return std::span(list_).subspan(first_[pc], first_[pc + 1] - first_[pc]);
  }
  [[nodiscard]] std::span<const Access> of(Pc pc) const {
    return std::span(list_).subspan(first_[pc], first_[pc + 1] - first_[pc]);
  }
  [[nodiscard]] const Condition& condition(Pc pc) const { return conditions_[pc]; }
  /// The registers by their numbers, in ascending order.
  [[nodiscard]] const std::vector<ir::RegisterName>& registers() const { return registers_; }

 private:
  void number_registers(const ir::Kernel& kernel);
  [[nodiscard]] std::uint32_t number_of(ir::RegisterFile file, ir::RegisterIndex index) const;

  std::vector<Access> list_;
  std::vector<std::uint32_t> first_;  // by pc
  std::vector<Condition> conditions_;
  std::vector<ir::RegisterName> registers_;
  std::array<std::vector<std::uint32_t>, kRegisterFiles> numbers_;  // by file and dense index
};

/// The index of a register if the virtual ones of its file followed the physical ones without a gap.
constexpr std::size_t dense_index(ir::RegisterFile file, ir::RegisterIndex index) {
  const bool is_far = file == ir::RegisterFile::UniformPredicate && ir::is_virtual(index);
  return is_far ? index - ir::kFirstVirtualUniformPredicate + ir::kFirstVirtual : index;
}

/// The register of such an index.
constexpr ir::RegisterIndex register_index(ir::RegisterFile file, std::size_t dense) {
  const auto index = static_cast<ir::RegisterIndex>(dense);
  const bool is_far = file == ir::RegisterFile::UniformPredicate && ir::is_virtual(index);
  return is_far ? index - ir::kFirstVirtual + ir::kFirstVirtualUniformPredicate : index;
}

}  // namespace heddle::lower
