// Marks that the tracer writes around a loop in which a warp spins. They look like lines of instructions, but
// no warp executes them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace heddle::trace {

/// Whether a line is a mark, and which one.
enum class Mark : std::uint8_t { None, RegionBegin, RegionEnd };

/// The prefix of all marks. One comparison with it rules out most opcodes.
inline constexpr std::string_view kMarkPrefix = "REPLAY_";

inline constexpr std::array<std::pair<std::string_view, Mark>, 2> kMarks = {{
    {"REPLAY_START", Mark::RegionBegin},
    {"REPLAY_END", Mark::RegionEnd},
}};

/// The columns before and behind a mark. They are the same in all versions of the format.
inline constexpr std::string_view kBeforeMark = "0000 ffffffff 0 ";
inline constexpr std::string_view kBehindMark = " 0 0 0 0";

/// The mark that an opcode stands for.
constexpr Mark mark_of(std::string_view opcode) {
  if (!opcode.starts_with(kMarkPrefix)) return Mark::None;
  for (const auto& [name, mark] : kMarks) {
    if (opcode == name) return mark;
  }
  return Mark::None;
}

}  // namespace heddle::trace
