// The instructions of a trace, each stored once: the part of a line that is the same each time it executes.
#pragma once

#include <array>
#include <cstring>
#include <deque>
#include <string>
#include <unordered_map>

#include "sim/trace/format/marks.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

/// A limit that no real program reaches (4 MiB of SASS); it protects the memory of the simulator.
inline constexpr std::uint32_t kMostInstructions = 1 << 18;

/// A known instruction, and what it tells about the columns that follow it in a line.
struct KnownInstruction {
  TraceInstruction instruction;
  std::string text;        ///< The columns from the number of destinations to the width of the accesses.
  bool is_bulk = false;    ///< An instruction that can copy tiles: the addresses may be those of pieces.
  Mark mark = Mark::None;  ///< If it is a mark, it is not an instruction.
  bool is_exit = false;
  bool is_of_new_form = false;  ///< Has two immediates, whatever the head says.
};

/// All instructions seen so far, with a small direct-mapped cache by pc in front.
class InstructionTable {
 public:
  /// Returns the instruction that was last seen with this pc, if the text at `at` is the same as then; else
  /// null. `end` is the end of the line.
  [[nodiscard]] const KnownInstruction* recall(std::uint64_t pc, std::uint32_t source_line, const char* at,
                                               const char* end) const {
    const KnownInstruction* known = recent_[slot_of(pc)];
    if (known == nullptr || known->instruction.pc != pc || known->instruction.source_line != source_line) {
      return nullptr;
    }
    const std::size_t size = known->text.size();
    if (static_cast<std::size_t>(end - at) < size) return nullptr;
    return std::memcmp(at, known->text.data(), size) == 0 ? known : nullptr;
  }

  /// Parses the instruction, or finds it if it is known. Throws Malformed. `has_group_end` says whether GMMA
  /// instructions have a column for the end of their group.
  const KnownInstruction& learn(std::uint64_t pc, std::uint32_t source_line, const char* at,
                                bool has_group_end);

  [[nodiscard]] const TraceInstruction& operator[](std::uint32_t index) const {
    return in_order_[index]->instruction;
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(in_order_.size()); }

 private:
  static constexpr std::size_t kRecent = 4096;

  static std::size_t slot_of(std::uint64_t pc) { return pc / 16 % kRecent; }
  const KnownInstruction& keep(KnownInstruction known);

  std::array<const KnownInstruction*, kRecent> recent_{};
  std::unordered_map<std::string, KnownInstruction> all_;
  std::deque<const KnownInstruction*> in_order_;
};

}  // namespace heddle::trace
