// The text of the kernel that a launch file names: what lines of its instructions count in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/launch/launch_file.h"

namespace heddle::launch {

/// The kernel file as its author wrote it.
struct KernelSource {
  enum class Kind : std::uint8_t { Text, Ptx, Cuda, Machine };

  Kind kind = Kind::Text;  ///< What was written; Text: with NVIDIA's mnemonics.
  std::string name;        ///< The file's path; "<stdin>".
  std::string text;  ///< Instruction::line counts in it: of CUDA C++ it is the PTX that the compiler made.
  std::vector<std::string> files = {};  ///< Of machine code: the source files that ir::SourcePlace counts.
  /// CUDA C++ that came from standard input; to compilers its file is "<stdin>".
  std::string standard_input = {};
};

/// Of the launch that load_launch() makes with the same overrides. CUDA C++ is compiled again, if it is not
/// in the cache. Throws InputError as load_launch() does.
KernelSource kernel_source(const std::string& path, const LaunchOverrides& overrides);

}  // namespace heddle::launch
