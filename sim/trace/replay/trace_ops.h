// The instructions of a trace as the timing model sees them, and what had to be guessed about them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

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
  std::string as;  ///< Mnemonic of the instruction table; or the class, where the GPU has not the opcode's.
  std::uint64_t warp_instructions = 0;
};

class TraceOps {
 public:
  /// A kernel with more instructions than this is refused: 4 MiB of code.
  static constexpr std::size_t kMost = 1U << 18;

  TraceOps(const TraceHeader& header, const AbsentClasses& absent);

  /// What a recording of our own knows of its instructions: nothing is guessed any more.
  void know(const FactsFile& facts);

  /// The operation of a line, which counts as issued. Throws LineMistake beyond kMost, and where
  /// the line cannot be such an operation.
  std::uint32_t issue(const TraceLine& line);

  /// The same for lanes of a warp that come to a barrier after others of it: the warp has come already.
  std::uint32_t issue_latecomers(const TraceLine& line);

  /// Stays where it is.
  [[nodiscard]] const stream::StaticOp& operator[](std::uint32_t op) const { return ops_[op]; }
  /// In the order in which they were met. An instruction with generic addresses has one a space.
  [[nodiscard]] std::span<const stream::StaticOp> all() const { return ops_; }
  /// Slots that they name lie below this.
  [[nodiscard]] std::uint32_t register_slots() const;

  /// By opcode, in alphabetical order.
  [[nodiscard]] std::vector<Approximation> approximations() const;

 private:
  static constexpr std::uint32_t kNone = ~0U;

  /// Of an instruction: its operation, by the space of its addresses if they are generic.
  struct Known {
    bool is_generic = false;
    std::array<std::uint32_t, 4> ops = {kNone, kNone, kNone, kNone};  // by MemorySpace
    std::uint32_t latecomers = kNone;
    bool is_compared = false;  // with what is known of a recording
  };
  /// What is counted for an operation.
  struct Use {
    std::string opcode;
    std::string as;  // empty if it is what it is
    std::uint64_t issued = 0;
  };

  [[nodiscard]] stream::MemorySpace space_of(const TraceLine& line) const;
  std::uint32_t add(const TraceLine& line, stream::MemorySpace generic);
  void fall_back(stream::StaticOp& op, std::string& as) const;

  Addr shared_base_;
  Addr local_base_;
  bool has_uniform_;
  bool is_compiled_;  // so that registers lie in the banks that their numbers say
  const FactsFile* facts_ = nullptr;
  AbsentClasses absent_;
  std::vector<Known> known_;  // by index of the instruction
  std::vector<stream::StaticOp> ops_;
  std::vector<Use> uses_;  // beside ops_
};

/// Generic addresses of shared and of local memory lie in windows of this size.
inline constexpr Addr kWindowBytes = Addr{1} << 24;

}  // namespace heddle::trace
