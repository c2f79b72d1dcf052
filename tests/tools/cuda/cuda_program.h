// CUDA programs for tests: compiled by the command, run as they are. What needs clang says so and passes
// where there is none.
#pragma once

#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "tests/support/catch.h"
#include "tests/support/scratch_folder.h"
#include "tools/cuda/compiler.h"
#include "tools/cuda/process.h"

namespace heddle::cuda {

inline bool has_clang() {
  try {
    if (find_compiler({}).kind == Compiler::Kind::Clang) return true;
  } catch (const InputError&) {
  }
  WARN("skipped: there is no clang; apt install clang");
  return false;
}

/// Whether programs without sanitizers can load the library.
inline bool has_plain_library() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  WARN("skipped: the library is built with sanitizers, which the programs here are not");
  return false;
#else
  return true;
#endif
}

/// The path of NVIDIA's compiler. Empty where there is none, which it says.
inline std::string nvcc_if_any() {
  try {
    return find_nvcc({}).path;
  } catch (const InputError&) {
    WARN("skipped: there is no nvcc");
    return {};
  }
}

/// Likewise, for programs that are to load the library.
inline std::string nvcc_for_programs() { return has_plain_library() ? nvcc_if_any() : std::string(); }

/// The text of a program whose main() is `body`; check() ends it with the line of a call that failed.
inline std::string program_of(const std::string& kernels, const std::string& body) {
  return R"(
#include <cstdio>
#include <vector>
#define check(call)                                                       \
  if (cudaError_t error = call; error != cudaSuccess) {                   \
    std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(error));    \
    return 1;                                                             \
  }
)" + kernels +
         "int main() {\n" + body + "  return 0;\n}\n";
}

/// A program that has been compiled, in a folder of its own.
class CudaProgram {
 public:
  explicit CudaProgram(const std::string& text) {
    const std::string source = folder.write("program.cu", text);
    const FinishedProgram compiled = run_program({HEDDLE_COMMAND, "cuda", "-o", path(), "-O1", source});
    INFO(compiled.errors);
    REQUIRE(compiled.exit_code == 0);
  }

  [[nodiscard]] std::string path() const { return folder.path("program"); }

  /// Runs it on the tests' GPU, unless the environment names another.
  [[nodiscard]] FinishedProgram run(const std::vector<std::string>& environment = {}) const {
    std::vector<std::string> command = {"env", "HEDDLE_GPU=tiny", "HEDDLE_THREADS=1"};
    command.insert(command.end(), environment.begin(), environment.end());
    command.push_back(path());
    return run_program(command);
  }

  /// The same by heddle exec.
  [[nodiscard]] FinishedProgram exec(const std::vector<std::string>& options) const {
    std::vector<std::string> command = {HEDDLE_COMMAND, "exec", "--gpu", "tiny"};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"--", path()});
    return run_program(command);
  }

  test::ScratchFolder folder;
};

}  // namespace heddle::cuda
