// What a compiler says of each instruction to the scheduler, in bits 105 to 125 of its encoding since compute
// capability 7.0. The fields are those that Jia and others measured ("Dissecting the NVIDIA Volta GPU
// Architecture via Microbenchmarking", 2018).
#pragma once

#include <cstdint>
#include <string>

#include "isa/cubin/image.h"

namespace heddle::cubin {

inline constexpr std::uint8_t kNoBarrier = 7;

/// The control codes of an instruction.
struct Control {
  std::uint8_t stall = 0;  ///< Cycles before the warp's next instruction may issue, 0 to 15.
  bool yield = false;      ///< Another warp may go first: the bit is not set.
  std::uint8_t write_barrier =
      kNoBarrier;  ///< The barrier, 0 to 5, that is there until the result is written.
  std::uint8_t read_barrier = kNoBarrier;  ///< The barrier that is there until the sources have been read.
  std::uint8_t wait_mask = 0;              ///< The barriers that it waits for before it issues, bit by bit.
  std::uint8_t reuse = 0;                  ///< The source operands that stay in the reuse cache, bit by bit.

  friend bool operator==(const Control&, const Control&) = default;
};

Control control_of(const Encoding& encoding);

/// As a column that people read: "B01----:R2:W-:Y:S04": waits for barriers 0 and 1, sets barrier 2 until it
/// has read, sets none for its result, lets another warp go first, and the next instruction issues 4 cycles
/// later at the earliest.
std::string to_text(const Control& control);

}  // namespace heddle::cubin
