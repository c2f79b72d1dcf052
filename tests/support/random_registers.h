// Random kernels in which much is live at once: as text with as many physical registers as they like.
#pragma once

#include <cstdint>
#include <string>

#include "tests/support/lane_values.h"

namespace heddle::test {

struct RegistersProgram {
  std::string text;    ///< A kernel with two pointer parameters, "in" and "out".
  unsigned words = 0;  ///< That each thread reads, and then writes.
};

/// Words, pairs and quads that overlap; copies; guards; nested conditions on which lanes part, and loops of
/// different numbers of trips; uniform registers and predicates, which are written where all lanes are
/// together.
RegistersProgram random_registers_program(LaneValues& values);

}  // namespace heddle::test
