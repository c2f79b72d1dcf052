// Values of several words a lane, in as many rows; the row of the low words comes first.
#pragma once

#include <array>
#include <cstdint>

#include "isa/exec/result_nan.h"

namespace heddle::exec {

/// The integer of one lane, of one word or two, in rows of `lanes` words.
inline std::uint64_t wide_value(const std::uint32_t* rows, unsigned words, unsigned lane, unsigned lanes) {
  return words == 1 ? rows[lane] : std::uint64_t{rows[lanes + lane]} << 32 | rows[lane];
}

/// Each lane's integer of one word or two becomes its opposite.
inline void negate(std::uint32_t* rows, unsigned words, unsigned lanes) {
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const std::uint64_t value = 0 - wide_value(rows, words, lane, lanes);
    rows[lane] = static_cast<std::uint32_t>(value);
    if (words == 2) rows[lanes + lane] = static_cast<std::uint32_t>(value >> 32);
  }
}

/// Doubles whose sign was changed have their own again where they are NaN.
inline void restore_nans(std::uint32_t* rows, const std::uint32_t* before, unsigned lanes) {
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (is_double_nan(wide_value(before, 2, lane, lanes))) rows[lanes + lane] = before[lanes + lane];
  }
}

/// The words of one lane, as memory has them beside one another; four at most.
inline std::array<std::uint32_t, 4> lane_words(const std::uint32_t* rows, unsigned words, unsigned lane,
                                               unsigned lanes) {
  std::array<std::uint32_t, 4> value{};
  for (unsigned word = 0; word < words; ++word) value[word] = rows[word * lanes + lane];
  return value;
}

}  // namespace heddle::exec
