// A line of a trace that is well formed but impossible.
#pragma once

#include <stdexcept>

namespace heddle::trace {

/// No warp can have executed this line here. The caller knows the position and makes an InputError of it.
class LineMistake : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace heddle::trace
