// Twins without a launch file: further optimization steps.
#pragma once

#include "tools/hardware/kit/twin.h"

namespace kit {

constexpr int kReductionSteps = 7;

/// `step` is 1 to 7; n is a multiple of 1024. Step 7 has `blocks_of_last` blocks, at most n / 1024.
Twin make_reduction_step(int step, unsigned n, unsigned blocks_of_last);

/// Width and height are multiples of 32.
Twin make_matrix_copy(unsigned width, unsigned height);

}  // namespace kit
