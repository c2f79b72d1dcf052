// Values of one or two words a lane, in as many rows; the row of the low words comes first.
#pragma once

#include <cstdint>

namespace heddle::exec {

/// That of one lane, in rows of `lanes` words.
inline std::uint64_t wide_value(const std::uint32_t* rows, unsigned words, unsigned lane, unsigned lanes) {
  return words == 1 ? rows[lane] : std::uint64_t{rows[lanes + lane]} << 32 | rows[lane];
}

}  // namespace heddle::exec
