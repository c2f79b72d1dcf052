// CUDA C++ to PTX, by clang or nvcc. With clang, neither NVIDIA's headers nor its device libraries are
// needed: Heddle's own stand in tools/cuda/include.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isa/base/diagnostic.h"
#include "tools/cuda/compiler.h"

namespace heddle::cuda {

/// What is asked of the compiler.
struct CompileOptions {
  std::optional<std::string> compiler = {};           ///< A path, or a name in $PATH.
  std::vector<std::string> defines = {};              ///< "TILE=16", or "TILE".
  std::vector<std::string> include_directories = {};  ///< Searched after the file's own folder.
  std::string standard = "c++17";
  unsigned optimization = 3;  ///< 0 to 3.
  /// The GPU's, 80 for 8.0; an older one is taken if the compiler is older.
  unsigned compute_capability = 80;
  bool fast_math = false;  ///< Approximate functions, no denormals, as nvcc's -use_fast_math.
  /// Machine code for exactly this capability, by nvcc, instead of PTX.
  bool is_machine_code = false;
  std::vector<std::string> more_arguments = {};  ///< Clang's own options.
  bool is_preprocessed = false;                  ///< The file has all headers and macros in it.
  bool is_cached = true;                         ///< What was compiled before need not be compiled again.
  /// Heddle's CUDA headers lie beside this folder of GPU files; that of the command if it is not set.
  std::optional<std::string> configs_directory = {};
};

/// What the compiler made.
struct CompiledPtx {
  std::string text;  ///< PTX, or the bytes of a .cubin.
  Compiler compiler;
  unsigned compute_capability = 0;  ///< The one that the PTX was made for.
  std::string warnings;  ///< As the compiler printed them; nothing if the PTX comes from the cache.
  bool is_cached = false;
  /// clang was given another text than that of the file: see clang_text.h.
  bool is_changed = false;
};

/// The compiler refused the program. what() is what it printed, unchanged.
class CompileError : public InputError {
 public:
  CompileError(const std::string& path, const Compiler& compiler, std::string printed);
  [[nodiscard]] const char* what() const noexcept override { return printed_.c_str(); }

 private:
  std::string printed_;
};

/// The file after the preprocessor, by clang with these arguments, as clang takes it (clang_text.h).
/// Nothing if it is there already. Throws InputError.
std::optional<std::string> preprocessed_for_clang(const Compiler& compiler, const std::string& path,
                                                  const std::vector<std::string>& arguments);

/// Compiles the device half of a file. Lines of the source are in the PTX (.loc). Throws InputError.
CompiledPtx compile_cuda(const std::string& path, const CompileOptions& options);

/// The folder of Heddle's CUDA headers, by the options. Throws InputError if there is none.
std::string header_folder(const CompileOptions& options);

}  // namespace heddle::cuda
