// Whole CUDA programs: host code by clang, device code as PTX within it, linked with Heddle's runtime
// library. They run on a simulated GPU.
#pragma once

#include <string>
#include <vector>

#include "tools/cuda/compile.h"

namespace heddle::cuda {

/// What is asked of the driver, as of nvcc.
struct ProgramOptions {
  /// CUDA C++ (.cu), C and C++, which are compiled; objects and libraries, which are linked.
  std::vector<std::string> inputs;
  std::string output;                       ///< Empty: a.out, or of each input its name with .o.
  bool are_all_cuda = false;                ///< C and C++ files, too, are CUDA C++.
  bool is_compiled_only = false;            ///< Objects are made, and no program.
  std::string device_code_ending;           ///< ".ptx": device code alone is made, in a file of this ending.
  CompileOptions code;                      ///< Of both halves.
  std::vector<std::string> host_arguments;  ///< Of host code alone: "-O2", "-g", "-Wall".
  std::vector<std::string> link_arguments;  ///< "-lm", "-L/usr/lib".
};

/// Makes them. Outputs appear whole or not at all. Returns what the compiler and the linker warned of. Throws
/// InputError with what they refused; CompileError has their own words.
std::string build_program(const ProgramOptions& options);

/// The path of libheddle_cudart.a. Throws InputError if it is not there.
std::string runtime_library();

}  // namespace heddle::cuda
