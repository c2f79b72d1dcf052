// Values of several words a lane, in as many rows; the row of the low words comes first.
#pragma once

#include <array>
#include <cstdint>

namespace heddle::exec {

/// That of one lane, of one word or two, in rows of `lanes` words.
inline std::uint64_t wide_value(const std::uint32_t* rows, unsigned words, unsigned lane, unsigned lanes) {
  return words == 1 ? rows[lane] : std::uint64_t{rows[lanes + lane]} << 32 | rows[lane];
}

/// The words of one lane, as memory has them beside one another; four at most.
inline std::array<std::uint32_t, 4> lane_words(const std::uint32_t* rows, unsigned words, unsigned lane,
                                               unsigned lanes) {
  std::array<std::uint32_t, 4> value{};
  for (unsigned word = 0; word < words; ++word) value[word] = rows[word * lanes + lane];
  return value;
}

}  // namespace heddle::exec
