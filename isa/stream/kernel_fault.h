// The simulated program's mistakes: what a real GPU reports as an error, or hangs on.
#pragma once

#include <stdexcept>

namespace heddle::stream {

/// Out of bounds, misaligned, never-written register, divergent barrier, deadlock, cycle limit. The message
/// names kernel, instruction, block, warp, lane and address, as far as they apply. The command prints it and
/// ends with exit code 3.
class KernelFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace heddle::stream
