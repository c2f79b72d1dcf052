// Whose the turns to issue of a run are: every scheduler has one in every cycle of the run.
#pragma once

#include "tools/diff/comparison.h"

namespace heddle::diff {

/// Both are reports that run_of() has checked.
CycleChange cycle_change(const Json& before, const Json& after);

}  // namespace heddle::diff
