// What is wrong with a line of a trace that is well written.
#pragma once

#include <stdexcept>

namespace heddle::trace {

/// No warp can have executed this line, or not here. Whoever knows where it stands makes an InputError of it.
class LineMistake : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace heddle::trace
