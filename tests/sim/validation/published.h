// Figures that others measured on real GPUs, beside what the model says. A figure that is more than 5 % off
// must have its row in tests/validation/DEVIATIONS.md, with the very numbers and a reason; a row without its
// figure is refused.
#pragma once

#include <string>
#include <vector>

#include "tests/support/sm_harness.h"

namespace heddle::test {

struct Figure {
  std::string gpu;
  std::string what;
  double measured = 0;
  double simulated = 0;
};

/// Checks the figures of one case, "V5".
void check_published(const std::string& name, const std::vector<Figure>& figures);

/// Cycles of the SM that is busy, of a kernel of one block.
Cycle cycles_of(TextKernel& kernel, const sim::GpuSpec& spec);

}  // namespace heddle::test
