// The instructions of a trace, each once: the part of a line that is the same whenever the program comes by.
#pragma once

#include <array>
#include <cstring>
#include <deque>
#include <string>
#include <unordered_map>

#include "sim/trace/format/marks.h"
#include "sim/trace/format/trace_line.h"

namespace heddle::trace {

/// What no program has, so that no file fills the memory: 4 MiB of SASS.
inline constexpr std::uint32_t kMostInstructions = 1 << 18;

/// What a line's columns mean behind those that are always the same.
struct KnownInstruction {
  TraceInstruction instruction;
  std::string text;        ///< From the number of destinations up to the width of its accesses.
  bool is_bulk = false;    ///< By its name it copies tiles: the addresses may be those of pieces.
  Mark mark = Mark::None;  ///< If it is one, it is no instruction.
  bool is_exit = false;
  bool is_of_new_form = false;  ///< Has two immediates, whatever the head says.
};

class InstructionTable {
 public:
  /// What stands at `at` if it is as it was at this place before; else null. `end` is that of the line.
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

  /// Takes the instruction apart, or finds it if it is known. Throws Malformed. `has_group_end` says whether
  /// GMMA instructions have a column for the end of their group.
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
