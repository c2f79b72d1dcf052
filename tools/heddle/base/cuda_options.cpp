#include "tools/heddle/base/cuda_options.h"

#include <fmt/format.h>

namespace heddle::command {

void add_cuda_options(Syntax& syntax) {
  auto add = syntax.options.add_options();
  add("define,D", list_option("NAME[=VALUE]"), "of CUDA C++: defines a macro");
  add("include,I", list_option("FOLDER"), "of CUDA C++: looks for headers there too");
  add("std", text_option("c++17"), "of CUDA C++: the version of C++; c++17 if not given");
  add("fast-math", "of CUDA C++: approximate functions and no denormals, as nvcc's -use_fast_math");
  add("maxrregcount", text_option("N"),
      "of PTX and CUDA C++: the most registers of a thread, 16 to 255, as nvcc's option of this name");
  add("compiler", text_option("PROGRAM"),
      "of CUDA C++: clang 14 or newer, or nvcc; otherwise $HEDDLE_CUDA_COMPILER, or the newest clang that is found");
}

cuda::CompileOptions cuda_options_of(const OptionValues& values) {
  cuda::CompileOptions options;
  options.compiler = text_of(values, "compiler");
  options.defines = list_of(values, "define");
  options.include_directories = list_of(values, "include");
  options.standard = text_of(values, "std").value_or(options.standard);
  options.fast_math = values.count("fast-math") != 0;
  for (const std::string& define : options.defines)
    if (define.empty() || define[0] == '=')
      throw UsageError(fmt::format("--define {}: must be NAME or NAME=VALUE", define));
  return options;
}

std::optional<std::uint32_t> most_registers_of(const OptionValues& values) {
  constexpr std::uint32_t kFewest = 16, kMost = 255;
  const auto number = size_of(values, "maxrregcount", kMost);
  if (number && *number < kFewest)
    throw UsageError(fmt::format("--maxrregcount {}: must be {} to {}", *number, kFewest, kMost));
  return number;
}

}  // namespace heddle::command
