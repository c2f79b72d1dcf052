#include "tools/cuda/clang_arguments.h"

#include <fmt/format.h>

#include <filesystem>

namespace heddle::cuda {

namespace {

namespace fs = std::filesystem;

/// "c++17" of "17", "c++17" and "-std=c++17".
std::string standard_name(std::string standard) {
  if (standard.starts_with("-std=")) standard.erase(0, 5);
  const bool is_number = !standard.empty() && standard.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? "c++" + standard : standard;
}

}  // namespace

Arguments source_arguments(const std::string& path, const CompileOptions& options) {
  const fs::path folder = fs::path(path).parent_path();
  Arguments arguments = {"-std=" + standard_name(options.standard), "-I",
                         folder.empty() ? "." : folder.string()};
  for (const std::string& directory : options.include_directories)
    arguments.insert(arguments.end(), {"-I", directory});
  if (options.is_preprocessed) return arguments;
  for (const std::string& define : options.defines) arguments.insert(arguments.end(), {"-D", define});
  return arguments;
}

Arguments clang_language(const Compiler& compiler, const std::string& path, const CompileOptions& options) {
  Arguments arguments = {compiler.path,
                         "-x",
                         "cuda",
                         "--cuda-path=/nonexistent",
                         "-nocudainc",
                         "-nocudalib",
                         "-Wno-unknown-cuda-version",
                         "-Wno-register"};  // An error in C++17; nvcc takes the word.
  arguments.push_back(
      fmt::format("--cuda-gpu-arch=sm_{}", architecture_for(compiler, options.compute_capability)));
  // Without a version, clang compiles <<<>>> to the calls of CUDA 8.
  arguments.insert(arguments.end(), {"-Xclang", "-target-sdk-version=11.5", "-I", header_folder(options)});
  // libcu++ declares such functions to ask for types, and calls none.
  arguments.insert(arguments.end(), {"-Xclang", "-fcuda-allow-variadic-functions"});
  if (!options.is_preprocessed) arguments.insert(arguments.end(), {"-include", "cuda_runtime.h"});
  for (std::string& argument : source_arguments(path, options)) arguments.push_back(std::move(argument));
  arguments.insert(arguments.end(), options.more_arguments.begin(), options.more_arguments.end());
  return arguments;
}

}  // namespace heddle::cuda
