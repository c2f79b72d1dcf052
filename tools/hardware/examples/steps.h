// Twins that have no launch file: further rungs of the ladders.
#pragma once

#include "tools/hardware/kit/twin.h"

namespace kit {

constexpr int kReductionSteps = 7;

/// Step 1 to 7; n a multiple of 1024. The seventh has as many blocks as it is given, n / 1024 at most.
Twin make_reduction_step(int step, unsigned n, unsigned blocks_of_last);

/// Width and height are multiples of 32.
Twin make_matrix_copy(unsigned width, unsigned height);

}  // namespace kit
