// Where CUDA C++ declares the parameters of a kernel: PTX has neither their names nor their lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cuda {

/// A parameter in the source: its name, and its line, counted from 1.
struct DeclaredParameter {
  std::string name;  ///< Empty where it has none.
  std::uint32_t line = 0;
};

/// The parameters of the __global__ function in the source that has the kernel's name, in order. `kernel` is
/// its name in PTX, mangled or not. Empty if the source has no such function, or several: macros are not
/// expanded.
std::vector<DeclaredParameter> declared_parameters(std::string_view source, const std::string& kernel);

}  // namespace heddle::cuda
