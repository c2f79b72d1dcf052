// Finds a compiler that makes PTX of CUDA C++: clang, which every distribution has, or NVIDIA's nvcc.
#pragma once

#include <optional>
#include <string>

namespace heddle::cuda {

/// A compiler that was found on this machine.
struct Compiler {
  /// Whose options it takes.
  enum class Kind { Clang, Nvcc };

  std::string path;
  Kind kind = Kind::Clang;
  unsigned version = 0;  ///< 14 for clang 14.0.6, 13 for CUDA 13.0.
  std::string banner;    ///< What it says about itself: version and build.
};

/// What clang 14 and later can be asked for.
inline constexpr unsigned kOldestClang = 14;
inline constexpr unsigned kNewestClang = 22;

/// `asked` is a path, or a name in $PATH. Otherwise it is $HEDDLE_CUDA_COMPILER, otherwise the newest of
/// clang++-22 to clang++-14, clang++, nvcc. Throws InputError, which says what to install, if there is none.
Compiler find_compiler(const std::optional<std::string>& asked);

/// NVIDIA's compiler alone: `asked`, otherwise $HEDDLE_CUDA_COMPILER if that is one, otherwise the one in $PATH or in
/// /usr/local/cuda. Throws InputError if there is none.
Compiler find_nvcc(const std::optional<std::string>& asked);

/// The greatest compute capability (80 of 8.0) up to the GPU's that the compiler makes PTX for.
unsigned architecture_for(const Compiler& compiler, unsigned compute_capability);

/// The greatest version of PTX that this clang writes, 75 of 7.5.
unsigned ptx_version_of_clang(unsigned version);

}  // namespace heddle::cuda
