// NVRTC's options, as nvrtcCompileProgram takes them.
#pragma once

#include <span>
#include <stdexcept>
#include <string>

#include "tools/cuda/compile.h"

namespace heddle::nvrtc {

/// An option that NVRTC does not have, or whose value is missing or wrong.
class OptionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What they ask of the compiler.
struct RtcOptions {
  cuda::CompileOptions code;
  bool is_for_device = false;  ///< Functions without a qualifier are the device's (--device-as-default-...).
};

/// Each is a word, or two where a value follows: "-I", "folder". Throws OptionError.
RtcOptions read_options(std::span<const char* const> words);

}  // namespace heddle::nvrtc
