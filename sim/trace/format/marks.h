// What the tracer writes around a loop in which a warp spins: lines like those of instructions, but no warp
// executes them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace heddle::trace {

enum class Mark : std::uint8_t { None, RegionBegin, RegionEnd };

/// What all marks begin with, so that most opcodes are told apart at once.
inline constexpr std::string_view kMarkPrefix = "REPLAY_";

inline constexpr std::array<std::pair<std::string_view, Mark>, 2> kMarks = {{
    {"REPLAY_START", Mark::RegionBegin},
    {"REPLAY_END", Mark::RegionEnd},
}};

/// In every version of the format, what stands before and behind a mark, whatever columns other lines have.
inline constexpr std::string_view kBeforeMark = "0000 ffffffff 0 ";
inline constexpr std::string_view kBehindMark = " 0 0 0 0";

/// By what stands where instructions have their opcode.
constexpr Mark mark_of(std::string_view opcode) {
  if (!opcode.starts_with(kMarkPrefix)) return Mark::None;
  for (const auto& [name, mark] : kMarks) {
    if (opcode == name) return mark;
  }
  return Mark::None;
}

}  // namespace heddle::trace
