// The instructions of a trace as operations of the timing model, and the opcodes that had to be approximated.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "isa/ir/instruction.h"
#include "isa/ir/timing_class.h"
#include "isa/stream/static_op.h"
#include "sim/trace/format/trace_header.h"
#include "sim/trace/format/trace_line.h"
#include "sim/trace/replay/facts_file.h"

namespace heddle::trace {

/// Timing classes that a GPU does not have.
using AbsentClasses = std::array<bool, ir::kTimingClasses>;

/// An opcode that was timed as another one.
struct Approximation {
  std::string opcode;
  /// Mnemonic in the instruction table; or the timing class, if the GPU lacks that of the opcode.
  std::string as;
  std::uint64_t warp_instructions = 0;
};

/// All operations of one trace, with counts of how often each was issued.
class TraceOps {
 public:
  /// Kernels with more instructions are refused (4 MiB of code).
  static constexpr std::size_t kMost = 1U << 18;

  TraceOps(const TraceHeader& header, const AbsentClasses& absent);

  /// Takes over the operations from the facts file of a trace that Heddle recorded. Then nothing is
  /// approximated.
  void know(const FactsFile& facts);

  /// The operation of a line, which counts as issued. Throws LineMistake beyond kMost operations, or if the
  /// line cannot be such an operation.
  std::uint32_t issue(const TraceLine& line);

  /// The same for lanes that reach a barrier after others of their warp; the warp has arrived already.
  std::uint32_t issue_latecomers(const TraceLine& line);

  /// An operation by its index. It does not move in memory.
  [[nodiscard]] const stream::StaticOp& operator[](std::uint32_t op) const { return ops_[op]; }
  /// The row and modifiers of an operation that works on mbarriers or copies in bulk.
  [[nodiscard]] const ir::Instruction& instruction(std::uint32_t op) const { return asynchronous_.at(op); }
  /// In the order in which they first came up. An instruction with generic addresses has one operation for
  /// each memory space.
  [[nodiscard]] std::span<const stream::StaticOp> all() const { return ops_; }
  /// One more than the highest register slot that an operation names.
  [[nodiscard]] std::uint32_t register_slots() const;

  /// Sorted by opcode.
  [[nodiscard]] std::vector<Approximation> approximations() const;

 private:
  static constexpr std::uint32_t kNone = ~0U;

  /// The operations of an instruction. With generic addresses there is one for each memory space.
  struct Known {
    bool is_generic = false;
    std::array<std::uint32_t, 4> ops = {kNone, kNone, kNone, kNone};  // by MemorySpace
    std::uint32_t latecomers = kNone;
    bool is_compared = false;  // whether it was compared with the facts file
  };
  /// The counts of one operation.
  struct Use {
    std::string opcode;
    std::string as;  // empty if it is not approximated
    std::uint64_t issued = 0;
  };

  [[nodiscard]] stream::MemorySpace space_of(const TraceLine& line) const;
  std::uint32_t add(const TraceLine& line, stream::MemorySpace generic);
  void fall_back(stream::StaticOp& op, std::string& as) const;

  Addr shared_base_;
  Addr local_base_;
  bool has_uniform_;
  bool is_compiled_;  // then the register numbers tell the register banks
  const FactsFile* facts_ = nullptr;
  AbsentClasses absent_;
  std::vector<Known> known_;  // by the instruction's index
  std::vector<stream::StaticOp> ops_;
  std::vector<Use> uses_;  // parallel to ops_
  std::map<std::uint32_t, ir::Instruction> asynchronous_;
};

/// The size in bytes of the windows of generic addresses that mean shared and local memory.
inline constexpr Addr kWindowBytes = Addr{1} << 24;

}  // namespace heddle::trace
