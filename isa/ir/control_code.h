// What a compiler says of each instruction to the scheduler. NVIDIA's GPUs since Maxwell check no registers:
// a warp waits for what these codes say, and for nothing else. Source: Huerta and others, "Analyzing Modern
// NVIDIA GPU cores", 2025, section 4.1, measured on compute capability 8.6.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::ir {

/// A warp's dependence barriers, SB0 to SB5: each counts instructions that have not read or written yet.
inline constexpr unsigned kDependenceBarriers = 6;
inline constexpr unsigned kEveryBarrier = (1U << kDependenceBarriers) - 1;  ///< As a mask.
inline constexpr unsigned kNoBarrier = 7;                                   ///< Stands for none of them.
inline constexpr unsigned kMostStall = 15;                                  ///< Cycles that a code can count.

/// The control code of an instruction. As small as an encoding has it: every instruction has the place for
/// one.
struct ControlCode {
  bool is_given : 1 = false;    ///< If not, the instruction has none.
  bool yield : 1 = false;       ///< Another warp may go first: the encoding's bit is not set.
  std::uint32_t stall : 4 = 0;  ///< Cycles before the warp's next instruction may issue.
  std::uint32_t write_barrier : 3 = kNoBarrier;  ///< The barrier that is up until the result is written.
  std::uint32_t read_barrier : 3 = kNoBarrier;   ///< The barrier that is up until the sources have been read.
  std::uint32_t wait_mask : kDependenceBarriers =
                                0;  ///< The barriers that it waits for before it issues, bit by bit.

  friend bool operator==(const ControlCode&, const ControlCode&) = default;
};

static_assert(sizeof(ControlCode) == sizeof(std::uint32_t));

/// After how many cycles the warp's next instruction may issue: 1 at least, and 2 if it yields, since such a
/// warp does not issue in the next cycle.
constexpr std::uint8_t cycles_to_next(const ControlCode& code) {
  return static_cast<std::uint8_t>(std::max<std::uint32_t>(code.stall, code.yield ? 2 : 1));
}

/// As a column that people read: "B01----:R2:W-:Y:S04": waits for barriers 0 and 1, barrier 2 is up until it
/// has read, none until its result is written, lets another warp go first, and the next instruction issues 4
/// cycles later at the earliest.
std::string to_text(const ControlCode& code);
/// The code of such a column; none is given if the text is no such column.
ControlCode control_code_of(std::string_view text);

}  // namespace heddle::ir
