#include "tools/cuda/compile.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "isa/base/read_file.h"
#include "sim/config/load.h"
#include "tools/cuda/clang_arguments.h"
#include "tools/cuda/clang_text.h"
#include "tools/cuda/process.h"
#include "tools/cuda/ptx_cache.h"
#include "tools/cuda/scratch_folder.h"

namespace heddle::cuda {

namespace {

namespace fs = std::filesystem;

void add(Arguments& arguments, std::initializer_list<std::string> more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
}

/// Of the front end, which has another name for it since it takes HIP, too.
std::string approximation_option(const Compiler& clang) {
  constexpr unsigned kFirstWithNewName = 17;
  return clang.version < kFirstWithNewName ? "-fcuda-approx-transcendentals" : "-fgpu-approx-transcendentals";
}

Arguments clang_arguments(const Compiler& compiler, const std::string& path, const CompileOptions& options) {
  Arguments arguments = clang_language(compiler, path, options);
  add(arguments, {"--cuda-device-only", "-Xclang", "-target-feature", "-Xclang",
                  fmt::format("+ptx{}", ptx_version_of_clang(compiler.version))});
  add(arguments, {fmt::format("-O{}", options.optimization), "-gline-tables-only"});
  if (options.fast_math)
    add(arguments, {"-fcuda-flush-denormals-to-zero", "-Xclang", approximation_option(compiler), "-mllvm",
                    "-nvptx-prec-divf32=0", "-mllvm", "-nvptx-prec-sqrtf32=0"});
  return arguments;
}

Arguments nvcc_arguments(const Compiler& compiler, const std::string& path, const CompileOptions& options) {
  Arguments arguments = {compiler.path, "-x", "cu", "-lineinfo"};
  const unsigned capability = architecture_for(compiler, options.compute_capability);
  // Since 9.0 there are instructions that only GPUs of just this capability have.
  constexpr unsigned kFirstWithOwn = 90;
  arguments.push_back(options.is_machine_code
                          ? fmt::format("-arch=sm_{}{}", capability, capability >= kFirstWithOwn ? "a" : "")
                          : fmt::format("-arch=compute_{}", capability));
  arguments.push_back(fmt::format("-O{}", options.optimization));
  if (options.fast_math) arguments.emplace_back("-use_fast_math");
  for (std::string& argument : source_arguments(path, options)) arguments.push_back(std::move(argument));
  return arguments;
}

Arguments base_arguments(const Compiler& compiler, const std::string& path, const CompileOptions& options) {
  return compiler.kind == Compiler::Kind::Clang ? clang_arguments(compiler, path, options)
                                                : nvcc_arguments(compiler, path, options);
}

std::string run_compiler(const Compiler& compiler, const std::string& path, Arguments arguments,
                         std::initializer_list<std::string> action, std::string& warnings) {
  add(arguments, action);
  arguments.push_back(path);
  FinishedProgram finished = run_program(arguments);
  if (finished.exit_code != 0)
    throw CompileError(path, compiler, finished.errors.empty() ? finished.output : finished.errors);
  warnings = std::move(finished.errors);
  return std::move(finished.output);
}

std::string key_of(const Compiler& compiler, const Arguments& arguments, const std::string& preprocessed) {
  std::string key = "1\n" + compiler.banner;
  for (const std::string& argument : arguments) key += argument + '\0';
  return key + preprocessed;
}

/// By which a compiler writes what is asked for into a file.
std::string action_of(const Compiler& compiler, const CompileOptions& options) {
  if (compiler.kind == Compiler::Kind::Clang) return "-S";
  return options.is_machine_code ? "-cubin" : "-ptx";
}

std::string compiled(const Compiler& compiler, const std::string& path, const Arguments& arguments,
                     const std::string& action, std::string& warnings) {
  const ScratchFolder scratch;
  const std::string file = scratch.file("kernels");
  run_compiler(compiler, path, arguments, {action, "-o", file}, warnings);
  return read_file(file);
}

/// The same of a preprocessed text, whose lines say themselves where they are from.
std::string compiled_text(const Compiler& clang, const std::string& path, const std::string& text,
                          CompileOptions options, std::string& warnings) {
  const ScratchFolder scratch;
  const std::string file = scratch.file("preprocessed.cu");
  std::ofstream(file) << text;
  options.is_preprocessed = true;
  return compiled(clang, file, clang_arguments(clang, path, options), action_of(clang, options), warnings);
}

}  // namespace

CompileError::CompileError(const std::string& path, const Compiler& compiler, std::string printed)
    : InputError({path, 0, 0}, fmt::format("{} does not compile it:\n{}", compiler.path, printed)),
      printed_(std::move(printed)) {
  if (printed_.empty()) printed_ = InputError::what();
}

CompiledPtx compile_cuda(const std::string& path, const CompileOptions& options) {
  open_file(path);
  CompiledPtx result;
  result.compiler = options.is_machine_code ? find_nvcc(options.compiler) : find_compiler(options.compiler);
  result.compute_capability = architecture_for(result.compiler, options.compute_capability);
  const Arguments arguments = base_arguments(result.compiler, path, options);
  const std::string action = action_of(result.compiler, options);
  const bool is_clang = result.compiler.kind == Compiler::Kind::Clang;
  if (!options.is_cached && !is_clang) {
    result.text = compiled(result.compiler, path, arguments, action, result.warnings);
    return result;
  }
  const std::string preprocessed = run_compiler(result.compiler, path, arguments, {"-E"}, result.warnings);
  const auto changed = is_clang ? text_for_clang(preprocessed) : std::nullopt;
  result.is_changed = changed.has_value();
  const PtxCache cache(key_of(result.compiler, arguments, preprocessed));
  if (auto found = options.is_cached ? cache.find() : std::nullopt) {
    result.text = std::move(*found);
    result.is_cached = true;
    return result;
  }
  result.text = changed ? compiled_text(result.compiler, path, *changed, options, result.warnings)
                        : compiled(result.compiler, path, arguments, action, result.warnings);
  if (options.is_cached) cache.store(result.text);
  return result;
}

std::optional<std::string> preprocessed_for_clang(const Compiler& compiler, const std::string& path,
                                                  const std::vector<std::string>& arguments) {
  std::string warnings;
  return text_for_clang(run_compiler(compiler, path, arguments, {"-E"}, warnings));
}

std::string header_folder(const CompileOptions& options) {
  const char* chosen = std::getenv("HEDDLE_CONFIGS");
  const bool is_chosen = chosen != nullptr && *chosen != '\0';
  const fs::path configs =
      options.configs_directory && !is_chosen ? *options.configs_directory : sim::default_configs_directory();
  const fs::path beside = configs.parent_path();
  for (const char* folder : {"cuda", "tools/cuda/include"})
    if (fs::exists(beside / folder / "cuda_runtime.h")) return (beside / folder).string();
  throw InputError({beside.string(), 0, 0},
                   "Heddle's CUDA headers, the folder cuda beside that of the GPU files, are not there");
}

}  // namespace heddle::cuda
