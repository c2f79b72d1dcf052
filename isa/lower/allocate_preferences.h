// Preferences: which registers a value should avoid, where there is a choice, because they would make a warp
// wait.
#pragma once

#include <vector>

#include "isa/lower/allocate_webs.h"

namespace heddle::lower {

/// The preferences of webs in general registers. Both are lists by web, and symmetric: a web that is in another's
/// list has it in its own.
struct Preferences {
  /// Values that an instruction reads beside this one. A sub-partition's registers have two banks, of even and
  /// of odd registers (arXiv 2503.20481), and an instruction reads from both at once. A value that is read so
  /// twice is in the list twice.
  std::vector<std::vector<Web>> other_bank;
  /// Values that are read for the last time shortly before this one is written, by an instruction whose time
  /// is not known beforehand (loads, stores, special functions, conversions). It may not have read them yet,
  /// so that whoever writes to their register must wait for it.
  std::vector<std::vector<Web>> resting;
};

Preferences find_preferences(const ir::Kernel& kernel, const Webs& webs);

}  // namespace heddle::lower
